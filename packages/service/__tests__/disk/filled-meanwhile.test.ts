/**
 * A disk that fills up after there was room for a statement, just before the engine writes: what the engine calls a success is
 * not acknowledged, and nothing of it stops the next start. The engine is the real one, in this process.
 */
import { expect } from '@jest/globals'
import { asBlocks, openTestStore } from '../../../event-store/__tests__/test-store.ts'
import { openEmbeddedEngine } from '../../../event-store/src/embedded/embedded-engine.ts'
import { mountSmallDisk, testOnSmallDisk } from './small-disk.ts'

const OLD = 'events_0123456789'
const NEW = 'events_1234567890'
const STAGING = 'staging_2345678901'
const FULL = { code: 'storage_full', status: 507 }

/** @param beforeWrite is called before a statement that changes something goes to the engine */
function openTables(dataDir: string, beforeWrite = () => {}) {
  return openTestStore(dataDir, (directory) => {
    const engine = openEmbeddedEngine(directory)
    return {
      ...engine,
      run(sql, values) {
        beforeWrite()
        return engine.run(sql, values)
      },
    }
  })
}

type OpenTables = Awaited<ReturnType<typeof openTables>>

const definitionOf = async ({ store: { engine } }: OpenTables, table: string) =>
  (await engine.select<{ text: string }>(`SELECT create_table_query AS text FROM system.tables WHERE name = '${table}'`))[0]?.text
const countOf = async ({ store: { engine } }: OpenTables, table: string) =>
  Number((await engine.select<{ n: string }>(`SELECT toString(count()) AS n FROM ${table}`))[0]?.n)

testOnSmallDisk('what the engine could not write is not acknowledged, and the next start finds all as it was', async () => {
  using small = mountSmallDisk(160)
  let isFilling = false
  {
    await using first = await openTables(small.path, () => isFilling && small.fill())
    await first.store.create(OLD)
    await first.store.setRetention(OLD, 36_500)
    const row = JSON.stringify([{ a: 1 }, '2020-01-01 00:00:00', '2020-01-01 00:00:00', '1'])
    await first.store.insert(OLD, asBlocks(Buffer.from(`${row}\n`)))

    isFilling = true
    for (const write of [
      () => first.store.create(NEW),
      () => first.store.create(STAGING),
      () => first.store.setRetention(OLD, 1),
      () => first.store.trim(OLD, 1n << 62n),
    ]) {
      small.free()
      await expect(write()).rejects.toMatchObject(FULL)
    }
    expect(await first.store.list()).toEqual([OLD])
  }
  small.free()
  await using second = await openTables(small.path)
  expect(await second.store.list()).toEqual([OLD])
  expect(await definitionOf(second, OLD)).toContain('toIntervalDay(36500)')
  expect(await countOf(second, OLD)).toBe(1)
  await second.store.create(NEW)
  await second.store.setRetention(OLD, 7)
  await second.store.trim(OLD, 1n << 62n)
  expect(await countOf(second, OLD)).toBe(0)
})
