/**
 * The answer in the format `legacy`: `matches` for queries of rows; for the others `buckets`, which are groups with their aggregations,
 * by intervals of time and in total.
 */
import type { Plan, PlanColumn } from '@deployment-annotations/apl/sql/plan'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type { LegacyAnswer, LegacyBuckets, LegacyGroup, LegacyInterval } from '@deployment-annotations/contract/query'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import {
  asJson,
  asPieces,
  type JsonPieces,
  type JsonText,
  type KeyTexts,
  listOfBatches,
  objectOf,
  type Piece,
  toJson,
} from './answer-body.ts'
import type { AnsweredQuery, ExecutedQuery } from './execute.ts'
import type { QueryRequest } from './query-request.ts'
import { createRowReader, matchesOf, orderByTime, type Rows } from './rows.ts'
import { namesOf } from './tabular-answer.ts'

type GroupText = JsonText<LegacyGroup>
/** Writes the group of one row. */
type WriteGroup = (row: readonly string[]) => GroupText
/** Groups by their number: the same one in `totals` and in every interval of `series`. */
type GroupIds = Map<string, number>

const GROUP: KeyTexts<LegacyGroup> = { id: '"id":', group: '"group":', aggregations: '"aggregations":' }
const AGGREGATION: KeyTexts<LegacyGroup['aggregations'][number]> = { op: '"op":', value: '"value":' }
const INTERVAL: KeyTexts<LegacyInterval> = { startTime: '"startTime":', endTime: '"endTime":', groups: '"groups":' }

function bucketsOf(plan: Plan, { rows, totals }: ExecutedQuery): JsonPieces<LegacyBuckets> {
  const ids: GroupIds = new Map()
  const all =
    totals && plan.totals
      ? { rows: totals, columns: plan.totals.columns }
      : plan.buckets
        ? undefined
        : { rows, columns: plan.columns }
  return asPieces(
    (async function* () {
      // Groups are numbered as they are in the totals, which come last.
      if (all && plan.buckets) for await (const _ of groupsOf(all.rows, plan, all.columns, ids));
      yield* objectOf<LegacyBuckets>({
        series: seriesOf(rows, plan, ids),
        totals: all ? listOfBatches(groupsOf(all.rows, plan, all.columns, ids)) : toJson([]),
      })
    })(),
  )
}

async function* groupsOf(
  { result }: Rows,
  plan: Plan,
  columns: readonly PlanColumn[],
  ids: GroupIds,
): AsyncGenerator<GroupText[]> {
  const read = createRowReader({ columns })
  const write = createGroupWriter(plan, columns, ids)
  for await (const texts of result.batches()) yield texts.map((text) => write(read(text).values))
}

function createGroupWriter({ groups, buckets }: Plan, columns: readonly PlanColumn[], ids: GroupIds): WriteGroup {
  const isGroup = new Set(groups.map(({ name }) => name))
  const keys = columns.map(({ name }) => JSON.stringify(name))
  const places = columns.map(({ name }, column) => ({ name, column })).filter(({ name }) => name !== buckets?.field)
  const grouped = places.filter(({ name }) => isGroup.has(name)).map(({ column }) => column)
  const measured = places.filter(({ name }) => !isGroup.has(name)).map(({ column }) => column)
  return (row) => {
    const group = `{${grouped.map((column) => `${keys[column]}:${row[column]}`).join(',')}}`
    const id = ids.get(group) ?? ids.size
    ids.set(group, id)
    const aggregations = measured.map((column) => `{${AGGREGATION.op}${keys[column]},${AGGREGATION.value}${row[column]}}`)
    return asJson<LegacyGroup>(`{${GROUP.id}${id},${GROUP.group}${group},${GROUP.aggregations}[${aggregations.join(',')}]}`)
  }
}

function seriesOf(rows: Rows, plan: Plan, ids: GroupIds): JsonPieces<LegacyInterval[]> | JsonText<LegacyInterval[]> {
  const column = plan.columns.findIndex(({ name }) => name === plan.buckets?.field)
  return plan.buckets && column !== -1 ? asPieces(writeSeries({ rows, plan, ids, column })) : toJson([])
}

/** Rows of one interval are beside each other in the order of time. */
async function* writeSeries(series: { rows: Rows; plan: Plan; ids: GroupIds; column: number }): AsyncGenerator<Piece> {
  const { rows, plan, ids, column } = series
  const read = createRowReader(plan)
  const write = createGroupWriter(plan, plan.columns, ids)
  const sizeNs = plan.buckets?.sizeNs ?? 0n
  let current: bigint | undefined
  yield '['
  for await (const texts of rows.result.batches(await orderByTime(rows, plan, column))) {
    for (const text of texts) {
      const { values } = read(text)
      const startNs = parseTimestamp((values[column] as string).slice(1, -1))
      if (startNs === undefined) continue
      if (startNs === current) yield `,${write(values)}`
      else {
        const [from, to] = [startNs, startNs + sizeNs].map((timeNs) => JSON.stringify(formatTimestamp(timeNs)))
        const begin = `{${INTERVAL.startTime}${from},${INTERVAL.endTime}${to},${INTERVAL.groups}[${write(values)}`
        yield current === undefined ? begin : `]},${begin}`
      }
      current = startNs
    }
  }
  yield current === undefined ? ']' : ']}]'
}

export function legacyAnswer({ request, plan, executed, status }: AnsweredQuery): JsonPieces<LegacyAnswer> {
  const ofRows = plan.kind === 'rows'
  return objectOf<LegacyAnswer>({
    format: toJson('legacy'),
    status: toJson(status),
    matches: ofRows ? matchesOf(plan, executed.rows) : toJson([]),
    buckets: ofRows ? toJson({ series: [], totals: [] }) : bucketsOf(plan, executed),
    request: requestOf(request),
    ...namesOf(plan),
  })
}

function requestOf({ members, range }: QueryRequest): JsonText<object> {
  return asJson(stringifyExact({ ...members, startTime: formatTimestamp(range.startNs), endTime: formatTimestamp(range.endNs) }))
}
