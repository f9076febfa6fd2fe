/** Adds the fields of a dataset that get a column or an index because somebody named them. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table datasets add column indexed_fields text not null default '[]'`.execute(db)
}
