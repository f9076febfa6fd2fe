/**
 * Cursors as text. A cursor is a row id, so every `_rowId` of an answer is one: 13 base-36 digits of the row's time in
 * nanoseconds (two's complement before 1970), then the row's number in hex. Opaque to callers.
 * Deliberately not here: what a cursor does to a query; that is the compiler's.
 */
import { isStorable } from '@deployment-annotations/contract/timestamp'
import { quoted, ServiceError } from '../errors.ts'

/** A row's place in its dataset: rows are ordered by time, then by number. */
export interface RowPlace {
  timeNs: bigint
  row: bigint
}

const TIME_DIGITS = 13
const ROW_DIGITS = 16
const SHAPE = /^([0-9a-z]{13})([0-9a-f]{16})$/

export function formatRowId({ timeNs, row }: RowPlace): string {
  const time = BigInt.asUintN(64, timeNs).toString(36).padStart(TIME_DIGITS, '0')
  return time + row.toString(16).padStart(ROW_DIGITS, '0')
}

/** @throws ServiceError `malformed` where the text is not the id of a row */
export function parseCursor(text: string): RowPlace {
  const [, time = '', row = ''] = SHAPE.exec(text) ?? []
  const unsigned = [...time].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  const timeNs = BigInt.asIntN(64, unsigned)
  if (time === '' || unsigned >= 1n << 64n || !isStorable(timeNs)) {
    throw new ServiceError(
      'malformed',
      `the cursor ${quoted(text)} cannot be read: send status.minCursor, status.maxCursor or a _rowId of an earlier answer as it was`,
    )
  }
  return { timeNs, row: BigInt(`0x${row}`) }
}
