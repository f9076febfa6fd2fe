/**
 * Removed events give the disk their room back: the engine is the real one in this process, and what counts is the size of its
 * directory.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { until } from '../../../../__tests__/support/until.ts'
import { asBlocks, openTestStore } from '../../../event-store/__tests__/test-store.ts'
import type { Datasets } from '../../../event-store/src/datasets/datasets.ts'
import { createReclaim } from '../../../event-store/src/upkeep/upkeep.ts'

const TABLE = 'events_0123456789'
const DAY_NS = 86_400_000_000_000n
const day = (n: number) => BigInt(n) * DAY_NS

let rowId = 0
const opened = await openTestStore()
const tables = opened.store
const { engine } = tables
afterAll(() => opened[Symbol.asyncDispose]())

/** One part: rows of a kilobyte each, that do not compress, one at each of these days. */
async function insert(table: string, days: readonly number[], rowsEach: number): Promise<void> {
  const rows = days.flatMap((n) =>
    Array.from({ length: rowsEach }, () => {
      const at = new Date(Number(day(n) / 1_000_000n)).toISOString().replace('T', ' ').replace('Z', '')
      const noise = Array.from({ length: 80 }, () => Math.random().toString(36).slice(2)).join('')
      return JSON.stringify([{ noise }, at, at, String(rowId++)])
    }),
  )
  await tables.insert(table, asBlocks(Buffer.from(rows.join('\n'))))
}

const kibOnDisk = () =>
  Number(execFileSync('du', ['-sk', join(opened.directory, 'engine', 'store')], { encoding: 'utf8' }).split('\t')[0])
const rowsOf = async (table: string) =>
  Number((await engine.select<{ n: string }>(`SELECT toString(count()) AS n FROM ${table}`))[0]?.n)

test('a trim drops parts that are wholly older at once, and of others only what is older', async () => {
  await tables.create(TABLE)
  await engine.run(`SYSTEM STOP MERGES ${TABLE}`)
  await insert(TABLE, [10], 4_000)
  await insert(TABLE, [11], 4_000)
  await insert(TABLE, [12, 30], 1)
  const before = kibOnDisk()
  await engine.run(`SYSTEM START MERGES ${TABLE}`)
  await tables.trim(TABLE, day(20))
  expect(await rowsOf(TABLE)).toBe(1)
  expect(kibOnDisk()).toBeLessThan(before / 4)
})

test('what a trim leaves in parts that hold newer events is given back once upkeep has looked', async () => {
  const table = 'events_2345678901'
  await tables.create(table)
  await insert(table, [10, 30], 4_000)
  const before = kibOnDisk()
  await tables.trim(table, day(20))
  expect(await rowsOf(table)).toBe(4_000)
  expect(await tables.listDeleted()).toContain(table)
  await tables.reclaim(table)
  // The engine keeps parts that were replaced for a while.
  await until('less on the disk', () => kibOnDisk() < before * 0.7)
  expect(await tables.listDeleted()).not.toContain(table)
  expect(await rowsOf(table)).toBe(4_000)
}, 150_000)

test('few removed rows are not worth writing all others again', async () => {
  const table = 'events_3456789012'
  await tables.create(table)
  await insert(table, [10], 5)
  await insert(table, [9, ...Array.from({ length: 100 }, (_, i) => 30 + i)], 1)
  await tables.trim(table, day(20))
  await tables.reclaim(table)
  const undone = await engine.select(`SELECT 1 FROM system.mutations WHERE table = '${table}' AND command LIKE '%DELETED MASK%'`)
  expect(undone).toEqual([])
  expect(await rowsOf(table)).toBe(100)
})

test('a bound at an event keeps it', async () => {
  const table = 'events_4567890123'
  await tables.create(table)
  await insert(table, [10, 20], 1)
  await insert(table, [10], 1)
  await tables.dropOlder(table, day(10))
  expect(await rowsOf(table)).toBe(3)
  await tables.dropOlder(table, day(20))
  expect(await rowsOf(table)).toBe(2)
})

test('upkeep drops what is older than a dataset keeps it', async () => {
  const [kept, expiring] = ['events_5678901234', 'events_6789012345']
  for (const table of [kept, expiring]) {
    await tables.create(table)
    await insert(table, [10], 1)
    await insert(table, [28], 1)
  }
  const datasets = {
    list: () => [
      { table: kept, retentionDays: 0 },
      { table: expiring, retentionDays: 5 },
    ],
  } as Datasets
  await createReclaim({ datasets, tables, readNow: async () => 30 * 86_400_000 })()
  expect([await rowsOf(kept), await rowsOf(expiring)]).toEqual([2, 1])
})
