/**
 * The log of this process, on standard error. A line is written before the call returns, on this thread: the embedded engine may
 * hold all others. Those that follow it in the same turn of the event loop are written at its end, together: the answers to requests that
 * shared an insert are sent at one moment, and each write is a call of the system that wakes the reader.
 * What a full pipe does not take waits here, in order, so that a slow reader holds nothing up; a reader that
 * went away, or a full disk, costs lines and not the service. What waits when the process ends is written then.
 * Deliberately not here: what a line looks like; see log.ts.
 */
import { writeSync } from 'node:fs'
import { createLog, type Log, logCrashes } from '@deployment-annotations/runtime/log'

/** What waits for a slow reader at most; lines beyond it are counted, and the count is logged once there is room. */
const WAITING_CHARS_MAX = 16_777_216
const LINES_AT_A_TIME = 500
const RETRY_MS = 10
/** How long a process that ends waits for a reader that reads nothing. */
const EXIT_MS_MAX = 1_000
const STANDARD_ERROR = 2

/** @returns the log; a crash of the process has a line in it from now on */
export function openLog(): Log {
  // To use it makes a pipe non-blocking; and it must not end the process either when its reader went away.
  process.stderr.on('error', () => undefined)
  const output = new LogOutput(STANDARD_ERROR)
  process.on('exit', () => output.finish())
  const log = createLog((line) => output.write(line))
  logCrashes(log)
  return log
}

class LogOutput {
  readonly #fd: number
  #waiting: string[] = []
  #waitingChars = 0
  /** What is left of the lines that are being written. */
  #rest: Buffer = Buffer.alloc(0)
  #lost = 0
  #retry: NodeJS.Timeout | undefined
  /** Whether a line was written in this turn of the event loop. */
  #hasWritten = false

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    if (this.#waitingChars > WAITING_CHARS_MAX) {
      this.#lost++
      return
    }
    if (this.#lost > 0) this.#tellLost()
    this.#enqueue(line)
    if (this.#hasWritten || this.#retry !== undefined) return
    this.#hasWritten = true
    setImmediate(() => {
      this.#hasWritten = false
      if (this.#retry === undefined) this.#flush()
    })
    this.#flush()
  }

  /** Writes what waits, for as long as it is being read. */
  finish(): void {
    const asleep = new Int32Array(new SharedArrayBuffer(4))
    for (let waitedMs = 0; waitedMs < EXIT_MS_MAX; waitedMs += RETRY_MS) {
      const before = this.#waitingChars + this.#rest.length
      if (this.#flush()) return
      if (this.#waitingChars + this.#rest.length < before) waitedMs = 0
      Atomics.wait(asleep, 0, 0, RETRY_MS)
    }
  }

  #tellLost(): void {
    const count = this.#lost
    this.#lost = 0
    createLog((line) => this.#enqueue(line)).warn({ event: 'log-lines-lost', count })
  }

  #enqueue(line: string): void {
    this.#waiting.push(line)
    this.#waitingChars += line.length
  }

  /** @returns whether nothing waits any more */
  #flush(): boolean {
    clearTimeout(this.#retry)
    this.#retry = undefined
    while (this.#rest.length > 0 || this.#waiting.length > 0) {
      if (this.#rest.length === 0) this.#rest = this.#takeLines()
      const written = this.#writeSome(this.#rest)
      this.#rest = this.#rest.subarray(written)
      if (written === 0) {
        this.#retry = setTimeout(() => this.#flush(), RETRY_MS).unref()
        return false
      }
    }
    return true
  }

  /** Many at a time, because a pipe takes a limited number of pieces however small they are. */
  #takeLines(): Buffer {
    const text = this.#waiting.splice(0, LINES_AT_A_TIME).join('')
    this.#waitingChars -= text.length
    return Buffer.from(text)
  }

  /** @returns how many bytes are dealt with; 0 where the pipe is full */
  #writeSome(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length
    }
  }
}
