/**
 * The log: one JSON object a line. What a caller sends cannot forge a line or move a terminal's cursor: JSON escapes the
 * ASCII controls, and the other line ends and controls are escaped here. Deliberately never given: headers, bodies, queries.
 */
export type LogEntry = { event: string } & Readonly<Record<string, unknown>>

export type Log = (entry: LogEntry) => void

/** @param write gets each line with its end */
export function createLog(write: (line: string) => void): Log {
  return ({ event, ...rest }) => write(`${escapeControls(JSON.stringify({ time: new Date().toISOString(), event, ...rest }))}\n`)
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
