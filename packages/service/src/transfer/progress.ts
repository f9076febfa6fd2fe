/**
 * How far an export or an import is, on stderr: a line every few seconds and one for each dataset, which a terminal shows and a log keeps.
 */

/** How often a line says how far it is. */
const LINE_MS = 3_000
const numbers = new Intl.NumberFormat('en-US')
export const formatCount = (count: number) => numbers.format(count)

export function sumRows(parts: readonly { rows: number }[]): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0)
}

export class Progress {
  #what = ''
  #total = 0
  #done = 0
  #startedMs = 0
  #saidMs = 0

  /** @param what for example `exporting`. @param total events; there may be more or fewer in the end */
  begin(what: string, total: number): void {
    this.#what = what
    this.#total = total
    this.#startedMs = this.#saidMs = performance.now()
    this.say(`${what}: ${formatCount(total)} events`)
  }

  /** @param events that are done besides those of before */
  add(events: number): void {
    this.#done += events
    const nowMs = performance.now()
    if (nowMs - this.#saidMs < LINE_MS) return
    this.#saidMs = nowMs
    const percent = Math.min(100, Math.floor((this.#done / Math.max(1, this.#total)) * 100))
    const rate = Math.round((this.#done * 1_000) / (nowMs - this.#startedMs))
    const of = `${formatCount(this.#done)} of ${formatCount(this.#total)} events (${percent} %)`
    this.say(`${this.#what}: ${of}, ${formatCount(rate)}/s`)
  }

  say(line: string): void {
    process.stderr.write(`${line}\n`)
  }
}
