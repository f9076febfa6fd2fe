/**
 * The tables of events on the embedded engine, guarded against a full disk: room is looked at first, what a statement wrote is
 * looked at afterwards, and definitions are copied before anything is acknowledged.
 * Deliberately not here: the statements themselves (event-tables.ts), deletes of events (deletes.ts), and what is done at start (repair.ts).
 */
import type { BlockRows, Engine, InsertOptions } from '../engine/engine.ts'
import type { EventLayouts } from '../tables/event-layouts.ts'
import type { EventTables } from '../tables/event-tables.ts'
import type { Definitions } from './definitions.ts'
import { killMutations, RECLAIMING, requireRoom } from './deletes.ts'
import { type EngineFiles, isStagingTable } from './engine-files.ts'
import { freeBytesOf, GROWTH_RESERVE_BYTES, requireSpace, SHRINK_RESERVE_BYTES, storageFull } from './free-space.ts'

interface Guard {
  engine: Engine
  files: EngineFiles
  definitions: Definitions
}

export function guardEventTables(tables: EventTables, guard: Guard): EventTables {
  const { engine, files, definitions } = guard
  const requireFree = (reserve: number) => requireSpace(files.root, reserve)

  async function drop(table: string): Promise<void> {
    definitions.forget(table)
    await tables.drop(table)
  }

  return {
    ...tables,
    drop,

    upgrade: () => upgradeWithRoom(tables, files),

    async create(table) {
      requireFree(GROWTH_RESERVE_BYTES)
      await tables.create(table)
      try {
        if (isStagingTable(table)) requireDefinition(files, table)
        else definitions.keep(table)
      } catch (error) {
        await drop(table).catch(() => undefined)
        throw error
      }
    },

    async setRetention(table, days) {
      requireFree(SHRINK_RESERVE_BYTES)
      await tables.setRetention(table, days)
      try {
        definitions.keep(table)
      } catch (error) {
        // The engine goes by the new one already; the old one is what the catalogue says, and what the next start must find.
        await tables.setRetention(table, retentionDaysOf(definitions.read(table) ?? '')).catch(() => undefined)
        await killMutations(engine, table, '(MATERIALIZE TTL')
        definitions.restore(table)
        throw error
      }
    },

    async reclaim(table) {
      try {
        await requireRoom(engine, table, files.root)
      } catch (error) {
        // One that was begun while there was room would wait for it, with every delete behind it.
        await killMutations(engine, table, RECLAIMING)
        throw error
      }
      await tables.reclaim(table)
    },

    ...guardInserts(tables, requireFree),

    async join(staging, table) {
      requireFree(GROWTH_RESERVE_BYTES)
      await tables.join(staging, table)
    },
  }
}

/** What is kept beside the events grows, and changes the definition of its table. */
export function guardEventLayouts(layouts: EventLayouts, { files, definitions }: Guard): EventLayouts {
  return {
    ...layouts,
    async add(table, layout) {
      requireSpace(files.root, GROWTH_RESERVE_BYTES)
      await layouts.add(table, layout)
      definitions.keep(table)
    },
    async build(table, names) {
      requireSpace(files.root, GROWTH_RESERVE_BYTES)
      await layouts.build(table, names)
    },
    async drop(table, name) {
      requireSpace(files.root, SHRINK_RESERVE_BYTES)
      await layouts.drop(table, name)
      definitions.keep(table)
    },
  }
}

/** What it does can wait until there is room. */
async function upgradeWithRoom(tables: EventTables, { root }: EngineFiles): Promise<void> {
  if (freeBytesOf(root) >= GROWTH_RESERVE_BYTES) await tables.upgrade()
}

function guardInserts({ insert, insertBlocks }: EventTables, requireFree: (reserve: number) => void) {
  const guarded: Pick<EventTables, 'insert' | 'insertBlocks' | 'requireRoom'> = {
    requireRoom: () => requireFree(GROWTH_RESERVE_BYTES),
    async insert(table, rows, options) {
      requireFree(options?.isAcknowledged ? SHRINK_RESERVE_BYTES : GROWTH_RESERVE_BYTES)
      await insert(table, rows, options)
    },
    ...(insertBlocks && {
      async insertBlocks(table: string, rows: BlockRows, options?: InsertOptions) {
        requireFree(options?.isAcknowledged ? SHRINK_RESERVE_BYTES : GROWTH_RESERVE_BYTES)
        await insertBlocks(table, rows)
      },
    }),
  }
  return guarded
}

/** @returns 0 where the definition has no retention */
function retentionDaysOf(definition: string): number {
  return Number(/^TTL _time \+ toIntervalDay\((\d+)\)$/m.exec(definition)?.[1] ?? 0)
}

function requireDefinition(files: EngineFiles, table: string): void {
  if (!files.hasDefinition(table)) throw storageFull(`the definition of ${table} could not be written`)
}
