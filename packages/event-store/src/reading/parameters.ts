/**
 * Values as the session of the embedded engine takes them: `SET param_p0 = '…'`, then the statement with `{p0:String}`.
 *
 * The engine's own call with parameters runs one at a time in the whole process, from start to end: a slow query would hold up
 * every annotation. Parameters of a session have no such lock, and are parameters all the same: the engine parses each value by
 * its declared type, and none becomes part of a statement. The text of the SET itself is safe by construction: every byte
 * that is not a letter or a digit is written as \xHH.
 */
import type { Statement } from '@deployment-annotations/apl/plan'
import { escapeText, type ParameterValue, quoteText } from '@deployment-annotations/apl/sql'

/** @returns the statement that sets all of them, `undefined` where there is none */
export function setParameters(params: Statement['params']): string | undefined {
  const entries = Object.entries(params)
  if (entries.length === 0) return undefined
  return `SET ${entries.map(([name, value]) => `param_${checked(name)} = ${literal(parameterText(value))}`).join(', ')}`
}

function checked(name: string): string {
  if (!/^[a-z0-9]{1,16}$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a parameter`)
  return name
}

/** A value in the engine's escaped text form, which it reads by the declared type. */
function parameterText(value: ParameterValue): string {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return escapeText(value)
  return `[${value.map(quoteText).join(',')}]`
}

const HEX = Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
const isPlain = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

function literal(text: string): string {
  let quoted = "'"
  for (const byte of Buffer.from(text)) quoted += isPlain(byte) ? String.fromCharCode(byte) : HEX[byte]
  return `${quoted}'`
}
