/**
 * A disk that fills up after there was room for a statement, just before the engine writes: what the engine calls a success is
 * not acknowledged, and nothing of it stops the next start. The engine is the real one, in this process.
 */
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { DataDisk } from '../../../event-store/src/disk/data-disk.ts'
import { openEmbeddedEngine } from '../../../event-store/src/embedded/embedded-engine.ts'
import type { Engine } from '../../../event-store/src/engine/engine.ts'
import type { EventTables } from '../../../event-store/src/tables/event-tables.ts'
import { mountSmallDisk, testOnSmallDisk } from './small-disk.ts'

const OLD = 'events_0123456789'
const NEW = 'events_1234567890'
const STAGING = 'staging_2345678901'
const FULL = { code: 'storage_full', status: 507 }

interface OpenTables {
  disk: DataDisk
  engine: Engine
  tables: EventTables
}

/** @param beforeWrite is called before a statement that changes something goes to the engine */
function openTables(dataDir: string, beforeWrite = () => {}): OpenTables {
  const disk = new DataDisk(join(dataDir, 'engine'))
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const hooked: Engine = {
    ...engine,
    run(sql, values) {
      beforeWrite()
      return engine.run(sql, values)
    },
  }
  return { disk, engine, tables: disk.openTables(hooked) }
}

const definitionOf = async ({ engine }: OpenTables, table: string) =>
  (await engine.select<{ text: string }>(`SELECT create_table_query AS text FROM system.tables WHERE name = '${table}'`))[0]?.text
const countOf = async ({ engine }: OpenTables, table: string) =>
  Number((await engine.select<{ n: string }>(`SELECT toString(count()) AS n FROM ${table}`))[0]?.n)

testOnSmallDisk('what the engine could not write is not acknowledged, and the next start finds all as it was', async () => {
  using small = mountSmallDisk(160)
  let isFilling = false
  const first = openTables(small.path, () => isFilling && small.fill())
  try {
    await first.tables.create(OLD)
    await first.tables.setRetention(OLD, 36_500)
    const row = JSON.stringify([{ a: 1 }, '2020-01-01 00:00:00', '2020-01-01 00:00:00', '1'])
    await first.tables.insert(OLD, Buffer.from(`${row}\n`))

    isFilling = true
    for (const write of [
      () => first.tables.create(NEW),
      () => first.tables.create(STAGING),
      () => first.tables.setRetention(OLD, 1),
      () => first.tables.trim(OLD, 1n << 62n),
    ]) {
      small.free()
      await expect(write()).rejects.toMatchObject(FULL)
    }
    expect(await first.tables.list()).toEqual([OLD])
  } finally {
    await first.engine.close()
  }
  small.free()
  const second = openTables(small.path)
  try {
    expect(await second.tables.list()).toEqual([OLD])
    expect(await definitionOf(second, OLD)).toContain('toIntervalDay(36500)')
    expect(await countOf(second, OLD)).toBe(1)
    await second.tables.create(NEW)
    await second.tables.setRetention(OLD, 7)
    await second.tables.trim(OLD, 1n << 62n)
    expect(await countOf(second, OLD)).toBe(0)
  } finally {
    await second.engine.close()
  }
})
