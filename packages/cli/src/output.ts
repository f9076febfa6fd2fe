/** What people and programs see: results on stdout, everything else on stderr, with colors if the terminal has them. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/**
 * Ignores EPIPE, so that the command goes on if the reader of stdout is gone. Any other error, such as a full disk, loses the result and
 * fails the command.
 */
export function outliveReaders(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    fail(`The result cannot be written: ${error.message}.`)
    process.exitCode = 1
  })
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2))
}

/** A line for people, on stderr. */
export function log(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Each line is a message of its own. */
export function warn(message: string): void {
  for (const line of message.split('\n')) log(`${paint('yellow', 'warning:', process.stderr)} ${line}`)
}

/** Each line is a message of its own. */
export function fail(message: string): void {
  for (const line of message.split('\n')) log(`${paint('red', 'error:', process.stderr)} ${line}`)
}

/** @returns the text in a style if the stream is a terminal with colors and `NO_COLOR` is not set */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && stream.hasColors() ? styleText(style, text) : text
}
