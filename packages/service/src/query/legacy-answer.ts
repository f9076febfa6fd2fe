/**
 * The answer in the format `legacy`: `matches` for queries of rows, `buckets` for the others, and the request as understood.
 */

import type { Plan, PlanColumn } from '@deployment-annotations/apl/plan'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Executed } from './execute.ts'
import { matchesOf } from './matches.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'
import { namesOf } from './tabular-answer.ts'

/** @returns JSON text */
export async function legacyAnswer(request: QueryRequest, plan: Plan, executed: Executed, status: object): Promise<string> {
  const matches = plan.kind === 'rows' ? await matchesOf(plan, executed.rows) : '[]'
  const buckets = plan.kind === 'rows' ? '{"series":[],"totals":[]}' : bucketsOf(plan, executed)
  return `{"format":"legacy","status":${JSON.stringify(status)},"matches":${matches},"buckets":${buckets},"request":${requestOf(request)},${namesOf(plan)}}`
}

function requestOf({ members, range }: QueryRequest): string {
  return stringifyExact({ ...members, startTime: formatTimestamp(range.startNs), endTime: formatTimestamp(range.endNs) })
}

/** Groups have the same id in `totals` and in every interval of `series`. */
function bucketsOf(plan: Plan, { rows, totals }: Executed): string {
  const ids = new Map<string, number>()
  const write = createGroupWriter(plan, ids)
  const all = totals ? write(plan.totals?.columns ?? [], totals) : plan.buckets ? [] : write(plan.columns, rows)
  return `{"series":[${seriesOf(plan, rows, write).join(',')}],"totals":[${all.join(',')}]}`
}

type WriteGroups = (columns: readonly PlanColumn[], rows: Rows) => string[]

function createGroupWriter({ groups, buckets }: Plan, ids: Map<string, number>): WriteGroups {
  const isGroup = new Set(groups.map(({ name }) => name))
  return (columns, { values }) => {
    const keys = columns.map(({ name }) => JSON.stringify(name))
    const places = columns.map(({ name }, column) => ({ name, column })).filter(({ name }) => name !== buckets?.field)
    const grouped = places.filter(({ name }) => isGroup.has(name)).map(({ column }) => column)
    const measured = places.filter(({ name }) => !isGroup.has(name)).map(({ column }) => column)
    return values.map((row) => {
      const group = `{${grouped.map((column) => `${keys[column]}:${row[column]}`).join(',')}}`
      const id = ids.get(group) ?? ids.size
      ids.set(group, id)
      return `{"id":${id},"group":${group},"aggregations":[${measured.map((column) => `{"op":${keys[column]},"value":${row[column]}}`).join(',')}]}`
    })
  }
}

function seriesOf({ columns, buckets }: Plan, rows: Rows, write: WriteGroups): string[] {
  const at = columns.findIndex(({ name }) => name === buckets?.field)
  if (!buckets || at === -1) return []
  const written = write(columns, rows)
  const intervals = new Map<bigint, string[]>()
  for (const [index, row] of rows.values.entries()) {
    const startNs = parseTimestamp((row[at] as string).slice(1, -1))
    if (startNs === undefined) continue
    const interval = intervals.get(startNs)
    if (interval) interval.push(written[index] as string)
    else intervals.set(startNs, [written[index] as string])
  }
  return [...intervals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([startNs, groups]) => {
      const [start, end] = [formatTimestamp(startNs), formatTimestamp(startNs + buckets.sizeNs)]
      return `{"startTime":"${start}","endTime":"${end}","groups":[${groups.join(',')}]}`
    })
}
