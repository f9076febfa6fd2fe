/**
 * The answer in the format `tabular`: tables of columns, and for queries of rows the contract's `matches` beside them. The engine gives
 * row after row, and a table is column after column, so each pass over the rows writes some of the columns.
 */

import assert from 'node:assert'
import type { Plan, PlanColumn } from '@deployment-annotations/apl/sql/plan'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { parseExact } from '@deployment-annotations/contract/exact-json'
import type { QueryField, Table, TabularAnswer } from '@deployment-annotations/contract/query'
import { CURSOR_COLUMN, type Value } from '@deployment-annotations/contract/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { asPieces, type JsonPieces, type JsonText, listOf, objectOf, type Piece, toJson } from './answer-body.ts'
import type { AnsweredQuery, ExecutedQuery } from './execute.ts'
import type { QueryRequest } from './query-request.ts'
import { createRowReader, matchesOf, type ReadableRows, type Rows } from './rows.ts'

/** Of one answer's columns that wait for their turn. */
const HELD_BYTES_MAX = 12_582_912
/** Of all answers': when many are sent at a time, to readers that are slow, each needs more passes and no more memory. */
const ALL_HELD_BYTES_MAX = 4 * HELD_BYTES_MAX
let allHeldBytes = 0

/** @param order of the rows; by default as they came */
function columnsOf(rows: Rows, plan: ReadableRows, order?: Uint32Array): JsonPieces<Value[][]> {
  return asPieces(writeColumns(rows, plan, order))
}

async function* writeColumns({ result }: Rows, plan: ReadableRows, order?: Uint32Array): AsyncGenerator<Piece> {
  const { length } = plan.columns
  let separator = '['
  for (let first = 0; first < length; ) {
    using held = new HeldColumns(first + 1, length)
    let read = createRowReader(plan, range(first, held.end))
    yield `${separator}[`
    separator = ''
    for await (const texts of result.batches(order)) {
      const rows = texts.map((text) => read(text).values)
      yield separator + rows.map((row) => row[first]).join(',')
      separator = ','
      if (held.add(rows)) read = createRowReader(plan, range(first, held.end))
    }
    yield ']'
    yield* held.write()
    separator = ','
    first = held.end
  }
  yield length === 0 ? '[]' : ']'
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

interface Column {
  bytes: Buffer
  length: number
}

/** Neighboring columns as bytes, given up from the last one on when they become too many. */
class HeldColumns implements Disposable {
  readonly #first: number
  readonly #columns: Column[]
  #bytes = 0

  constructor(first: number, end: number) {
    this.#first = first
    this.#columns = range(first, end).map(() => ({ bytes: Buffer.alloc(0), length: 0 }))
  }

  /** The first column that is not held. */
  get end(): number {
    return this.#first + this.#columns.length
  }

  /** @returns whether columns were given up */
  add(rows: readonly string[][]): boolean {
    const { length } = this.#columns
    for (const [at, column] of this.#columns.entries()) {
      this.#count(append(column, rows.map((row) => `,${row[this.#first + at]}`).join('')))
    }
    while (this.#columns.length > 0 && (this.#bytes > HELD_BYTES_MAX || allHeldBytes > ALL_HELD_BYTES_MAX)) {
      this.#count(-(this.#columns.pop()?.bytes.length ?? 0))
    }
    return this.#columns.length < length
  }

  *write(): Generator<Piece> {
    for (const column of this.#columns) {
      yield ',['
      // Without the comma before the first.
      yield column.bytes.subarray(1, column.length)
      yield ']'
    }
  }

  [Symbol.dispose](): void {
    this.#count(-this.#bytes)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    allHeldBytes += bytes
  }
}

/** @returns by how much the column's bytes have grown */
function append(column: Column, text: string): number {
  const before = column.bytes.length
  const needed = column.length + Buffer.byteLength(text)
  if (needed > before) {
    // By half as much again: twice would leave a third of the room unused.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.ceil(before * 1.5)))
    column.bytes.copy(larger, 0, 0, column.length)
    column.bytes = larger
  }
  column.length += column.bytes.write(text, column.length)
  return column.bytes.length - before
}

interface TabularShape {
  /** Whether the rows are left out as events. */
  bare: boolean
  /** Whether fields have the members that only this service has. */
  wantsAll: boolean
}

export function tabularAnswer(
  { request, plan, executed, status }: AnsweredQuery,
  { bare, wantsAll }: TabularShape,
): JsonPieces<TabularAnswer> {
  const shown = wantsAll ? plan : { ...plan, columns: plan.columns.map(withoutUnit) }
  const tables = [tableOf('0', request, request.includeCursorField ? withCursors(shown) : shown, executed)]
  if (plan.totals && executed.totals) {
    const { buckets: _bins, ...rest } = plan
    const columns = wantsAll ? plan.totals.columns : plan.totals.columns.map(withoutUnit)
    tables.push(tableOf('_totals', request, { ...rest, cells: {}, columns }, { rows: executed.totals }))
  }
  return objectOf<TabularAnswer>({
    format: toJson('tabular'),
    status: toJson(status),
    tables: listOf(tables),
    ...(plan.kind === 'rows' && !bare && { matches: matchesOf(plan, executed.rows) }),
    ...namesOf(plan),
  })
}

/** The column of cursors is the last one; where rows are computed there is none, and a column of that name stays as it is. */
function withCursors<P extends Plan>(plan: P): P {
  const { columns, cells } = plan
  if (cells.time === undefined || columns.some(({ name }) => name === CURSOR_COLUMN)) return plan
  return { ...plan, columns: [...columns, { name: CURSOR_COLUMN, type: 'string', isCursor: true }] }
}

/** @returns the members that both formats end with */
export function namesOf({ datasets }: Plan): Names {
  return { datasetNames: toJson(datasets), fieldsMetaMap: toJson(Object.fromEntries(datasets.map((name) => [name, []]))) }
}

interface Names {
  datasetNames: JsonText<TabularAnswer['datasetNames']>
  fieldsMetaMap: JsonText<TabularAnswer['fieldsMetaMap']>
}

type RowsInOrder = Pick<ExecutedQuery, 'rows' | 'order'>

function tableOf(name: string, request: QueryRequest, plan: Plan, { rows, order }: RowsInOrder): JsonPieces<Table> {
  const head = Object.entries(headOf(name, request, plan)).map(([member, value]) => [member, toJson(value)])
  return objectOf<Table>({ ...(Object.fromEntries(head) as HeadTexts), columns: columnsOf(rows, plan, order) })
}

/** A table without its columns. */
type Head = Omit<Table, 'columns'>
type HeadTexts = { [Member in keyof Head]: JsonText<Head[Member]> }

function headOf(name: string, { range }: QueryRequest, { columns, datasets, order, groups, buckets }: Plan): Head {
  const names = new Set(columns.map((column) => column.name))
  return {
    name,
    sources: datasets.map((source) => ({ name: source })),
    fields: columns.map(fieldOf),
    order: order.filter(({ field }) => name === '0' || names.has(field)),
    groups: groups.filter(({ name: group }) => name === '0' || names.has(group)),
    range: { field: '_time', start: formatTimestamp(range.startNs), end: formatTimestamp(range.endNs) },
    ...(buckets && { buckets: { field: buckets.field, size: Number(buckets.sizeNs) } }),
  }
}

/** A table whose cells are values: integers that a number cannot hold are bigint. */
export interface TableOfValues extends Omit<Head, 'name'> {
  columns: unknown[][]
}

/** @returns the rows of the plan as one table, for a reader in this process: only the engine's text is read */
export async function readTable(request: QueryRequest, plan: Plan, { rows, order }: RowsInOrder): Promise<TableOfValues> {
  const columns: unknown[][] = plan.columns.map(() => [])
  const read = createRowReader(plan)
  for await (const texts of rows.result.batches(order)) {
    for (const text of texts) {
      const values = parseExact(`[${read(text).values.join(',')}]`) as unknown[]
      assert(values.length === columns.length, `a row has ${values.length} cells in ${columns.length} columns`)
      for (const [at, column] of columns.entries()) column.push(values[at])
    }
  }
  return { ...headOf('0', request, plan), columns }
}

function withoutUnit({ unit: _own, ...column }: PlanColumn): PlanColumn {
  return column
}

function fieldOf({ name, type, unit, agg }: PlanColumn): QueryField {
  const shown = agg && { name: agg.name, fields: [...agg.fields], ...(agg.args && { args: [...agg.args] }) }
  return dropUndefined({ name, type, unit, agg: shown })
}
