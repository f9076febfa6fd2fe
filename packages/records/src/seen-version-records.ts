/**
 * The versions that were seen in events of a dataset, and the annotations that were made of them. Each function takes the database to use.
 * Deliberately not here: which of them are releases.
 */
import type { RecordsDatabase } from './records.ts'
import { raiseVersion } from './versions.ts'

export interface SeenVersion {
  /** Empty where events say none, as the next one is. */
  service: string
  environment: string
  version: string
  /** Its first event. */
  firstNs: bigint
  /** Its last event, or one of its last day. */
  lastNs: bigint
}

export interface RecordedVersion extends SeenVersion {
  /** The id of the annotation that was made of it. */
  annotation?: string
}

/** A version without events for so long is forgotten. */
const REMEMBERED_NS = 30n * 86_400_000_000_000n

/** @returns the versions that were seen in the events of this table */
export async function listSeenVersions(db: RecordsDatabase, table: string): Promise<RecordedVersion[]> {
  const rows = await db.selectFrom('seen_versions').selectAll().where('table_name', '=', table).execute()
  return rows.map(({ service, environment, version, ...row }) => ({
    service,
    environment,
    version,
    firstNs: row.first_ns,
    lastNs: row.last_ns,
    ...(row.annotation !== null && { annotation: row.annotation }),
  }))
}

/** Others who add or change versions wait until the transaction ends, so that each is one release. */
export async function lockSeenVersions(db: RecordsDatabase): Promise<void> {
  await raiseVersion(db, 'seen_versions')
}

/** @returns whether it was added, which is not the case if it is there already */
export async function addSeenVersion(db: RecordsDatabase, table: string, seen: RecordedVersion): Promise<boolean> {
  const { service, environment, version, firstNs, lastNs, annotation = null } = seen
  const added = await db
    .insertInto('seen_versions')
    .values({
      table_name: table,
      service,
      environment,
      version,
      first_ns: firstNs,
      last_ns: lastNs,
      since_ns: firstNs,
      annotation,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return added !== undefined
}

/** Writes when the last event of versions was, and forgets those that are out of use. @param used at least one */
export async function rememberVersions(db: RecordsDatabase, table: string, used: readonly SeenVersion[]): Promise<void> {
  for (const seen of used) await change(db, table, seen, { last_ns: seen.lastNs })
  const beforeNs = (used[0]?.lastNs ?? 0n) - REMEMBERED_NS
  await db.deleteFrom('seen_versions').where('table_name', '=', table).where('last_ns', '<', beforeNs).execute()
}

/** The annotation is not of this version any more. */
export async function withdrawDetected(db: RecordsDatabase, table: string, seen: SeenVersion): Promise<void> {
  await change(db, table, seen, { annotation: null })
}

/** @returns the id of the annotation that was made of this version in another dataset, where it began so shortly before or after */
export async function findDetected(db: RecordsDatabase, seen: SeenVersion, withinNs: bigint): Promise<string | undefined> {
  const row = await db
    .selectFrom('seen_versions')
    .select('annotation')
    .where('service', '=', seen.service)
    .where('environment', '=', seen.environment)
    .where('version', '=', seen.version)
    .where('first_ns', '>', seen.firstNs - withinNs)
    .where('first_ns', '<', seen.firstNs + withinNs)
    .where('annotation', 'is not', null)
    .executeTakeFirst()
  return row?.annotation ?? undefined
}

async function change(
  db: RecordsDatabase,
  table: string,
  { service, environment, version }: SeenVersion,
  members: { last_ns: bigint } | { annotation: null },
): Promise<void> {
  await db
    .updateTable('seen_versions')
    .set(members)
    .where('table_name', '=', table)
    .where('service', '=', service)
    .where('environment', '=', environment)
    .where('version', '=', version)
    .execute()
}
