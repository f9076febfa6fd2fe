/** Writes the rows of a result as CSV (RFC 4180) and as JSON. Pure. */
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type { Table } from '../service/query.ts'
import { writeCell } from './cell.ts'

/** @param rows indexes of the rows, in order */
export function writeCsv({ fields, columns }: Table, rows: readonly number[]): string {
  const head = fields.map(({ name }) => writeField(name))
  const body = rows.map((row) => columns.map((column) => writeField(column[row])))
  return [head, ...body].map((line) => `${line.join(',')}\r\n`).join('')
}

/**
 * @param rows indexes of the rows, in order
 * @returns an array of objects, one on each line; integers have all their digits
 */
export function writeJson({ fields, columns }: Table, rows: readonly number[]): string {
  const lines = rows.map((row) => stringifyExact(Object.fromEntries(fields.map(({ name }, at) => [name, columns[at]?.[row]]))))
  return `[${lines.map((line) => `\n${line}`).join(',')}\n]\n`
}

function writeField(value: unknown): string {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const text = isNumber ? writeCell(value) : disarm(writeCell(value))
  // Some spreadsheets split at semicolons or tabs.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet evaluates a text that starts like a formula, even after spaces; an apostrophe makes it text. */
function disarm(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text
}
