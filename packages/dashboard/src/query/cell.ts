/** Writes the values of a result as texts, and sorts its rows. Pure. */
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { formatTime } from '../address/format-time.ts'
import { formatInUnit, type Unit } from '../address/unit.ts'
import type { Table } from '../service/query.ts'
import type { Sorting } from './sorting.ts'

/** @returns the value with all its digits; nested values as JSON without spaces; an empty text for a missing value */
export function writeCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'object' ? stringifyExact(value) : String(value)
}

/** An integer that a double cannot hold becomes the nearest double, because no pixel shows the difference. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

/** The format of the cells of a column. */
export interface CellForm {
  /** The type of the column: only what the service calls a time is written as one. */
  type: string
  /** Whether the query computed the value. Any other number may be no amount, such as a status or an id. */
  isFigure: boolean
  zone: string
  /** The unit of a number that has one. */
  unit?: Unit | undefined
}

/** @returns a value for people, with a dash for none; computed numbers are rounded, with their digits in groups of three */
export function showCell(value: unknown, { type, isFigure, zone, unit = 'none' }: CellForm): string {
  if (value === null || value === undefined) return '–'
  if (unit !== 'none' && numberOf(value) !== undefined) return formatInUnit(Number(value), unit)
  if (type === 'datetime' && typeof value === 'string') return formatTime(value, zone)
  if (isFigure && (typeof value === 'bigint' || Number.isSafeInteger(value))) return BigInt(value as number).toLocaleString('en')
  if (typeof value !== 'number' || Number.isInteger(value)) return writeCell(value)
  return isFigure ? showRounded(value) : String(Number(value.toPrecision(DIGITS)))
}

/** Binary numbers cannot store the sixteenth digit of a sum of decimals: it is `148.3`, and not `148.29999999999998`. */
const DIGITS = 12

/** Few digits of a computed number say something; the copies have all of them. */
function showRounded(value: number): string {
  return value.toLocaleString('en', Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 3 })
}

/** @returns indexes of the rows in the order of a column, or of the answer; missing values are last in both directions */
export function sortRows({ columns }: Table, sorting: Sorting | undefined): number[] {
  const keys = (columns[sorting?.column ?? 0] ?? []).map(keyOf)
  const rows = [...keys.keys()]
  const sign = sorting?.isDescending ? -1 : 1
  return sorting ? rows.sort((a, b) => compareKeys(keys[a], keys[b], sign)) : rows
}

type Key = number | bigint | string | undefined

/** Times may have different numbers of digits. */
function keyOf(value: unknown): Key {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return (typeof value === 'string' ? parseTimestamp(value) : undefined) ?? writeCell(value)
}

/** Numbers come before texts, and are compared by value, whether they are integers or not. */
function compareKeys(a: Key, b: Key, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if ((typeof a === 'string') !== (typeof b === 'string')) return sign * (typeof a === 'string' ? 1 : -1)
  return sign * (a < b ? -1 : a > b ? 1 : 0)
}
