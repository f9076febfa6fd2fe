/**
 * Reads the engine's answer to a plan into columns of JSON text, and the place of each row.
 * Large answers are read a piece at a time, so that other requests get their turn.
 * Deliberately not here: the shape of HTTP answers.
 */
import { setImmediate } from 'node:timers/promises'
import type { Plan, PlanColumn } from '@deployment-annotations/apl/plan'
import type { RowPlace } from '@deployment-annotations/apl/row-id'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { createTaker } from './event-fields.ts'
import { decodeKeys, readArray } from './json-text.ts'

export interface Rows {
  /** A row of fragments of JSON text, in the order of the plan's columns. */
  values: string[][]
  /** The whole event of each row, where the plan has it. */
  events: string[]
  /** Where the rows are, for plans of rows. */
  places: RowPlace[]
  /** How many rows of the dataset matched, where the statement counts them. */
  matched?: number
}

type Readable = Pick<Plan, 'columns'> & { cells?: Plan['cells'] }

/** About 2 ms of work. */
const TURN_CHARS = 200_000

export async function readRows(text: string, { columns, cells = {} }: Readable): Promise<Rows> {
  const rows: Rows = { values: [], events: [], places: [] }
  const take = createTaker(
    columns.flatMap(({ name, cell }, column) => (cell === undefined && cells.data !== undefined ? [{ name, column }] : [])),
  )
  const readers = columns.map(readerOf)
  let turn = TURN_CHARS
  for (let at = text.indexOf('['); at !== -1; ) {
    const { items, end } = readArray(text, at)
    const row = readers.map((read, column) => read(items[columns[column]?.cell ?? -1] ?? 'null'))
    if (cells.data !== undefined) {
      const event = items[cells.data] as string
      take(event, row)
      rows.events.push(event)
    }
    rows.values.push(row)
    if (cells.time !== undefined && cells.row !== undefined) rows.places.push(placeOf(items[cells.time], items[cells.row]))
    if (cells.matched !== undefined && rows.values.length === 1) rows.matched = Number(items[cells.matched])
    at = text.indexOf('[', end)
    if (end > turn) {
      turn = end + TURN_CHARS
      await setImmediate()
    }
  }
  return rows
}

function placeOf(time: string | undefined, row: string | undefined): RowPlace {
  const timeNs = parseTimestamp(time?.slice(1, -1) ?? '')
  if (timeNs === undefined || row === undefined) throw new Error(`the engine gave ${time} and ${row} as the place of a row`)
  return { timeNs, row: BigInt(row) }
}

function readerOf({ type, encoding }: PlanColumn): (cell: string) => string {
  if (encoding === 'json') return readJsonCell
  return type === 'datetime' ? trimTime : decodeKeys
}

/** A string that holds JSON text. What is not JSON (a stored text could look like it) stays a string. */
function readJsonCell(cell: string): string {
  if (!cell.startsWith('"')) return cell
  const text = JSON.parse(cell) as string
  try {
    JSON.parse(text)
  } catch {
    return cell
  }
  return decodeKeys(text)
}

/** `"2026-01-31T12:00:00.120000000Z"` without the zeros that say nothing. */
function trimTime(cell: string): string {
  const dot = cell.indexOf('.')
  if (dot === -1) return cell
  let end = cell.length - 2
  while (cell[end - 1] === '0') end--
  return `${cell.slice(0, end - 1 === dot ? dot : end)}Z"`
}
