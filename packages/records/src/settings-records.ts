/**
 * What there is one of in the records: small texts by name.
 */
import type { RecordsDatabase } from './records.ts'

/**
 * `id`: names these records. `importing`: the id of the export that is being imported here; `imported`: of the one whose
 * records these are. `operator-token-since`: when a service with these records was first given the operator's token.
 */
type SettingName = 'id' | 'importing' | 'imported' | 'operator-token-since'

/** Those that other records have of their own. */
export const WRITTEN_ELSEWHERE: ReadonlySet<string> = new Set<SettingName>([
  'id',
  'importing',
  'imported',
  'operator-token-since',
])

export async function readSetting(db: RecordsDatabase, name: SettingName): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** @returns whether it was not there; of two services at one moment, one is told so */
async function addSetting(db: RecordsDatabase, name: SettingName, value: string): Promise<boolean> {
  const added = await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  return added !== undefined
}

/** @returns the value, which is the earlier one where there is one already */
export async function ensureSetting(db: RecordsDatabase, name: SettingName, value: string): Promise<string> {
  if (await addSetting(db, name, value)) return value
  return (await readSetting(db, name)) ?? value
}

/** Part of a transaction: the place of an import may be used from now on. */
export async function endImport(db: RecordsDatabase): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', 'importing').execute()
}
