/** Values of a result as texts, and which comes before which. Pure. */

import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { formatTime } from '../address/format-time.ts'
import type { Table } from '../service/query.ts'
import { isNumeric } from './result-kind.ts'

/** @returns the value with every digit it has; nested ones as JSON without blanks; empty for what is missing */
export function writeCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'object' ? stringifyExact(value) : String(value)
}

/** How the cells of a column are shown. */
export interface CellForm {
  /** Of the column: only what the service says is a time is written as one. */
  type: string
  /** The query computed it. Any other number may be one that is no amount, such as a status or an id. */
  isFigure: boolean
  utc: boolean
}

/** @returns a value as people read it; figures rounded, with their digits in groups of three */
export function showCell(value: unknown, { type, isFigure, utc }: CellForm): string {
  if (type === 'datetime' && typeof value === 'string') return formatTime(value, utc)
  if (isFigure && (typeof value === 'bigint' || Number.isSafeInteger(value))) return BigInt(value as number).toLocaleString('en')
  if (typeof value !== 'number' || Number.isInteger(value)) return writeCell(value)
  return isFigure ? showRounded(value) : showDecimal(value)
}

/** The sixteenth digit of a sum of decimals is what binary numbers cannot say: `148.3`, and not `148.29999999999998`. */
const DIGITS = 12

function showDecimal(value: number): string {
  return String(Number(value.toPrecision(DIGITS)))
}

/** What a query computed has as many digits as there is room for, and few that say something; the copies have them all. */
function showRounded(value: number): string {
  return value.toLocaleString('en', Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 3 })
}

/** @returns a figure that is read first: integers whole, in groups of three digits, others with the digits that say something */
export function showFigure(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(writeCell(value)).toLocaleString('en')
  if (typeof value !== 'number') return writeCell(value)
  return value.toLocaleString('en', Math.abs(value) < 0.1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 })
}

/** @returns indexes of the rows in the order of a column; what is missing comes last either way */
export function sortRows({ fields, columns }: Table, column: number, isDescending: boolean): number[] {
  const values = columns[column] ?? []
  const keyOf = KEYS[sortOf(fields[column]?.type ?? '')]
  const keys = values.map((value) => (value === null || value === undefined ? undefined : keyOf(value)))
  const sign = isDescending ? -1 : 1
  return values.map((_, row) => row).sort((a, b) => compareKeys(keys[a], keys[b], sign))
}

type Key = number | bigint | string
const KEYS = {
  number: (value: unknown): Key => value as number | bigint,
  time: (value: unknown): Key => parseTimestamp(String(value)) ?? String(value),
  text: (value: unknown): Key => (typeof value === 'number' || typeof value === 'bigint' ? value : writeCell(value)),
}

function sortOf(type: string): keyof typeof KEYS {
  return isNumeric(type) ? 'number' : type === 'datetime' ? 'time' : 'text'
}

/** Numbers come before texts, and are compared by what they are, whichever of the two kinds they have. */
function compareKeys(a: Key | undefined, b: Key | undefined, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'string' || typeof b === 'string') {
    if (typeof a !== typeof b) return sign * (typeof a === 'string' ? 1 : -1)
    return sign * (a < b ? -1 : a > b ? 1 : 0)
  }
  return sign * (a < b ? -1 : a > b ? 1 : 0)
}
