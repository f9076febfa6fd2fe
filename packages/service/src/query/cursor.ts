/**
 * Cursors as text. A cursor is a row id, so every `_rowId` of an answer is one.
 * Deliberately not here: how a row id is written (`row-id.ts` of the query language), and what a cursor does to a query; both are the
 * compiler's.
 */
import { ROW_DIGITS, type RowPlace, TIME_DIGITS } from '@deployment-annotations/apl/row-id'
import { isStorable } from '@deployment-annotations/contract/timestamp'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'

const SHAPE = new RegExp(`^([0-9a-z]{${TIME_DIGITS}})([0-9a-f]{${ROW_DIGITS}})$`)

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
