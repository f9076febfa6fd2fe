/**
 * Values of the naive evaluator: plain JavaScript, integers as bigint so that they cannot be taken for reals.
 * Deliberately not here: anything shared with the compiler. Two writings of one rule are the point.
 */

export interface Time {
  readonly timeNs: bigint
}
export interface Timespan {
  readonly spanNs: bigint
}
export type Value = null | bigint | number | string | boolean | Time | Timespan | readonly Value[]
/** A row by its names. */
export type Row = Readonly<Record<string, Value>>

export const isTime = (value: Value): value is Time => typeof value === 'object' && value !== null && 'timeNs' in value
export const isTimespan = (value: Value): value is Timespan => typeof value === 'object' && value !== null && 'spanNs' in value

/** Whether it fits 64 bits. */
export const isLong = (value: bigint): boolean => BigInt.asIntN(64, value) === value

/** A number as one that can be compared with others: the digits of a whole number, or a float. */
export function numberOf(value: Value): bigint | number | null {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (isTime(value)) return value.timeNs
  if (isTimespan(value)) return value.spanNs
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value !== 'string') return null
  if (/^[+-]?\d+$/.test(value) && isLong(BigInt(value))) return BigInt(value)
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value))
  return isNumber ? Number(value) : null
}

export const realOf = (value: Value): number | null => {
  const number = numberOf(value)
  return number === null ? null : Number(number)
}

/** Below 0, 0 or above 0; `null` where one is missing or not of the other's type. */
export function compareValues(a: Value, b: Value): number | null {
  if (a === null || b === null) return null
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  const isText = typeof a === 'string' || typeof b === 'string'
  const isTruth = typeof a === 'boolean' || typeof b === 'boolean'
  const [x, y] = isText && isTruth ? [spelled(a), spelled(b)] : [numberOf(a), numberOf(b)]
  if (x === null || y === null) return null
  return x < y ? -1 : x > y ? 1 : 0
}

/** True and false as 1 and 0, and texts that spell one of the two. */
function spelled(value: Value): number | null {
  const found = ['false', '0', 'true', '1'].indexOf(String(value).toLowerCase())
  return found < 0 ? null : found >> 1
}

/** Numbers come before texts, and those before true and false. */
export const rankOf = (value: Value): number => (typeof value === 'string' ? 1 : typeof value === 'boolean' ? 2 : 0)

export function textOf(value: Value): string | null {
  if (value === null) return null
  if (typeof value === 'object') throw new Error('the evaluator writes no times and arrays as text')
  return String(value)
}

/** What is missing, false, or spells false is false. */
export const truthOf = (value: Value): boolean => value === true

/** As the engine's answer shows it. */
export function shown(value: Value): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (isTime(value)) return String(value.timeNs)
  if (isTimespan(value)) return shown(value.spanNs)
  return Array.isArray(value) ? value.map(shown) : value
}
