/**
 * The log: one JSON object per line, with its level in words. What a caller sends cannot forge a line or move a terminal's
 * cursor: JSON escapes the ASCII controls, and the other line ends and controls are escaped here.
 * Deliberately not here: where lines go; see log-output.ts. Deliberately never given: headers, bodies, queries, secrets.
 */
import { pino, stdTimeFunctions } from 'pino'

export type LogEntry = { event: string } & Readonly<Record<string, unknown>>

export interface Log {
  /** What was done, and what was refused to a caller. */
  info(entry: LogEntry): void
  /** The operator may want to change something; nothing failed on our side. */
  warn(entry: LogEntry): void
  /** The service failed at something. */
  error(entry: LogEntry): void
}

/** @param write gets each line with its end */
export function createLog(write: (line: string) => void): Log {
  const logger = pino(
    { base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => write(escapeControls(line)) },
  )
  return {
    info: (entry) => logger.info(entry),
    warn: (entry) => logger.warn(entry),
    error: (entry) => logger.error(entry),
  }
}

/** The last line of a process that nothing can save; Node then ends it as it would have without us. */
export function logCrashes(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error) => log.error({ event: 'crash', cause: describeError(error) }))
}

/** An error as the log shows it: its stack and those of its causes. */
export function describeError(error: unknown): string {
  const chain: string[] = []
  for (let current = error; current !== undefined && chain.length < 5; ) {
    chain.push(current instanceof Error ? (current.stack ?? current.message) : String(current))
    current = current instanceof Error ? current.cause : undefined
  }
  return chain.join('\ncaused by: ').slice(0, ERROR_LENGTH_MAX)
}

const ERROR_LENGTH_MAX = 8_000

function escapeControls(line: string): string {
  return line.replace(/[\x7f-\x9f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
