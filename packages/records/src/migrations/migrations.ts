/**
 * Migrates the records to the version of this program, one migration after the other, under a lock of the database: if several services
 * start at once, one of them migrates. Migrations are only ever added.
 *
 * While services are replaced one after the other, both versions run on the same records, and the older one may be started again, or
 * be gone back to. So `LOWEST_VERSION` says which programs can still use the records: a migration that only adds what has a default leaves
 * it as it is; one that removes or renames something that a program uses sets it to itself.
 */
import { sql } from 'kysely'
import { type MigrateOptions, type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { insertRows, RECORD_TABLES, TABLES_NOT_MOVED } from '../database/all-records.ts'
import type { RecordsDatabase } from '../database/records.ts'
import { readSetting, writeSetting } from '../database/settings-records.ts'
import * as records from './0001-records.ts'
import * as judgements from './0002-judgements.ts'
import * as deletedDatasets from './0004-deleted-datasets.ts'
import * as notifiers from './0005-notifiers.ts'
import * as listsByTime from './0006-lists-by-time.ts'
import * as seenVersions from './0008-seen-versions.ts'
import * as noCopies from './0012-no-copies.ts'
import * as noRowDigests from './0013-no-row-digests.ts'
import * as standardNames from './0014-standard-names.ts'
import { addColumns, createIndex, optionalTexts, textsBy } from './columns.ts'

/** What takes more than a line has a file of its own. */
const MIGRATIONS = {
  '0001-records': records,
  '0002-judgements': judgements,
  /** What people say of where an annotation belongs: its service, environment, version and tags, as JSON. */
  '0003-tags': { up: ({ schema }) => addColumns(schema, 'annotations', optionalTexts('tags')) },
  '0004-deleted-datasets': deletedDatasets,
  '0005-notifiers': notifiers,
  '0006-lists-by-time': listsByTime,
  /** The rules by which one integration marks deployments on several datasets, as JSON. */
  '0007-integration-rules': { up: ({ schema }) => addColumns(schema, 'integrations', textsBy('[]')('rules')) },
  '0008-seen-versions': seenVersions,
  /** How an integration reads other bodies than our own, as JSON. */
  '0009-integration-mapping': { up: ({ schema }) => addColumns(schema, 'integrations', optionalTexts('mapping')) },
  /** The datasets that the token reaches which said where an integration marks, as JSON; null: all, and those of earlier versions. */
  '0010-reach-of-integrations': { up: ({ schema }) => addColumns(schema, 'integrations', optionalTexts('reach')) },
  /**
   * The messages of a notifier about one subject, in order: whether one is the first that waits is asked for each message at each look, and
   * a notifier may have a thousand of them.
   */
  '0011-outbox-by-subject': {
    up: ({ schema }) => createIndex(schema, 'outbox_by_subject', 'notifier', 'subject', 'state', 'seq'),
  },
  '0012-no-copies': noCopies,
  '0013-no-row-digests': noRowDigests,
  '0014-standard-names': standardNames,
  /** The fields of a dataset that get a column or an index because somebody named them. */
  '0015-indexed-fields': { up: ({ schema }) => addColumns(schema, 'datasets', textsBy('[]')('indexed_fields')) },
  /** Whether a dataset reads the time of events from `_time` alone. */
  '0016-strict-time': { up: ({ schema }) => addColumns(schema, 'datasets', textsBy('false')('strict_time')) },
} satisfies Record<string, Migration>
/** The lowest version whose program can use the records after the last migration. */
const LOWEST_VERSION: keyof typeof MIGRATIONS = '0014-standard-names'
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
  // A start that changes nothing writes nothing.
  if ((await readSetting(db, 'lowest-version')) !== LOWEST_VERSION) await writeSetting(db, 'lowest-version', LOWEST_VERSION)
}

/** @returns whether this program can read rows of that version */
export function isKnownVersion(version: string): boolean {
  return Object.hasOwn(MIGRATIONS, version)
}

/**
 * Inserts rows of an earlier version, and migrates them as those of a program that was updated: the tables are made again as they were then,
 * and the later migrations run after `insert`. Only settings and leases keep the rows that are there. Runs as part of a transaction.
 * @throws Error if a newer program made the tables
 */
export async function insertAsOf(version: string, db: RecordsDatabase, insert: () => Promise<void>): Promise<void> {
  if (await isNewer(db)) throw new Error('a newer version made the tables of these records; import with that version')
  const settings = await db.selectFrom('settings').selectAll().execute()
  const leases = await db.selectFrom('leases').selectAll().execute()
  // A table is dropped before those that its rows refer to. A database may have tables of others, too.
  for (const name of [...TABLES_NOT_MOVED, ...RECORD_TABLES.toReversed()]) await db.schema.dropTable(name).execute()
  const migrations: [string, Migration][] = Object.entries(MIGRATIONS)
  for (const [name, { up }] of migrations) if (name <= version) await up(db)
  await insertRows(db, 'settings', settings)
  await insertRows(db, 'leases', leases)
  await insert()
  for (const [name, { up }] of migrations) if (name > version) await up(db)
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
