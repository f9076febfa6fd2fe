/**
 * Single values in the records: small texts by name.
 */
import type { RecordsDatabase } from './records.ts'

/**
 * `id` identifies these records. `lowest-version` is that of the oldest program that can use them. `importing` is the id of an export whose import is under way, and `imported` of one whose import is
 * complete. `operator-token-since` is when a service first ran with the operator's token on these records. `trimmed/<table>` is the time
 * in nanoseconds since the epoch before which somebody removed the events of a dataset.
 */
type SettingName = 'id' | 'lowest-version' | 'importing' | 'imported' | 'operator-token-since' | `trimmed/${string}`

/** Settings that every place has its own values for. */
export const WRITTEN_ELSEWHERE: ReadonlySet<string> = new Set<SettingName>([
  'id',
  'lowest-version',
  'importing',
  'imported',
  'operator-token-since',
])

export async function readSetting(db: RecordsDatabase, name: SettingName): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

const insert = (db: RecordsDatabase, name: SettingName, value: string) => db.insertInto('settings').values({ name, value })

/** @returns the stored value, which is the earlier one if there already was one */
export async function ensureSetting(db: RecordsDatabase, name: SettingName, value: string): Promise<string> {
  await insert(db, name, value)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSetting(db, name)) ?? value
}

/** Stores the value in place of an earlier one. */
export async function writeSetting(db: RecordsDatabase, name: SettingName, value: string): Promise<void> {
  await insert(db, name, value)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Notes that the events of a table before this time were removed. An earlier time than the noted one changes nothing. */
export async function noteTrim(db: RecordsDatabase, table: string, beforeNs: bigint): Promise<void> {
  const known = await readTrim(db, table)
  if (known === undefined || known < beforeNs) await writeSetting(db, `trimmed/${table}`, String(beforeNs))
}

/** @returns the time before which events of a table were removed */
export async function readTrim(db: RecordsDatabase, table: string): Promise<bigint | undefined> {
  const value = await readSetting(db, `trimmed/${table}`)
  return value === undefined ? undefined : BigInt(value)
}

/** Runs as part of a transaction. From then on the imported records may be used. */
export async function endImport(db: RecordsDatabase): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', 'importing').execute()
}
