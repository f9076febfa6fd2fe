/**
 * Removes the digests of rows, and their triggers, which earlier versions had in SQLite. An earlier version that is started again makes
 * them again.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'row_digests')) return
  const { rows: triggers } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'
    and sql like '%row_digests%'`.execute(db)
  for (const { name } of triggers) await sql`drop trigger ${sql.id(name)}`.execute(db)
  for (const table of ['row_digests', 'digested_tables']) await db.schema.dropTable(table).execute()
}
