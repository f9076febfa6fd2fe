/**
 * Migrates the records to the version of this program, one migration after the other, under a lock of the database: if several services
 * start at once, one of them migrates. Migrations are only ever added.
 */
import { sql } from 'kysely'
import { type MigrateOptions, type MigrationProvider, Migrator } from 'kysely/migration'
import type { RecordsDatabase } from '../records.ts'
import * as records from './0001-records.ts'
import * as judgements from './0002-judgements.ts'

const MIGRATIONS = {
  '0001-records': records,
  '0002-judgements': judgements,
} as const
/** The version of the records that this program writes: the name of its last migration. */
export const RECORDS_VERSION = Object.keys(MIGRATIONS).at(-1) as string
/** The table in which Kysely keeps the names of the completed migrations. */
const MIGRATIONS_TABLE = 'kysely_migration'

/** @throws Error that names the unknown migrations if a newer program wrote the records */
export async function migrate(db: RecordsDatabase, options: MigrateOptions = {}): Promise<void> {
  await refuseNewer(db)
  const provider: MigrationProvider = { getMigrations: async () => MIGRATIONS }
  const { error } = await new Migrator({ db, provider }).migrateToLatest(options)
  if (error) throw error
}

async function refuseNewer(db: RecordsDatabase): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === MIGRATIONS_TABLE)) return
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(db)
  const unknown = rows.filter(({ name }) => !Object.hasOwn(MIGRATIONS, name)).map(({ name }) => name)
  if (unknown.length === 0) return
  throw new Error(
    `a newer version wrote the records (it made ${unknown.join(', ')}, and this program knows only ${Object.keys(MIGRATIONS).join(', ')}); use that version, or other records`,
  )
}
