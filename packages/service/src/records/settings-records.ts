/**
 * What there is one of in the records: small texts by name.
 */
import type { RecordsDatabase } from './records.ts'

/** `id`: names these records. `taken-over`: the version of the data that they were made from. */
type SettingName = 'id' | 'taken-over'

export async function readSetting(db: RecordsDatabase, name: SettingName): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** @returns the value, which is the earlier one where there is one already */
export async function ensureSetting(db: RecordsDatabase, name: SettingName, value: string): Promise<string> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSetting(db, name)) ?? value
}
