/**
 * Brings the records to the version that this program knows, one migration after the other, under a lock of the database's:
 * of several services that start at once, one does it. Migrations are only ever added.
 */
import { sql } from 'kysely'
import { type MigrateOptions, type MigrationProvider, Migrator } from 'kysely/migration'
import type { RecordsDatabase } from '../records.ts'
import * as records from './0001-records.ts'

const MIGRATIONS = {
  '0001-records': records,
} as const
/** The version of the records that this program keeps, by the name of the last migration. */
export const RECORDS_VERSION = Object.keys(MIGRATIONS).at(-1) as string
/** Where the library keeps the names of those that were made. */
const MADE = 'kysely_migration'

/** @throws Error when a newer program wrote the records, naming what it added */
export async function migrate(db: RecordsDatabase, options: MigrateOptions = {}): Promise<void> {
  await refuseNewer(db)
  const provider: MigrationProvider = { getMigrations: async () => MIGRATIONS }
  const { error } = await new Migrator({ db, provider }).migrateToLatest(options)
  if (error) throw error
}

async function refuseNewer(db: RecordsDatabase): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === MADE)) return
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MADE)} order by name`.execute(db)
  const unknown = rows.filter(({ name }) => !Object.hasOwn(MIGRATIONS, name)).map(({ name }) => name)
  if (unknown.length === 0) return
  throw new Error(
    `a newer version wrote the records (it made ${unknown.join(', ')}, and this program knows only ${Object.keys(MIGRATIONS).join(', ')}); use that version, or other records`,
  )
}
