/**
 * The log: one JSON object per line, with its level in words, on standard error. Text from a caller cannot forge a line or move a
 * terminal's cursor: JSON escapes the ASCII controls, and the other line ends and controls are escaped here. Headers, bodies, queries
 * and secrets are deliberately never logged.
 */
import { writeSync } from 'node:fs'
import { pino, stdTimeFunctions } from 'pino'

export type LogLine = { event: string } & Readonly<Record<string, unknown>>

export interface Log {
  /** Reports that something was done, or refused to a caller. */
  info(entry: LogLine): void
  /** Reports something that the operator may want to change, although nothing failed in the service. */
  warn(entry: LogLine): void
  /** Reports that the service failed at something. */
  error(entry: LogLine): void
}

/** @param write called with each line and its line end */
export function createLog(write: (line: string) => void): Log {
  return pino(
    { base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => write(line.replace(CONTROLS, escapeControl)) },
  )
}

/** @returns an error as the log shows it: its stack and those of its causes */
export function describeError(error: unknown): string {
  const chain: string[] = []
  for (let current = error; current !== undefined && chain.length < 5; ) {
    chain.push(current instanceof Error ? (current.stack ?? current.message) : String(current))
    current = current instanceof Error ? current.cause : undefined
  }
  return chain.join('\ncaused by: ').slice(0, ERROR_LENGTH_MAX)
}

const ERROR_LENGTH_MAX = 8_000

/** The line ends and controls that JSON does not escape. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029]/g

function escapeControl(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** How many characters may wait for a slow reader. Further lines are counted, and the count is logged once there is space. */
const WAITING_CHARS_MAX = 16_777_216
const LINES_AT_A_TIME = 500
const RETRY_MS = 10
/** How long a process that ends waits for a reader that does not read, in milliseconds. */
const EXIT_MS_MAX = 1_000
const STANDARD_ERROR = 2

/** @returns the log of this process, which also gets a last line about a crash */
export function openLog(): Log {
  // Using the stream makes a pipe non-blocking. Its errors are ignored, because the process must not end if the reader does.
  process.stderr.on('error', () => undefined)
  const output = new LogOutput(STANDARD_ERROR)
  process.on('exit', () => output.finish())
  const log = createLog((line) => output.write(line))
  process.on('uncaughtExceptionMonitor', (error) => log.error({ event: 'crash', cause: describeError(error) }))
  return log
}

/**
 * Writes lines to a file descriptor. A line is written before the call returns, on this thread, because the embedded engine may hold
 * all others. Further lines of the same turn of the event loop are written together at its end: requests that shared an insert are
 * answered at one moment, and each write is a system call that wakes the reader.
 * If a pipe is full, lines wait here in order, so that a slow reader delays nothing; a reader that went away, or a full disk, costs
 * lines and not the service. When the process ends, the waiting lines are written.
 */
class LogOutput {
  readonly #fd: number
  #waiting: string[] = []
  #waitingChars = 0
  /** The rest of the lines that are being written. */
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
    if (this.#lost > 0) {
      const count = this.#lost
      this.#lost = 0
      createLog((lostLines) => this.write(lostLines)).warn({ event: 'log-lines-lost', count })
    }
    this.#waiting.push(line)
    this.#waitingChars += line.length
    if (this.#hasWritten || this.#retry !== undefined) return
    this.#hasWritten = true
    setImmediate(() => {
      this.#hasWritten = false
      if (this.#retry === undefined) this.#flush()
    })
    this.#flush()
  }

  /** Writes the waiting lines as long as the reader makes progress. */
  finish(): void {
    const asleep = new Int32Array(new SharedArrayBuffer(4))
    for (let waitedMs = 0; waitedMs < EXIT_MS_MAX; waitedMs += RETRY_MS) {
      const before = this.#waitingChars + this.#rest.length
      if (this.#flush()) return
      if (this.#waitingChars + this.#rest.length < before) waitedMs = 0
      Atomics.wait(asleep, 0, 0, RETRY_MS)
    }
  }

  /** @returns whether nothing is left to write */
  #flush(): boolean {
    clearTimeout(this.#retry)
    this.#retry = undefined
    while (this.#rest.length > 0 || this.#waiting.length > 0) {
      if (this.#rest.length === 0) {
        // Many lines are joined, because a pipe takes a limited number of pieces however small they are.
        const text = this.#waiting.splice(0, LINES_AT_A_TIME).join('')
        this.#waitingChars -= text.length
        this.#rest = Buffer.from(text)
      }
      const written = this.#writeSome(this.#rest)
      this.#rest = this.#rest.subarray(written)
      if (written === 0) {
        this.#retry = setTimeout(() => this.#flush(), RETRY_MS).unref()
        return false
      }
    }
    return true
  }

  /** @returns how many bytes were written, or lost because the reader is gone; 0 if the pipe is full */
  #writeSome(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length
    }
  }
}
