/**
 * The file of the records in SQLite: damage that SQLite's own check finds is named, and what only earlier versions used is removed.
 */
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from '@jest/globals'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import type { RecordsDatabase } from '../src/database/records.ts'
import { checkFile } from '../src/sqlite/sqlite-database.ts'
import { openSqliteRecords } from '../src/sqlite/sqlite-records.ts'

const PAGE_BYTES = 4_096

const folder = ofEachTest(() => mkdtempDisposable(join(tmpdir(), 'sqlite-file-')))
let file: string
beforeEach(() => {
  file = join(folder.path, 'records.db')
})

const put = (name: string, value: string) => (db: RecordsDatabase) => db.insertInto('settings').values({ name, value }).execute()

async function seed(...values: string[]): Promise<void> {
  const records = await openSqliteRecords(file)
  for (const [i, value] of values.entries()) await records.transaction(put(`setting-${i}`, value))
  await records.close()
}

/** @returns what the records say of their file after a start */
async function openAndClose(): Promise<readonly string[]> {
  const records = await openSqliteRecords(file)
  await records.close()
  return records.damage
}

/** Changes the file where the text is for the last time. A name of a setting is in the table and in its index. */
function change(text: string, write: (bytes: Buffer, at: number) => void): void {
  const bytes = readFileSync(file)
  write(bytes, bytes.lastIndexOf(text))
  writeFileSync(file, bytes)
}

const flip = (bytes: Buffer, at: number) => bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)

test('a whole file has no damage', async () => {
  await seed('a', 'b')
  expect([await openAndClose(), checkFile(file)]).toEqual([[], []])
})

test('an index that differs from its table is named at the start', async () => {
  await seed('a', 'b')
  change('setting-1', flip)
  const problems = expect.arrayContaining(['row 3 missing from index sqlite_autoindex_settings_1'])
  expect([await openAndClose(), checkFile(file)]).toEqual([problems, problems])
})

test('a large file is opened without comparing its indexes, but a broken page in it is named', async () => {
  await seed(...Array.from({ length: 65 }, () => 'x'.repeat(1_048_576)), 'last value')
  expect(statSync(file).size).toBeGreaterThan(67_108_864)
  change('setting-65', flip)
  expect(await openAndClose()).toEqual([])
  expect(checkFile(file)).toEqual(expect.arrayContaining([expect.stringContaining('missing from index')]))
  change('last value', (bytes, at) => bytes.fill(0, at - (at % PAGE_BYTES), at - (at % PAGE_BYTES) + PAGE_BYTES))
  expect(await openAndClose()).toEqual(expect.arrayContaining([expect.stringMatching(/page \d+/)]))
})

test.each([
  ['cut off', () => truncateSync(file, PAGE_BYTES)],
  ['another file', () => writeFileSync(file, 'no database at all'.repeat(1_000))],
])('a file that is %s is refused by name, with what to do', async (_, damage) => {
  await seed('a')
  damage()
  await expect(openSqliteRecords(file)).rejects.toThrow(`the records in ${file} cannot be read`)
  await expect(openSqliteRecords(file)).rejects.toThrow('restore it from a backup')
})

/** As versions up to 0011 left each table, here one of them. */
const WITH_DIGESTS = readFileSync(join(import.meta.dirname, 'row-digests.sql'), 'utf8')

test('the digests of an earlier version are removed, and its records are there', async () => {
  await seed('a', 'b')
  const earlier = new DatabaseSync(file)
  earlier.exec(WITH_DIGESTS)
  earlier.close()
  expect(await openAndClose()).toEqual([])
  using database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' OR name LIKE '%digest%'").all()).toEqual([])
  expect(database.prepare("SELECT value FROM settings WHERE name LIKE 'setting-%' ORDER BY name").all()).toEqual(
    ['a', 'b'].map((value) => expect.objectContaining({ value })),
  )
})
