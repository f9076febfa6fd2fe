/**
 * Reads JSON numbers, and checks whether the engine stores them exactly (integers of 64 bits, everything else as a Float64). A number
 * that would change is refused with the reason; nothing is rounded here.
 */
import { cutText } from '@deployment-annotations/contract/text'

const [ZERO, DOT, MINUS] = [0x30, 0x2e, 0x2d]
/** Integers of so many characters are the same as Float64. */
export const EXACT_CHARACTERS = 15
const POWERS = Array.from({ length: EXACT_CHARACTERS + 1 }, (_, exponent) => Number(`1e${exponent}`))

/** @returns the number as a Float64 */
export function readNumber(buf: Buffer, from: number, to: number): number {
  const isNegative = buf[from] === MINUS
  const first = isNegative ? from + 1 : from
  // The length includes the point.
  if (to - first > EXACT_CHARACTERS + 1) return Number(buf.toString('latin1', from, to))
  let value = 0
  let point = to
  for (let i = first; i < to; i++) {
    const byte = buf[i] as number
    if (byte === DOT) point = i + 1
    else if (byte >= ZERO && byte < ZERO + 10) value = value * 10 + byte - ZERO
    else return Number(buf.toString('latin1', from, to))
  }
  const float = value / (POWERS[to - point] as number)
  return isNegative ? -float : float
}

/** How many characters of a number a message shows. */
const SHOWN_POINTS_MAX = 40

/** @returns why the engine cannot store an integer that takes more than 64 bits */
export const whyNotInteger = (text: string): string =>
  `the integer ${cutText(text, SHOWN_POINTS_MAX)} does not fit into 64 bits; send it as a string`

/** @returns why the engine would change a JSON number as a Float64; `undefined` if it stays the same number */
export function whyNotFloat(text: string): string | undefined {
  const value = Number(text)
  if (!Number.isFinite(value))
    return `the number ${cutText(text, SHOWN_POINTS_MAX)} is larger than a 64-bit float; send it as a string`
  const [sent, stored] = [decimalOf(text), decimalOf(String(value))]
  if (stored.digits === sent.digits && (stored.exponent === sent.exponent || sent.digits === '')) return undefined
  return `the number ${cutText(text, SHOWN_POINTS_MAX)} would be stored as ${value} (64-bit float); send it as a string`
}

/** Returns the number as `0.digits × 10^exponent`, with no zeros at either end of the digits; zero has no digits. Signs are dropped. */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.replace(/^-/, '').split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  const leading = all.length - all.replace(/^0+/, '').length
  // From the first zero of a run alone: a number may be as long as an event.
  return { digits: all.slice(leading).replace(/(?<!0)0+$/, ''), exponent: Number(power) + whole.length - leading }
}
