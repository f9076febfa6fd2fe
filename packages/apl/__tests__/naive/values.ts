/**
 * Values of the naive evaluator: plain JavaScript, integers as bigint so that they cannot be taken for reals.
 * Deliberately not here: anything shared with the compiler. Two writings of one rule are the point.
 */

import { occurs } from './occurrences.ts'

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
const isLong = (value: bigint): boolean => BigInt.asIntN(64, value) === value

/** A number as one that can be compared with others: the digits of a whole number, or a float. */
export function numberOf(value: Value): bigint | number | null {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (isTime(value)) return value.timeNs
  if (isTimespan(value)) return value.spanNs
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value !== 'string') return null
  if (/^[+-]?\d+$/.test(value) && isLong(BigInt(value))) return spelledNumber(BigInt(value))
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value))
  return isNumber ? spelledNumber(Number(value)) : null
}

function spelledNumber<T>(number: T): T {
  occurs('a text like a number')
  return number
}

/** The digits of a time since 1970, by how many there are, in nanoseconds. */
const SINCE_1970: Readonly<Record<number, bigint>> = { 10: 1_000_000_000n, 13: 1_000_000n, 16: 1_000n, 19: 1n }

/** A date of which the month comes first, one of ISO 8601 with or without a time of the day and its zone, or a time since 1970. */
export function timeOf(value: Value): Time | null {
  if (value === null || isTime(value)) return value
  if (typeof value !== 'string') return null
  occurs('a time as a text')
  const digits = /^\d+$/.test(value) ? SINCE_1970[value.length] : undefined
  if (digits !== undefined) return { timeNs: BigInt(value) * digits }
  const [, month = '', day = '', year = ''] = /^(\d+)\/(\d+)\/(\d{4})$/.exec(value) ?? []
  const iso = year === '' ? value : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const [, date = '', clock = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(iso) ?? []
  const isThere = date !== '' && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
  return isThere ? { timeNs: BigInt(Date.parse(`${date}T${clock}${zone}`)) * 1_000_000n } : null
}

export const realOf = (value: Value): number | null => {
  const number = numberOf(value)
  return number === null ? null : Number(number)
}

/** Cut to a whole number, if that fits 64 bits. */
export function wholeOf(value: Value): bigint | null {
  const number = numberOf(value)
  if (typeof number !== 'number') return number
  return Number.isFinite(number) && isLong(BigInt(Math.trunc(number))) ? BigInt(Math.trunc(number)) : null
}

/** Below 0, 0 or above 0; `null` where one is missing or not of the other's type. */
export function compareValues(a: Value, b: Value): number | null {
  if (a === null || b === null) return null
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (typeof a !== typeof b) occurs('values of two types')
  if ([a, b].some((value) => typeof value === 'bigint' && !Number.isSafeInteger(Number(value))))
    occurs('an integer that no float holds')
  if (isTime(a) || isTime(b)) return compareTimes(a, b)
  const isText = typeof a === 'string' || typeof b === 'string'
  const isTruth = typeof a === 'boolean' || typeof b === 'boolean'
  const [x, y] = isText && isTruth ? [spelled(a), spelled(b)] : [numberOf(a), numberOf(b)]
  if (x === null || y === null) return null
  if (typeof x !== typeof y && Number(x) === Number(y)) occurs('a decimal beside an equal integer')
  return x < y ? -1 : x > y ? 1 : 0
}

function compareTimes(a: Value, b: Value): number | null {
  const [x, y] = [a, b].map((value) => timeOf(value)?.timeNs)
  return x === undefined || y === undefined ? null : x < y ? -1 : x > y ? 1 : 0
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

/** Rows as texts that can be compared whatever their order is: of an answer, or of the evaluator. */
export const printRows = (rows: readonly object[], names: readonly string[]): string[] =>
  rows.map((row) => JSON.stringify(names.map((name) => comparable((row as Record<string, unknown>)[name] ?? null)))).sort()

/** Times by their nanoseconds, and floats to twelve digits: a sum depends on the order of its parts. Large integers are texts in some answers. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number')
    return Number.isSafeInteger(value)
      ? value
      : Number.isInteger(value)
        ? String(value)
        : Number.isFinite(value)
          ? Number(value.toPrecision(12))
          : null
  if (typeof value === 'object' && value !== null)
    return 'timeNs' in value ? String(value.timeNs) : comparable(Object.values(value)[0])
  const time = typeof value === 'string' ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(value) : null
  return time ? String(BigInt(Date.parse(`${time[1]}Z`)) * 1_000_000n + BigInt((time[2] ?? '').padEnd(9, '0'))) : value
}
