/**
 * Records as sources of queries: `['_annotations']` and `['_monitors']`. They are in another database than events, so their rows are
 * read first and given to the statement.
 */
import { hash } from 'node:crypto'
import type { GivenRows } from '@deployment-annotations/apl/compile'
import type { Plan } from '@deployment-annotations/apl/sql/plan'
import type { Permission } from '@deployment-annotations/contract/permission'
import type { Members, Schema } from '@deployment-annotations/contract/schema'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { QueryRange } from './query-request.ts'

type Range = Pick<QueryRange, 'startNs' | 'endNs'>

/** A value as its column wants it: times are nanoseconds. */
type Cell = string | number | bigint | boolean | readonly string[] | undefined

/** Which rows of a source a query may read. */
export interface AskedRows {
  range: Range
  /** The only datasets that its caller reaches: rows of others are not there. `undefined`: all. */
  limit: readonly string[] | undefined
  /** Whether it may read the events of a dataset: what is known of them is shown to no other. */
  mayQuery: (dataset: string) => boolean
}

export interface SourceRow {
  timeNs: bigint
  /** Makes the row itself: its place among rows of one time stays, whatever rows come and go. */
  id: string
  /** In the order of the columns. */
  cells: readonly Cell[]
}

export interface RecordSource {
  /** Begins with `_`, as no name of a dataset can. */
  name: `_${string}`
  /** What the rows are, for messages. */
  plural: string
  /** What a token must be allowed to do to read it: what the route asks for that lists the same. */
  permission: Permission
  columns: GivenRows['columns']
  /** @returns pages of the rows that a query of this range reads */
  read(asked: AskedRows): AsyncIterable<readonly SourceRow[]>
}

/** @returns the source as the query compiler wants it */
const TYPES = { string: 'string', boolean: 'boolean', integer: 'integer', number: 'float', array: 'array' } as const

type Columns = Map<string, (typeof TYPES)[keyof typeof TYPES] | 'datetime'>

/** @returns the members by the alphabet, those of a member `state` as `state.…`; a list of objects is no value, and is left out */
export function columnsOf(members: Members): Columns {
  const list = (some: Members, within = ''): [string, Schema][] =>
    Object.entries(some).flatMap(([name, schema]) =>
      schema.properties ? list(schema.properties as Members, `${name}.`) : [[within + name, schema]],
    )
  const values = list(members).filter(([, { items }]) => !(items as Schema | undefined)?.properties)
  const columns = values.map(([name, { type, format }]) => {
    return [name, format === 'date-time' ? 'datetime' : TYPES[type as keyof typeof TYPES]] as const
  })
  return new Map(columns.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @param resource as it is answered */
export function cellsOf(columns: Columns, resource: object): Cell[] {
  const within = (value: unknown, name: string): unknown => (value as Readonly<Record<string, unknown>> | undefined)?.[name]
  return [...columns].map(([name, type]) => {
    const value = name.split('.').reduce(within, resource as unknown) as Exclude<Cell, bigint>
    return type === 'datetime' && typeof value === 'string' ? parseTimestamp(value) : value
  })
}

export function givenRowsOf({ name, columns }: RecordSource): GivenRows {
  return { name, constant: `given${name}`, columns }
}

/** @throws ServiceError `forbidden` for a source that the caller may not read */
export function requireReadable(sources: readonly RecordSource[], datasets: readonly string[], caller: Caller): void {
  for (const { name, permission } of readBy(sources, datasets)) caller.require(permission, `to query ['${name}']`)
}

const readBy = (sources: readonly RecordSource[], datasets: readonly string[]) =>
  sources.filter(({ name }) => datasets.includes(name))

/**
 * @returns the plan, its statements with the rows of the sources that it reads
 * @throws ServiceError `query_too_large`; errors of the records
 */
export async function withRecords(plan: Plan, sources: readonly RecordSource[], asked: AskedRows): Promise<Plan> {
  const read = readBy(sources, plan.datasets)
  if (read.length === 0) return plan
  const constants: Record<string, Buffer> = {}
  for (const source of read) constants[givenRowsOf(source).constant] = await readRows(source, asked)
  const { count, totals } = plan
  return { ...plan, constants, count: { ...count, constants }, ...(totals && { totals: { ...totals, constants } }) }
}

/** Rows of one source that one query reads at most: the engine takes about 0.3 s for them. */
export const SOURCE_ROWS_MAX = 10_000
/** Of their text, where they are long: every statement of the query carries all of it. */
const SOURCE_BYTES_MAX = 8_388_608

async function readRows(source: RecordSource, asked: AskedRows): Promise<Buffer> {
  const texts: string[] = []
  let bytes = 0
  let sliceFrom = performance.now()
  for await (const page of source.read(asked)) {
    for (const row of page) {
      const text = writeRow(row)
      bytes += Buffer.byteLength(text)
      if (texts.push(text) > SOURCE_ROWS_MAX || bytes > SOURCE_BYTES_MAX) throw tooMany(source, bytes)
      sliceFrom = await endSlice(sliceFrom)
    }
  }
  return Buffer.from(`[${texts.join(',')}]`)
}

function tooMany({ name, plural }: RecordSource, bytes: number): ServiceError {
  const most = bytes > SOURCE_BYTES_MAX ? `${SOURCE_BYTES_MAX / 1_048_576} MiB of ${plural}` : `${SOURCE_ROWS_MAX} ${plural}`
  return new ServiceError('query_too_large', `['${name}'] has more than ${most} in the time of the query; ask for a shorter time`)
}

function writeRow({ timeNs, id, cells }: SourceRow): string {
  return `[${timeNs},${hash('sha256', id, 'buffer').readBigUInt64BE()},${cells.map(writeCell).join(',')}]`
}

function writeCell(cell: Cell): string {
  return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell ?? null)
}
