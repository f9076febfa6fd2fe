/**
 * The rows of a plan as fragments of JSON text, read from the engine's answer as they are wanted; and as events, `{_time, _sysTime,
 * _rowId, data}`, with `data` nested as it was sent.
 */
import type { Plan, PlanColumn } from '@deployment-annotations/apl/sql/plan'
import { formatRowId, type RowPlace } from '@deployment-annotations/apl/sql/row-id'
import type { Match } from '@deployment-annotations/contract/query'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { enginePath } from '@deployment-annotations/event-store/fields/field'
import type { ResultRows } from '@deployment-annotations/event-store/reading/result-rows'
import { asJson, type JsonPieces, type JsonText, type KeyTexts, listOfBatches } from './answer-body.ts'
import { createNester, createTaker, decodeKeys, readArray, wholeEvent, withRest } from './json-text.ts'

export interface Rows {
  result: ResultRows
  count: number
  /** The first and the last of the page in time, whatever its order, for plans of rows. */
  oldest?: RowPlace
  newest?: RowPlace
  /** How many rows of the dataset matched, where the statement counts them. */
  matched?: number
}

interface Row {
  /** Fragments of JSON text by the plan's columns; those that were not wanted are missing. */
  values: string[]
  /** The cells as the engine wrote them. */
  cells: readonly string[]
}

/** A column of the plan, or that of each row's cursor, which comes from the place of the row. */
type ReadableColumn = PlanColumn & { readonly isCursor?: true }

/** What has columns and rows: a plan, and the totals of one. */
export interface ReadableRows {
  columns: readonly ReadableColumn[]
  cells?: Plan['cells']
}

/** Looks at what each row begins with. */
export async function openRows(result: ResultRows, { cells: { time, row, matched } = {} }: ReadableRows): Promise<Rows> {
  const rows: Rows = { result, count: result.count }
  const first = matched === undefined ? undefined : await result.first()
  if (first !== undefined && matched !== undefined) rows.matched = Number(readArray(first, 0).items[matched])
  if (time === undefined || row === undefined) return rows
  const itemsMax = Math.max(time, row) + 1
  for await (const texts of result.batches()) {
    for (const text of texts) {
      const place = placeOf(readArray(text, 0, itemsMax).items, { time, row })
      if (!rows.oldest || isBefore(place, rows.oldest)) rows.oldest = place
      if (!rows.newest || isBefore(rows.newest, place)) rows.newest = place
    }
  }
  return rows
}

/**
 * @param wanted positions of the columns that are read; by default all
 * @returns a function that reads one row
 */
export function createRowReader(
  { columns, cells = {} }: ReadableRows,
  wanted = columns.map((_, column) => column),
): (text: string) => Row {
  const { data } = cells
  const ofEvent =
    data === undefined ? [] : wanted.filter((column) => columns[column]?.cell === undefined && !columns[column]?.isCursor)
  const take = createTaker(ofEvent.map((column) => ({ name: columns[column]?.name as string, column })))
  const readers = wanted.map((column) => {
    const known = columns[column] as ReadableColumn
    return { column, cell: known.cell ?? -1, read: readerOf(known), isCursor: known.isCursor }
  })
  return (text) => {
    const { items } = readArray(text, 0)
    const values: string[] = []
    for (const { column, cell, read, isCursor } of readers) {
      values[column] = isCursor ? `"${formatRowId(placeOf(items, cells))}"` : read(items[cell] ?? 'null')
    }
    if (data !== undefined && ofEvent.length > 0) take(wholeEvent(items[data] as string), values)
    return { values, cells: items }
  }
}

/** @returns all cells of a column */
export async function readColumn(result: ResultRows, plan: ReadableRows, column: number): Promise<string[]> {
  const read = createRowReader(plan, [column])
  const cells: string[] = []
  for await (const texts of result.batches()) for (const text of texts) cells.push(read(text).values[column] as string)
  return cells
}

/** @returns the cells of the only row, without quotation marks */
async function readCells(result: ResultRows): Promise<string[]> {
  const { items } = readArray((await result.first()) ?? '[]', 0)
  return items.map((item) => item.replace(/^"|"$/g, ''))
}

/** @returns the same of what is being read, which nobody needs afterwards */
export async function readCellsOf(reading: Promise<ResultRows>): Promise<string[]> {
  await using result = await reading
  return await readCells(result)
}

/** @returns the only cell of the only row, which is a number */
export async function readNumber(result: ResultRows): Promise<number> {
  return Number((await readCells(result))[0])
}

/** @returns the order in which the times of a column rise; `undefined` where they do so already */
export async function orderByTime({ result }: Rows, plan: ReadableRows, column: number): Promise<Uint32Array | undefined> {
  const times = BigInt64Array.from(await readColumn(result, plan, column), (cell) => parseTimestamp(cell.slice(1, -1)) ?? 0n)
  if (times.every((time, row) => row === 0 || (times[row - 1] as bigint) <= time)) return undefined
  const timeOf = (row: number) => times[row] as bigint
  return Uint32Array.from(times.keys()).sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : a - b))
}

function isBefore(a: RowPlace, b: RowPlace): boolean {
  return a.timeNs < b.timeNs || (a.timeNs === b.timeNs && a.row < b.row)
}

/** @returns where a row of events is */
function placeOf(cells: readonly string[], { time = -1, row = -1 }: Plan['cells']): RowPlace {
  const [timeText, rowText] = [cells[time], cells[row]]
  const timeNs = parseTimestamp(timeText?.slice(1, -1) ?? '')
  if (timeNs === undefined || rowText === undefined)
    throw new Error(`the engine gave ${timeText} and ${rowText} as the place of a row`)
  return { timeNs, row: BigInt(rowText) }
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

const SYSTEM_COLUMNS = new Set(['_time', '_sysTime'])

const KEYS: KeyTexts<Match> = { _time: '"_time":', _sysTime: '"_sysTime":', _rowId: '"_rowId":', data: '"data":' }

export function matchesOf(plan: Plan, rows: Rows): JsonPieces<Match[]> {
  return listOfBatches(writeMatches(plan, rows))
}

async function* writeMatches(plan: Plan, { result }: Rows): AsyncGenerator<JsonText<Match>[]> {
  const { columns, cells, hidden, wholeEvents } = plan
  const sysTime = columns.findIndex(({ name }) => name === '_sysTime')
  const dataColumns = columns.flatMap(({ name }, column) => (SYSTEM_COLUMNS.has(name) ? [] : [{ name, column }]))
  const nest = createNester(dataColumns)
  const shown = new Set([...columns.map(({ name }) => name), ...(hidden ?? [])].map(enginePath))
  const read = createRowReader(plan, wholeEvents ? [sysTime].filter((column) => column !== -1) : undefined)
  const write = (row: Row): JsonText<Match> => {
    const place = placeOf(row.cells, cells)
    const received = row.values[sysTime] ?? 'null'
    const event = row.cells[cells.data ?? -1] ?? '{}'
    const data = wholeEvents ? decodeKeys(wholeEvent(event)) : withRest(nest(row.values), event, shown)
    const sysTimeMember = received === 'null' ? '' : `${KEYS._sysTime}${received},`
    const time = formatTimestamp(place.timeNs)
    return asJson(`{${KEYS._time}"${time}",${sysTimeMember}${KEYS._rowId}"${formatRowId(place)}",${KEYS.data}${data}}`)
  }
  for await (const texts of result.batches()) yield texts.map((text) => write(read(text)))
}
