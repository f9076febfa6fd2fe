/**
 * The versions that were seen in events of a dataset, and the annotations that were made of them. Each function takes the database to use.
 * Deliberately not here: which of them are new, and what is made of that.
 */
import type { RecordsDatabase } from './records.ts'
import { raiseVersion } from './versions.ts'

/** What has a version: a service in an environment; empty where events say neither. */
export interface VersionPlace {
  service: string
  environment: string
}

export interface SeenVersion extends VersionPlace {
  version: string
  /** Its first event. */
  firstNs: bigint
  /** One of its last events. */
  lastNs: bigint
  /** Since when it is there without having been away. */
  sinceNs: bigint
  /** The id of the annotation that was made of it. */
  annotation?: string
}

/** @returns the versions that were seen in the events of this table */
export async function listSeenVersions(db: RecordsDatabase, table: string): Promise<SeenVersion[]> {
  const rows = await db.selectFrom('seen_versions').selectAll().where('table_name', '=', table).execute()
  return rows.map((row) => ({
    service: row.service,
    environment: row.environment,
    version: row.version,
    firstNs: row.first_ns,
    lastNs: row.last_ns,
    sinceNs: row.since_ns,
    ...(row.annotation !== null && { annotation: row.annotation }),
  }))
}

/** Others who add or change versions wait until the transaction ends, so that none is marked twice. */
export async function lockSeenVersions(db: RecordsDatabase): Promise<void> {
  await raiseVersion(db, 'seen_versions')
}

/** @returns whether it was added, which is not the case if it is there already */
export async function addSeenVersion(db: RecordsDatabase, table: string, seen: SeenVersion): Promise<boolean> {
  const { service, environment, version, firstNs, lastNs, sinceNs } = seen
  const times = { first_ns: firstNs, last_ns: lastNs, since_ns: sinceNs }
  const added = await db
    .insertInto('seen_versions')
    .values({ table_name: table, service, environment, version, ...times, annotation: seen.annotation ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return added !== undefined
}

/** Changes what is known of a version, unless somebody else has said since when it is there. @returns whether it was changed */
export async function changeSeenVersion(
  db: RecordsDatabase,
  table: string,
  before: SeenVersion,
  after: SeenVersion,
): Promise<boolean> {
  const changed = await db
    .updateTable('seen_versions')
    .set({ first_ns: after.firstNs, last_ns: after.lastNs, since_ns: after.sinceNs, annotation: after.annotation ?? null })
    .where('table_name', '=', table)
    .where('service', '=', before.service)
    .where('environment', '=', before.environment)
    .where('version', '=', before.version)
    .where('since_ns', '=', before.sinceNs)
    .returning('version')
    .executeTakeFirst()
  return changed !== undefined
}

/** @returns the annotations that were made of this version of this service from the events of other datasets, since when it was there */
export async function listMarksOf(
  db: RecordsDatabase,
  { service, environment, version }: VersionPlace & { version: string },
): Promise<{ annotation: string; sinceNs: bigint }[]> {
  const rows = await db
    .selectFrom('seen_versions')
    .select(['annotation', 'since_ns'])
    .where('service', '=', service)
    .where('environment', '=', environment)
    .where('version', '=', version)
    .where('annotation', 'is not', null)
    .execute()
  return rows.flatMap(({ annotation, since_ns }) => (annotation === null ? [] : [{ annotation, sinceNs: since_ns }]))
}

/** Nobody has to remember a version whose last event is older. */
export async function forgetSeenVersions(db: RecordsDatabase, table: string, lastNs: bigint): Promise<void> {
  await db.deleteFrom('seen_versions').where('table_name', '=', table).where('last_ns', '<', lastNs).execute()
}
