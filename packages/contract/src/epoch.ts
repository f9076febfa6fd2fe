/**
 * Numbers since the Unix epoch, told apart by their magnitude: seconds, milliseconds, microseconds or nanoseconds.
 * Deliberately not here: which of them an interface takes; the step reads only the first two, which people type.
 */

/** The bounds from which a number counts the next finer unit; the first one, in seconds, is the year 5138. */
const SECONDS_BELOW = 10n ** 11n
const MILLIS_BELOW = 10n ** 14n
const MICROS_BELOW = 10n ** 17n

/**
 * @param text a JSON number, such as `1769860800`, `1769860800.5` (as `date +%s.%N` writes it) or `1.7698608e9`
 * @returns nanoseconds since the epoch, digits below 1 ns cut off; `undefined` if the text is not a number
 */
export function parseEpoch(text: string): bigint | undefined {
  const part = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (!part) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = part
  // The value is digits × 10^-places.
  const digits = BigInt(whole + fraction)
  const places = fraction.length - Number(power)
  const units = shift(digits, -places)
  const scale = units < SECONDS_BELOW ? 9 : units < MILLIS_BELOW ? 6 : units < MICROS_BELOW ? 3 : 0
  const ns = shift(digits, scale - places)
  return sign === '-' ? -ns : ns
}

function shift(digits: bigint, places: number): bigint {
  return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places)
}
