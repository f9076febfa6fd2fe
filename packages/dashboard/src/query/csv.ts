/** A result as CSV (RFC 4180), to be pasted into a spreadsheet. Pure. */
import type { Table } from '../service/query.ts'
import { writeCell } from './cell.ts'

/** @param rows indexes, in the order wanted */
export function writeCsv({ fields, columns }: Table, rows: readonly number[]): string {
  const head = fields.map(({ name }) => writeField(name))
  const body = rows.map((row) => columns.map((column) => writeField(column[row])))
  return [head, ...body].map((line) => `${line.join(',')}\r\n`).join('')
}

function writeField(value: unknown): string {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const text = isNumber ? writeCell(value) : disarm(writeCell(value))
  // Some spreadsheets split at semicolons or tabs.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet runs a text that starts like a formula, even after blanks; after an apostrophe it is text. */
function disarm(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text
}
