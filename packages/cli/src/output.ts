/**
 * What people and programs see: results on stdout, everything else on stderr; colors where a terminal takes them.
 */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Whoever reads may have gone: that must not end what is under way. Any other error, such as a full disk, loses the result. */
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

/** @returns the text in a style, where the stream is a terminal that has colors and `NO_COLOR` is not set */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && stream.hasColors() ? styleText(style, text) : text
}
