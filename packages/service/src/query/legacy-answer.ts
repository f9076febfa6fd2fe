/**
 * The answer in the format `legacy`: `matches` for queries of rows, `buckets` for the others, and the request as understood.
 */

import type { Plan, PlanColumn } from '@deployment-annotations/apl/plan'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type {
  LegacyAnswer,
  LegacyBuckets,
  LegacyGroup,
  LegacyInterval,
  QueryStatus,
} from '@deployment-annotations/contract/query'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { asJson, type JsonText, type KeyTexts, listOf, objectOf, toJson } from './answer-text.ts'
import type { Executed } from './execute.ts'
import { matchesOf } from './matches.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'
import { namesOf } from './tabular-answer.ts'

export async function legacyAnswer(
  request: QueryRequest,
  plan: Plan,
  executed: Executed,
  status: QueryStatus,
): Promise<JsonText<LegacyAnswer>> {
  const ofRows = plan.kind === 'rows'
  return objectOf<LegacyAnswer>({
    format: toJson('legacy'),
    status: toJson(status),
    matches: ofRows ? await matchesOf(plan, executed.rows) : toJson([]),
    buckets: ofRows ? toJson({ series: [], totals: [] }) : bucketsOf(plan, executed),
    request: requestOf(request),
    ...namesOf(plan),
  })
}

function requestOf({ members, range }: QueryRequest): JsonText<object> {
  return asJson(stringifyExact({ ...members, startTime: formatTimestamp(range.startNs), endTime: formatTimestamp(range.endNs) }))
}

/** Groups have the same id in `totals` and in every interval of `series`. */
function bucketsOf(plan: Plan, { rows, totals }: Executed): JsonText<LegacyBuckets> {
  const ids = new Map<string, number>()
  const write = createGroupWriter(plan, ids)
  const all = totals ? write(plan.totals?.columns ?? [], totals) : plan.buckets ? [] : write(plan.columns, rows)
  return objectOf<LegacyBuckets>({ series: listOf(seriesOf(plan, rows, write)), totals: listOf(all) })
}

type GroupText = JsonText<LegacyGroup>
type WriteGroups = (columns: readonly PlanColumn[], rows: Rows) => GroupText[]

const GROUP: KeyTexts<LegacyGroup> = { id: '"id":', group: '"group":', aggregations: '"aggregations":' }
const AGGREGATION: KeyTexts<LegacyGroup['aggregations'][number]> = { op: '"op":', value: '"value":' }

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
      const aggregations = measured.map((column) => `{${AGGREGATION.op}${keys[column]},${AGGREGATION.value}${row[column]}}`)
      return asJson<LegacyGroup>(`{${GROUP.id}${id},${GROUP.group}${group},${GROUP.aggregations}[${aggregations.join(',')}]}`)
    })
  }
}

function seriesOf({ columns, buckets }: Plan, rows: Rows, write: WriteGroups): JsonText<LegacyInterval>[] {
  const at = columns.findIndex(({ name }) => name === buckets?.field)
  if (!buckets || at === -1) return []
  const written = write(columns, rows)
  const intervals = new Map<bigint, GroupText[]>()
  for (const [index, row] of rows.values.entries()) {
    const startNs = parseTimestamp((row[at] as string).slice(1, -1))
    if (startNs === undefined) continue
    const interval = intervals.get(startNs)
    if (interval) interval.push(written[index] as GroupText)
    else intervals.set(startNs, [written[index] as GroupText])
  }
  return [...intervals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([startNs, groups]) =>
      objectOf<LegacyInterval>({
        startTime: toJson(formatTimestamp(startNs)),
        endTime: toJson(formatTimestamp(startNs + buckets.sizeNs)),
        groups: listOf(groups),
      }),
    )
}
