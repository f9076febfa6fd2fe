/**
 * Migrates the records to the version of this program, one migration after the other, under a lock of the database: if several services
 * start at once, one of them migrates. Migrations are only ever added.
 *
 * While services are replaced one after the other, both versions run on the same records, and the older one may be started again, or
 * be gone back to. So each migration says the lowest version whose program can still use the records after it: one that only adds what
 * has a default is `0001-records` like those before it; one that removes or renames something that a program uses names itself.
 */
import { sql } from 'kysely'
import { type MigrateOptions, type MigrationProvider, Migrator } from 'kysely/migration'
import type { RecordsDatabase } from '../records.ts'
import { readSetting, writeLowestVersion } from '../settings-records.ts'
import * as records from './0001-records.ts'
import * as judgements from './0002-judgements.ts'
import * as tags from './0003-tags.ts'
import * as deletedDatasets from './0004-deleted-datasets.ts'
import * as notifiers from './0005-notifiers.ts'
import * as listsByTime from './0006-lists-by-time.ts'
import * as integrationRules from './0007-integration-rules.ts'
import * as seenVersions from './0008-seen-versions.ts'
import * as integrationMapping from './0009-integration-mapping.ts'
import * as reachOfIntegrations from './0010-reach-of-integrations.ts'
import * as outboxBySubject from './0011-outbox-by-subject.ts'
import * as noCopies from './0012-no-copies.ts'
import * as noRowDigests from './0013-no-row-digests.ts'

const MIGRATIONS = {
  '0001-records': records,
  '0002-judgements': judgements,
  '0003-tags': tags,
  '0004-deleted-datasets': deletedDatasets,
  '0005-notifiers': notifiers,
  '0006-lists-by-time': listsByTime,
  '0007-integration-rules': integrationRules,
  '0008-seen-versions': seenVersions,
  '0009-integration-mapping': integrationMapping,
  '0010-reach-of-integrations': reachOfIntegrations,
  '0011-outbox-by-subject': outboxBySubject,
  '0012-no-copies': noCopies,
  '0013-no-row-digests': noRowDigests,
} as const
/** The lowest version whose program can use the records after each migration. */
const LOWEST: Readonly<Record<keyof typeof MIGRATIONS, keyof typeof MIGRATIONS>> = {
  '0001-records': '0001-records',
  '0002-judgements': '0001-records',
  '0003-tags': '0001-records',
  '0004-deleted-datasets': '0001-records',
  '0005-notifiers': '0001-records',
  '0006-lists-by-time': '0001-records',
  '0007-integration-rules': '0001-records',
  '0008-seen-versions': '0001-records',
  '0009-integration-mapping': '0001-records',
  '0010-reach-of-integrations': '0001-records',
  '0011-outbox-by-subject': '0001-records',
  '0012-no-copies': '0001-records',
  '0013-no-row-digests': '0001-records',
}
/** The version of the records that this program writes: the name of its last migration. */
export const RECORDS_VERSION = Object.keys(MIGRATIONS).at(-1) as string
/** The table in which Kysely keeps the names of the completed migrations. */
const MIGRATIONS_TABLE = 'kysely_migration'

/** @throws Error that names the unknown migrations if a newer program wrote the records, and this one cannot use them */
export async function migrate(db: RecordsDatabase, options: MigrateOptions = {}): Promise<void> {
  // What this program needs is there, and the rest is not its business.
  if (await isNewer(db)) return
  const provider: MigrationProvider = { getMigrations: async () => MIGRATIONS }
  const { error } = await new Migrator({ db, provider }).migrateToLatest(options)
  if (error) throw error
  await writeLowestVersion(db, Object.values(LOWEST).sort().at(-1) as string)
}

/** @returns whether a program of ours has made the records */
export async function areMade(db: RecordsDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.some(({ name }) => name === MIGRATIONS_TABLE)
}

/** @returns whether a newer program wrote records that this one can use. @throws Error if it cannot use them */
async function isNewer(db: RecordsDatabase): Promise<boolean> {
  if (!(await areMade(db))) return false
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(db)
  const unknown = rows.filter(({ name }) => !Object.hasOwn(MIGRATIONS, name)).map(({ name }) => name)
  if (unknown.length === 0) return false
  const lowest = (await readSetting(db, 'lowest-version')) ?? String(unknown.at(-1))
  if (lowest <= RECORDS_VERSION) return true
  throw new Error(
    `a newer version wrote the records (it made ${unknown.join(', ')}, and this program knows only ${Object.keys(MIGRATIONS).join(', ')}; it needs ${lowest} at least); use that version, or other records`,
  )
}
