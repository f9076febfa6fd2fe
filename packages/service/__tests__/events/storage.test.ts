import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeKey, encodeKey, enginePath, fieldKeys, fieldName } from '../../src/events/fields/field-name.ts'
import { checkOpenFiles } from '../../src/events/open-files.ts'
import { createRowIds } from '../../src/events/rows/row-ids.ts'
import { createEventTable, dropEventTable, setRetention } from '../../src/store/schema/event-table.ts'

const mark = () => join(mkdtempSync(join(tmpdir(), 'row-ids-')), 'mark')

test('row ids grow strictly, also when the clock is set back and the process starts anew', () => {
  const file = mark()
  let now = 1_800_000_000_000
  let last = -1n
  for (let life = 0; life < 5; life++) {
    const ids = createRowIds(file, 3, () => now)
    for (let i = 0; i < 10_000; i++) {
      const id = ids.next()
      expect(id > last && ((id >> 12n) & 1_023n) === 3n).toBe(true)
      last = id
      if (i % 1_000 === 0) now -= 50_000
    }
    expect(Number(readFileSync(file, 'utf8')) >= Number(last >> 22n)).toBe(true)
  }
})

test('a mark that cannot be understood stops the start', () => {
  const file = mark()
  writeFileSync(file, 'x')
  expect(() => createRowIds(file, 0)).toThrow('should hold the highest row id time')
})

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

test('the statements for an event table, alone and on a cluster (these are not exercised beyond their text)', () => {
  const columns = `(
  _time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
  _sysTime DateTime64(9, 'UTC'),
  _row UInt64,
  data JSON(max_dynamic_paths = 256) CODEC(ZSTD(1))
)`
  const settings =
    'SETTINGS min_level_for_wide_part = 1, fsync_after_insert = 1, fsync_part_directory = 1, merge_selector_base = 10'
  expect(createEventTable('events_0123abcd')).toEqual([
    `CREATE TABLE IF NOT EXISTS events_0123abcd ${columns} ENGINE = MergeTree ORDER BY (_time, _row) ${settings}`,
  ])
  expect(createEventTable('events_0123abcd', { name: 'main' })).toEqual([
    `CREATE TABLE IF NOT EXISTS events_0123abcd_local ON CLUSTER 'main' ${columns} ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/events_0123abcd', '{replica}') ORDER BY (_time, _row) ${settings}`,
    "CREATE TABLE IF NOT EXISTS events_0123abcd ON CLUSTER 'main' AS events_0123abcd_local ENGINE = Distributed('main', currentDatabase(), events_0123abcd_local, _row) SETTINGS fsync_after_insert = 1, fsync_directories = 1",
  ])
  expect(dropEventTable('events_0123abcd', { name: 'main' })).toEqual([
    "DROP TABLE IF EXISTS events_0123abcd ON CLUSTER 'main' SYNC",
    "DROP TABLE IF EXISTS events_0123abcd_local ON CLUSTER 'main' SYNC",
  ])
  expect(setRetention('events_0123abcd', 30)).toEqual([
    'ALTER TABLE events_0123abcd MODIFY TTL _time + INTERVAL 30 DAY SETTINGS materialize_ttl_after_modify = 0',
    'ALTER TABLE events_0123abcd MATERIALIZE TTL SETTINGS mutations_sync = 0',
  ])
  expect(setRetention('events_0123abcd', 0)).toEqual(['ALTER TABLE events_0123abcd REMOVE TTL'])
  for (const name of ['web', 'events_x; DROP', 'events_', 'annotations'])
    expect(() => createEventTable(name)).toThrow('is not the name')
  expect(() => createEventTable('events_0123abcd', { name: "a' b" })).toThrow('is not the name of a cluster')
})

test('the limit of open files is told where it is too low, and only there', () => {
  const limits = (count: string) => () =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${count}                20000                files\n`
  expect(checkOpenFiles(limits('1024'))).toContain('this process may open 1024 files')
  expect(checkOpenFiles(limits('65536'))).toBeUndefined()
  expect(checkOpenFiles(limits('unlimited'))).toBeUndefined()
  expect(
    checkOpenFiles(() => {
      throw new Error('no such file')
    }),
  ).toBeUndefined()
})
