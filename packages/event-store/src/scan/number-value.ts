/**
 * The value of a JSON number, from its bytes. By hand for those of up to 15 digits, which are nearly all: several times faster than
 * making a text first. Exact either way: 15 digits and powers of ten up to 10^22 are Float64s without rounding, and so their
 * quotient is rounded once, as the standard asks for.
 */

const [ZERO, DOT, MINUS] = [0x30, 0x2e, 0x2d]
const DIGITS_MAX = 15
const POWERS = Array.from({ length: DIGITS_MAX + 1 }, (_, exponent) => Number(`1e${exponent}`))

/** @returns an integer of at most 15 digits; `undefined` where it has more */
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
  // With the point.
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
