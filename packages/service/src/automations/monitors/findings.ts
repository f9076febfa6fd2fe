/**
 * What a monitor finds in the rows of its query.
 *
 * Which value counts: of a query of rows, how many rows match. Of any other, each row's cell in the column that the monitor names, or
 * in the last column of numbers that is not grouped by; cells without a value do not count. MatchEvent wants the rows themselves.
 */
import type { Plan, Statement } from '@deployment-annotations/apl/sql/plan'
import type { ReadResult } from '@deployment-annotations/event-store/reading/reader'
import type { MonitorDefinition } from '@deployment-annotations/records/monitor-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { createRowReader, matchesOf, openRows, readNumber } from '../../query/rows.ts'
import type { FoundValue } from './decision.ts'
import type { FoundEvent } from './span-operations.ts'

export type Findings = { values: readonly FoundValue[] } | { events: readonly FoundEvent[] }

type Wanted = Pick<MonitorDefinition, 'type' | 'columnName' | 'notifyByGroup'>

/** The newest events of a range that are looked at. */
export const EVENTS_MAX = 100
/** A group is part of a title. */
const GROUP_LENGTH_MAX = 200

/** @throws ServiceError `query` where no run could find anything to compare, or any event */
export function requireFindings(plan: Plan, wanted: Wanted): void {
  if (wanted.type === 'MatchEvent') requireRows(plan)
  else requireNumber(plan, wanted)
}

/** @throws ServiceError as a query does */
export async function find(plan: Plan, wanted: Wanted, read: (statement: Statement) => Promise<ReadResult>): Promise<Findings> {
  if (wanted.type === 'MatchEvent') {
    requireRows(plan)
    await using result = await read(plan)
    return { events: await readEvents(result, plan) }
  }
  const column = requireNumber(plan, wanted)
  if (column === -1) {
    await using counted = await read(plan.count)
    return { values: [{ value: await readNumber(counted) }] }
  }
  await using result = await read(plan)
  return { values: await readValues(result, plan, { column, byGroup: wanted.notifyByGroup }) }
}

async function readValues(
  result: ReadResult,
  plan: Plan,
  { column, byGroup }: { column: number; byGroup: boolean },
): Promise<FoundValue[]> {
  const groups = byGroup ? groupColumns(plan) : []
  const readRow = createRowReader(plan, [...groups, column])
  const found: FoundValue[] = []
  for await (const texts of result.batches()) {
    for (const text of texts) {
      const { values } = readRow(text)
      const value: unknown = JSON.parse(values[column] ?? 'null')
      if (typeof value !== 'number') continue
      const group = groups.map((at) => showCell(values[at])).join(', ')
      found.push({ value, ...(groups.length > 0 && { group: group.slice(0, GROUP_LENGTH_MAX) }) })
    }
  }
  return found
}

/** A text without its quotation marks. */
function showCell(json = 'null'): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}

/** Those of a time are bins of it. */
function groupColumns({ columns, groups, buckets }: Plan): number[] {
  return groups.flatMap(({ name }) => {
    const at = columns.findIndex((column) => column.name === name)
    return at === -1 || name === buckets?.field ? [] : [at]
  })
}

async function readEvents(result: ReadResult, plan: Plan): Promise<FoundEvent[]> {
  const pieces: string[] = []
  for await (const piece of matchesOf(plan, await openRows(result, plan))) pieces.push(String(piece))
  const matches = JSON.parse(pieces.join('')) as { _time: string; _rowId: string; data: unknown }[]
  return matches.map(({ _time, _rowId, data }) => ({ place: _rowId, atMs: Date.parse(_time), text: JSON.stringify(data) }))
}

/** @returns the position of the column whose cells are compared; -1 where rows are counted */
function requireNumber({ kind, columns, groups, buckets }: Plan, { columnName }: Wanted): number {
  if (kind === 'rows' && columnName === undefined) return -1
  const grouped = new Set([...groups.map(({ name }) => name), buckets?.field])
  const found = columns.findLastIndex(
    ({ name, type }) => isNumber(type) && (columnName === undefined ? !grouped.has(name) : name === columnName),
  )
  if (found !== -1) return found
  const wanted = columnName === undefined ? 'no column of numbers' : `no column ${JSON.stringify(columnName)} of numbers`
  const there = columns.map(({ name, type }) => `${name} (${type})`).join(', ')
  throw mismatch(`the query returns ${wanted} to compare with the threshold, only ${there}`)
}

function requireRows({ kind }: Plan): void {
  if (kind === 'rows') return
  throw mismatch(
    'a monitor of type MatchEvent marks events, and its query returns none: leave out summarize, distinct, count and join',
  )
}

function mismatch(message: string): ServiceError {
  return new ServiceError('query', message, { detail: { errorType: 'type_mismatch', line: 1, column: 1, message } })
}

/** A timespan is a number of nanoseconds. */
function isNumber(type: string): boolean {
  return type.split('|').some((one) => one === 'integer' || one === 'float' || one === 'timespan')
}
