/**
 * Bytes that flip in the file of the records, after it was closed: whatever then reads otherwise is named. What others than this program
 * change on purpose is not.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runs } from '../../../__tests__/support/long.ts'
import { deleteAnnotation, insertAnnotation, updateAnnotation } from '../src/annotation-records.ts'
import type { RecordsDatabase } from '../src/records.ts'
import { acceptRows, checkSqliteFile } from '../src/sqlite-check.ts'
import { openSqliteRecords } from '../src/sqlite-records.ts'

let directory: string
let seeded: string

const annotation = (id: string, title = `title of ${id}`) => ({
  id,
  title,
  datasets: ['web', 'api'],
  timeNs: 1_700_000_000_000_000_000n,
  type: 'deploy',
  createdAtMs: 1,
  createdBy: 'somebody',
})

const retitle = (db: RecordsDatabase, id: string, title: string) => updateAnnotation(db, annotation(id), annotation(id, title))

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'digests-'))
  seeded = join(directory, 'seeded.db')
  const records = await openSqliteRecords(seeded)
  for (let i = 0; i < 60; i++) await records.transaction((db) => insertAnnotation(db, annotation(`seeded${i}`)))
  await records.transaction((db) => retitle(db, 'seeded1', 'changed'))
  await records.transaction((db) => deleteAnnotation(db, 'seeded2'))
  await records.close()
})
afterAll(() => rmSync(directory, { recursive: true }))

function copy(name: string): string {
  const file = join(directory, `${name}.db`)
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  copyFileSync(seeded, file)
  return file
}

function flip(file: string, at: number, bit = 1): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] as number) ^ bit
  writeFileSync(file, bytes)
}

/** Flips a bit of the text wherever it is: pages that were divided keep a part that nobody reads. */
function flipIn(file: string, text: string): void {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text)) bytes[at + 3] = (bytes[at + 3] as number) ^ 1
  writeFileSync(file, bytes)
}

/** @returns what was found at a start */
async function findAtStart(file: string): Promise<readonly string[]> {
  const records = await openSqliteRecords(file)
  await records.checked
  await records.close()
  return records.damagedRows
}

/** Everything that a service reads, by its rows and by its indexes. */
function dump(file: string): string {
  using database = new DatabaseSync(file, { readOnly: true })
  const tables = ['annotations', 'annotation_datasets', 'settings', 'datasets', 'tokens']
  const byIndex = [
    'select id from annotations order by time_ns, id',
    "select annotation_id from annotation_datasets where dataset = 'web'",
  ]
  const statements = [...tables.map((table) => `select * from ${table}`), ...byIndex]
  return JSON.stringify(
    statements.map((statement) => {
      const prepared = database.prepare(statement)
      prepared.setReadBigInts(true)
      return prepared.all()
    }),
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
  )
}

test('what is as it was written is not named, and a value with another byte is, by its key', async () => {
  const file = copy('value')
  expect(await findAtStart(file)).toEqual([])
  flipIn(file, 'title of seeded7')
  const named = ['annotations, id "seeded7": it is not as it was written']
  expect(await findAtStart(file)).toEqual(named)
  expect(checkSqliteFile(file).map(({ problem }) => problem)).toEqual(named)
  // Whoever changes the record makes it right.
  const records = await openSqliteRecords(file)
  await records.transaction((db) => retitle(db, 'seeded7', 'right'))
  await records.close()
  expect(await findAtStart(file)).toEqual([])
})

test('records are taken for right where somebody says so', async () => {
  const file = copy('accepted')
  flipIn(file, 'title of seeded8')
  expect([acceptRows(file), acceptRows(file), await findAtStart(file)]).toEqual([1, 0, []])
})

test('what an earlier program or a person changes is right, and so is what they add to the tables', async () => {
  const file = copy('others')
  const database = new DatabaseSync(file)
  database.exec("update annotations set title = 'by hand' where id = 'seeded3'; delete from annotations where id = 'seeded4'")
  database.exec("insert into settings (name, value) values ('by hand', '1')")
  database.exec("alter table annotations add column later text not null default 'x'; vacuum")
  database.close()
  expect(await findAtStart(file)).toEqual([])
  const records = await openSqliteRecords(file)
  await records.transaction((db) => insertAnnotation(db, annotation('afterwards')))
  await records.close()
  expect(await findAtStart(file)).toEqual([])
  // The new column has digests, too.
  flipIn(file, 'title of afterwards')
  expect(await findAtStart(file)).toEqual([expect.stringContaining('afterwards')])
})

test('a transaction that fails changes no digest', async () => {
  const file = copy('failed')
  const records = await openSqliteRecords(file)
  const failing = records.transaction(async (db) => {
    await retitle(db, 'seeded5', 'never')
    throw new Error('no')
  })
  await Promise.allSettled([failing, records.transaction((db) => insertAnnotation(db, annotation('beside')))])
  await records.close()
  expect(await findAtStart(file)).toEqual([])
})

test('the rows of a large file are compared after the start', async () => {
  const file = copy('large')
  const records = await openSqliteRecords(file)
  await records.transaction(async (db) => {
    for (let i = 0; i < 20; i++) await insertAnnotation(db, annotation(`large${i}`, 'x'.repeat(1_000_000)))
  })
  await records.close()
  flipIn(file, 'title of seeded9')
  expect(await findAtStart(file)).toEqual([expect.stringContaining('seeded9')])
})

test('any byte that flips leaves everything as it was, or is named', async () => {
  const whole = dump(seeded)
  const { length } = readFileSync(seeded)
  const silent: number[] = []
  const count = runs(150, 5_000)
  for (let i = 0; i < count; i++) {
    const file = copy('any')
    const at = Math.floor(((i + 0.5) * length) / count)
    flip(file, at, 1 << (i % 8))
    let isNamed = false
    try {
      isNamed = (await findAtStart(file)).length > 0 || checkSqliteFile(file).length > 0
      if (!isNamed && dump(file) !== whole) silent.push(at)
    } catch {
      isNamed = true
    }
  }
  expect(silent).toEqual([])
}, 1_200_000)
