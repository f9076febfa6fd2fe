/**
 * The versions that were seen in events of a dataset, and the annotations that were made of them. Each function takes the database to use.
 * Deliberately not here: which of them are releases.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { RECORDED_VERSION_CODEC, type RecordedVersion, type SeenVersion } from '../schema/datasets.ts'

export type { RecordedVersion, SeenVersion } from '../schema/datasets.ts'

const { fromRow, toRow, toChange } = RECORDED_VERSION_CODEC

/** A version without events for so long is forgotten. */
const REMEMBERED_NS = 30n * 86_400_000_000_000n

/** @returns the versions that were seen in the events of this table */
export async function listSeenVersions(db: RecordsDatabase, table: string): Promise<RecordedVersion[]> {
  const rows = await db.selectFrom('seen_versions').selectAll().where('table_name', '=', table).execute()
  return rows.map(fromRow)
}

/** @returns whether it was added, which is not the case if it is there already */
export async function addSeenVersion(db: RecordsDatabase, table: string, seen: RecordedVersion): Promise<boolean> {
  const added = await db
    .insertInto('seen_versions')
    .values({ ...toRow(seen), table_name: table, since_ns: seen.firstNs })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return added !== undefined
}

/** Writes when the last event of versions was, and forgets those that are out of use. @param used at least one */
export async function rememberVersions(db: RecordsDatabase, table: string, used: readonly SeenVersion[]): Promise<void> {
  for (const seen of used) await changeSeenVersion(db, table, seen, { lastNs: seen.lastNs })
  const beforeNs = (used[0]?.lastNs ?? 0n) - REMEMBERED_NS
  await db.deleteFrom('seen_versions').where('table_name', '=', table).where('last_ns', '<', beforeNs).execute()
}

/** @returns the id of the annotation that was made of this version in another dataset, where it began so shortly before or after */
export async function findDetected(db: RecordsDatabase, seen: SeenVersion, withinNs: bigint): Promise<string | undefined> {
  const row = await db
    .selectFrom('seen_versions')
    .select('annotation')
    .where(({ and }) => and({ service: seen.service, environment: seen.environment, version: seen.version }))
    .where('first_ns', '>', seen.firstNs - withinNs)
    .where('first_ns', '<', seen.firstNs + withinNs)
    .where('annotation', 'is not', null)
    .executeTakeFirst()
  return row?.annotation ?? undefined
}

export async function changeSeenVersion(
  db: RecordsDatabase,
  table: string,
  { service, environment, version }: SeenVersion,
  members: Parameters<typeof toChange>[0],
): Promise<void> {
  await db
    .updateTable('seen_versions')
    .set(toChange(members))
    .where(({ and }) => and({ table_name: table, service, environment, version }))
    .execute()
}
