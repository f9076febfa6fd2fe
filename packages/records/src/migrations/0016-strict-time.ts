/** Adds whether a dataset reads the time of events from `_time` alone. */
import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> =>
  void (await sql`alter table datasets add column strict_time text not null default 'false'`.execute(db))
