/**
 * Lists of annotations by time, page by page, in either direction, in time that depends on what is listed and not on how many
 * annotations there are. Those that touch a span of time and began before it are found by how long they are: an index has the
 * durations in classes, so that of each class only those are read which began shortly enough before.
 */
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RecordsDatabase } from '../database/records.ts'
import type { MemberRow } from '../schema/annotations.ts'
import { DURATION_CLASS, DURATION_CLASSES_S } from '../schema/duration-classes.ts'
import type { Tables } from '../schema/tables.ts'
import { fromRow, type ListPosition, MEMBERS, type StoredAnnotation, type StoredFilter } from './annotation-records.ts'

interface ListPage {
  limit: number
  /** The page begins after this annotation, in the order of the list. */
  after?: ListPosition | undefined
  /** By time and then id; ascending by default. */
  order?: 'asc' | 'desc' | undefined
}

type Query = SelectQueryBuilder<Tables, 'annotations', MemberRow>

/** Datasets with fewer annotations are read whole, whatever their time. */
const FEW_MAX = 1_000
const NS_PER_S = 1_000_000_000n
/** A duration is the difference of two times in whole seconds, and so up to this much longer. */
const ROUNDED_NS = 2n * NS_PER_S

export async function listAnnotations(
  db: RecordsDatabase,
  filter: StoredFilter,
  { limit, after, order }: ListPage,
): Promise<StoredAnnotation[]> {
  const hasFew = filter.datasets !== undefined && (await isFew(db, filter.datasets))
  const rows = await listQuery(db, filter, { limit, after, order, hasFew }).execute()
  return rows.map(fromRow)
}

/** @param page `hasFew`: whether the datasets have so few annotations that all of them can be read */
function listQuery(
  db: RecordsDatabase,
  filter: StoredFilter,
  { limit, after, order = 'asc', hasFew }: ListPage & { hasFew: boolean },
) {
  const restrict = (query: Query) => afterPosition(restricted(query, filter, hasFew), after, order)
  const all = db.selectFrom('annotations').select(MEMBERS)
  const { startNs } = filter
  const [first = all, ...others] = startNs === undefined || hasFew ? [touching(all, startNs)] : armsOf(all, startNs)
  const listed = others.reduce((query, arm) => query.unionAll(restrict(arm)), restrict(first))
  return db.selectFrom(listed.as('listed')).selectAll().orderBy('time_ns', order).orderBy('id', order).limit(limit)
}

/** Says it plainly, for few rows. */
function touching(query: Query, startNs: bigint | undefined): Query {
  return startNs === undefined ? query : query.where((at) => at.or([at('until_ns', '>=', startNs), at('is_open', '=', 1n)]))
}

/** The same annotations, each in one of several queries that an index answers: those that begin later, those that go on, and spans by duration. */
function armsOf(query: Query, startNs: bigint): Query[] {
  const isOf = (kind: number): RawBuilder<boolean> => sql`${DURATION_CLASS} = ${sql.lit(kind)}`
  const earlier = query.where('time_ns', '<', startNs)
  const spans = DURATION_CLASSES_S.map((seconds, i) =>
    earlier
      .where(isOf(i + 1))
      .where('until_ns', '>=', startNs)
      .where('time_ns', '>=', startNs - BigInt(seconds) * NS_PER_S - ROUNDED_NS),
  )
  const longest = earlier.where(isOf(DURATION_CLASSES_S.length + 1)).where('until_ns', '>=', startNs)
  const open = earlier.where(sql<boolean>`is_open = 1`)
  return [query.where('time_ns', '>=', startNs), ...spans, longest, open]
}

function restricted(query: Query, { endNs, datasets, verdicts }: StoredFilter, hasFew: boolean): Query {
  let some = query
  if (endNs !== undefined) some = some.where('time_ns', '<=', endNs)
  if (verdicts) some = some.where(sql<string>`coalesce(verdict, '')`, 'in', verdicts)
  if (!datasets) return some
  if (datasets.length === 0) return some.where(sql<boolean>`1 = 0`)
  return some.where((at) => {
    const marked = at.selectFrom('annotation_datasets').select('annotation_id').where('dataset', 'in', datasets)
    return hasFew ? at('annotations.id', 'in', marked) : at.exists(marked.whereRef('annotation_id', '=', 'annotations.id'))
  })
}

function afterPosition(query: Query, after: ListPosition | undefined, order: 'asc' | 'desc'): Query {
  if (!after) return query
  const [beyond, upTo] = order === 'asc' ? (['>', '>='] as const) : (['<', '<='] as const)
  return query
    .where('time_ns', upTo, after.timeNs)
    .where((at) => at.or([at('time_ns', beyond, after.timeNs), at('annotations.id', beyond, after.id)]))
}

async function isFew(db: RecordsDatabase, datasets: readonly string[]): Promise<boolean> {
  if (datasets.length === 0) return true
  const some = db.selectFrom('annotation_datasets').select('annotation_id').where('dataset', 'in', datasets).limit(FEW_MAX)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return BigInt(count) < BigInt(FEW_MAX)
}
