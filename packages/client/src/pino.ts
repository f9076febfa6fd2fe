/**
 * A transport of pino, which loads it by name in a thread of its own:
 *
 *   pino({ transport: { target: '@deployment-annotations/client/pino', options: { dataset: 'logs', token, url } } })
 *
 * Each line becomes an event: `time` is its `_time`, and `level` is a word.
 */
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { createLineReader } from './batches.ts'
import { type LogTransportOptions, openLogQueue } from './log-transport.ts'

const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** @returns the stream to which pino writes its lines; it ends once all of them are stored or reported */
export default function createPinoTransport(options: LogTransportOptions): Writable {
  const queue = openLogQueue({ onError, ...options })
  const readLines = createLineReader()
  const take = (chunk?: Uint8Array) => {
    for (const line of readLines(chunk)) queue.add(options.dataset, readEvent(line))
  }
  return new Writable({
    write(chunk: Uint8Array, _, done) {
      take(chunk)
      done()
    },
    final(done) {
      take()
      void queue.flush().then(() => done())
    },
  })
}

/** The console of a thread writes later than a process ends that waits for its logger. */
const onError = ({ message }: Error) => void writeSync(2, `${message}\n`)

/** @returns the event, or a line that is none as it is, which the queue reports */
function readEvent(line: string): object {
  try {
    const { time, level, ...rest } = JSON.parse(line)
    return { ...(time !== undefined && { _time: time }), ...(level !== undefined && { level: LEVELS[level] ?? level }), ...rest }
  } catch {
    return line as unknown as object
  }
}
