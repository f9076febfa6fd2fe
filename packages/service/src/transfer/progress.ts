/**
 * How far an export or an import is, on stderr: a bar on a terminal, and elsewhere a line every few seconds and one for each
 * dataset, which logs can keep.
 */
import { SingleBar } from 'cli-progress'

export interface Progress {
  /** @param what for example `exporting`. @param total events; there may be more or fewer in the end */
  begin(what: string, total: number): void
  /** @param events that are done besides those of before */
  add(events: number): void
  /** A line that stays. */
  say(line: string): void
  end(): void
}

const LINE_MS = 3_000
const numbers = new Intl.NumberFormat('en-US')
export const formatCount = (count: number) => numbers.format(count)

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? createBar(stream) : createLines(stream)
}

function createBar(stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar({
    stream,
    format: '{what} {bar} {percentage} % | {value} of {total} events | {rate}/s | {eta_formatted} left',
    formatValue: (value, _, type) => (type === 'value' || type === 'total' ? formatCount(value) : String(value)),
    etaBuffer: 30,
    hideCursor: true,
    // What is said meanwhile stands above the bar.
    clearOnComplete: true,
    gracefulExit: false,
  })
  let meter = new Meter(0)
  let isShown = false
  const end = () => {
    if (isShown) bar.stop()
    isShown = false
  }
  return {
    begin(what, total) {
      end()
      meter = new Meter(total)
      bar.start(Math.max(total, 1), 0, { what, rate: '0' })
      isShown = true
    },
    add(events) {
      meter.add(events)
      if (meter.done > bar.getTotal()) bar.setTotal(meter.done)
      bar.update(meter.done, { rate: formatCount(meter.rate) })
    },
    say(line) {
      if (isShown) stream.write('\r\u001b[K')
      stream.write(`${line}\n`)
    },
    end,
  }
}

function createLines(stream: NodeJS.WriteStream): Progress {
  let meter = new Meter(0)
  let what = ''
  let saidAt = 0
  const say = (line: string) => void stream.write(`${line}\n`)
  return {
    begin(task, total) {
      what = task
      meter = new Meter(total)
      saidAt = performance.now()
      say(`${what}: ${formatCount(total)} events`)
    },
    add(events) {
      meter.add(events)
      if (performance.now() - saidAt < LINE_MS) return
      saidAt = performance.now()
      say(
        `${what}: ${formatCount(meter.done)} of ${formatCount(meter.total)} events (${meter.percent} %), ${formatCount(meter.rate)}/s`,
      )
    },
    say,
    end: () => undefined,
  }
}

class Meter {
  readonly total: number
  done = 0
  readonly #startedAt = performance.now()

  constructor(total: number) {
    this.total = total
  }

  add(events: number): void {
    this.done += events
  }

  get percent(): number {
    return this.total === 0 ? 100 : Math.min(100, Math.floor((this.done / this.total) * 100))
  }

  /** Events in a second. */
  get rate(): number {
    return Math.round(this.done / Math.max(0.001, (performance.now() - this.#startedAt) / 1_000))
  }
}
