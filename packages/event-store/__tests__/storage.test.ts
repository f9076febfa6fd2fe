import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { folderForTests } from '../../../__tests__/support/for-tests.ts'
import { checkOpenFilesMax, connectionsMax, readOpenFilesMax } from '../../service/src/health/open-files.ts'
import { decodeKey, encodeKey, enginePath, fieldKeys, fieldName } from '../src/fields/field.ts'
import { asBlocks, openTestStore } from './test-store.ts'

const directory = folderForTests('store')

test('names of fields: any keys have one name, one path, and come back', () => {
  const keys = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(keys, (list) => {
      expect(fieldKeys(fieldName(list))).toEqual(list)
      expect(enginePath(fieldName(list)).split('.').map(decodeKey)).toEqual(list)
      expect(encodeKey(list[0] as string)).not.toContain('.')
    }),
    { numRuns: 2_000 },
  )
  expect([fieldName(['geo', 'city']), fieldName(['geo.city']), enginePath('geo.city'), enginePath('geo\\.city')]).toEqual([
    'geo.city',
    'geo\\.city',
    'geo.city',
    'geo%2Ecity',
  ])
})

test('the limit of open files is told where it is too low, and only there', () => {
  const limits = (count: string) => () =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${count}                20000                files\n`
  expect(readOpenFilesMax(limits('1024'))).toBe(1_024)
  expect(readOpenFilesMax(limits('unlimited'))).toBe(Number.POSITIVE_INFINITY)
  expect(
    readOpenFilesMax(() => {
      throw new Error('no such file')
    }),
  ).toBe(Number.POSITIVE_INFINITY)
  expect(checkOpenFilesMax(1_024)).toContain('this process may open 1024 files')
  expect(checkOpenFilesMax(65_536)).toBeUndefined()
  expect(checkOpenFilesMax(Number.POSITIVE_INFINITY)).toBeUndefined()
  expect(() => checkOpenFilesMax(128)).toThrow(
    /^this process may open 128 files, and needs 256 at least; raise the limit with ulimit -n 16384/,
  )
})

test('connections leave files to the engine', () => {
  expect([256, 512, 1_024, 16_384, Number.POSITIVE_INFINITY].map(connectionsMax)).toEqual([
    32,
    112,
    624,
    12_288,
    Number.POSITIVE_INFINITY,
  ])
})

test('a table of a version before has the column for the rest of events from the start on', async () => {
  const table = 'events_beforerest'
  {
    await using before = await openTestStore(directory)
    await before.store.create(table)
    await before.store.engine.run(`ALTER TABLE ${table} DROP COLUMN rest`)
  }
  await using after = await openTestStore(directory)
  const row = (number: number, rest = '') => Buffer.from(`[{"n":${number}},${number},${number},${number}${rest}]\n`)
  await after.store.insert(table, asBlocks(row(1), row(2, ',{"user.id1":"\\"x\\""}')))
  expect(await after.store.engine.select(`SELECT toString(_row) AS row, rest FROM ${table} ORDER BY _row`)).toEqual([
    { row: '1', rest: {} },
    { row: '2', rest: { 'user.id1': '"x"' } },
  ])
})
