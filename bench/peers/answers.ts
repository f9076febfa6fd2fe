/** Whether two stores answered the same. Deliberately not here: how long they took. */
import type { Question } from './questions.ts'
import type { Row } from './system.ts'

/** @throws Error that names the question, and the first row of each where they differ */
export function compare(question: Question, expected: readonly Row[], actual: readonly Row[], names: readonly [string, string]) {
  const [a, b] = [cellsOf(question, expected), cellsOf(question, actual)]
  if (a.length > 0 && isSame(a, b, question.tolerance ?? 0)) return
  const at = a.findIndex((row, index) => !isSame([row], [b[index] ?? []], question.tolerance ?? 0))
  const show = (rows: unknown[][]) => `${rows.length} rows, ${JSON.stringify(rows[Math.max(at, 0)])}`
  throw new Error(`"${question.name}" was answered differently: ${names[0]} ${show(a)}; ${names[1]} ${show(b)}`)
}

function cellsOf({ columns, isOrdered }: Question, rows: readonly Row[]): unknown[][] {
  const cells = rows.map((row) => columns.map((name) => plain(name, cellOf(row, name))))
  return isOrdered ? cells : cells.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Of a column, or of the document that the event is stored as. */
function cellOf(row: Row, name: string): unknown {
  if (name in row) return row[name]
  const document = typeof row.data === 'string' ? (JSON.parse(row.data) as Row) : (row.data as Row | undefined)
  return document?.[name]
}

/** A time as seconds, a count as a number, however the store wrote them. */
function plain(name: string, value: unknown): unknown {
  if (name === '_time') return secondsOf(value)
  return /^-?\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : value
}

function secondsOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (value instanceof Date) return value.getTime() / 1_000
  const text = String(value).replace(' ', 'T')
  return Date.parse(text.endsWith('Z') ? text : `${text}Z`) / 1_000
}

/** Figures may differ by a part of the larger one. */
function isSame(a: readonly unknown[][], b: readonly unknown[][], tolerance: number): boolean {
  if (a.length !== b.length) return false
  const isClose = (x: unknown, y: unknown) =>
    typeof x === 'number' && typeof y === 'number' ? Math.abs(x - y) <= tolerance * Math.max(Math.abs(x), Math.abs(y)) : x === y
  return a.every((row, at) => row.length === b[at]?.length && row.every((cell, place) => isClose(cell, b[at]?.[place])))
}
