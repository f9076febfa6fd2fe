/**
 * Reads JSON numbers, and checks whether the engine stores them exactly (integers of 64 bits, everything else as a Float64). A number
 * that would change is refused with the reason; nothing is rounded here.
 */
import { cutText } from '@deployment-annotations/contract/text'

const [ZERO, DOT, MINUS] = [0x30, 0x2e, 0x2d]
const DIGITS_MAX = 15
const POWERS = Array.from({ length: DIGITS_MAX + 1 }, (_, exponent) => Number(`1e${exponent}`))

/** @returns an integer of at most 15 digits; `undefined` if it has more */
export function readShortInteger(buf: Buffer, from: number, to: number): number | undefined {
  const isNegative = buf[from] === MINUS
  const first = isNegative ? from + 1 : from
  if (to - first > DIGITS_MAX) return undefined
  let value = 0
  for (let i = first; i < to; i++) value = value * 10 + (buf[i] as number) - ZERO
  return isNegative ? -value : value
}

/** @returns the number as a Float64 */
export function readFloat(buf: Buffer, from: number, to: number): number {
  const isNegative = buf[from] === MINUS
  const first = isNegative ? from + 1 : from
  // The length includes the point.
  if (to - first > DIGITS_MAX + 1) return Number(buf.toString('latin1', from, to))
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

const INT64_MIN = 9_223_372_036_854_775_808n
const UINT64_MAX = 18_446_744_073_709_551_615n

/** Any decimal with this many significant digits survives Float64 (DBL_DIG), away from the ends of its range. */
const SAFE_DIGITS = 15
const SAFE_EXPONENT = 290

/** How many characters of a number a message shows. */
const SHOWN_POINTS_MAX = 40

/**
 * @param text a JSON number with neither point nor exponent
 * @returns why the engine cannot store it; `undefined` if it can
 */
export function whyNotInteger(text: string): string | undefined {
  const negative = text.startsWith('-')
  const magnitude = BigInt(negative ? text.slice(1) : text)
  if (magnitude <= (negative ? INT64_MIN : UINT64_MAX)) return undefined
  return `the integer ${cutText(text, SHOWN_POINTS_MAX)} does not fit into 64 bits; send it as a string`
}

/** Whether an integer that fits into 64 bits does so only without a sign, which is so from 2^63 on. */
export function isUnsigned(text: string): boolean {
  return text.length >= 19 && !text.startsWith('-') && BigInt(text) >= INT64_MIN
}

/**
 * @param text a JSON number with a point or an exponent
 * @returns why the engine would change it; `undefined` if it stays the same number
 */
export function whyNotFloat(text: string): string | undefined {
  const sent = decimalOf(text)
  if (sent.digits.length <= SAFE_DIGITS && Math.abs(sent.exponent) < SAFE_EXPONENT) return undefined
  const value = Number(text)
  if (!Number.isFinite(value))
    return `the number ${cutText(text, SHOWN_POINTS_MAX)} is larger than a 64-bit float; send it as a string`
  const kept = decimalOf(String(Math.abs(value)))
  if (kept.digits === sent.digits && (kept.exponent === sent.exponent || sent.digits === '')) return undefined
  return `the number ${cutText(text, SHOWN_POINTS_MAX)} would be stored as ${value} (64-bit float); send it as a string`
}

/** Whether an integer survives conversion to a Float64, as happens among floats of one array. */
export function survivesAsFloat(text: string): boolean {
  return text.length <= SAFE_DIGITS || whyNotFloat(text) === undefined
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
