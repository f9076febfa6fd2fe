/**
 * The tables of events on the embedded engine, guarded against a full disk: room is looked at first, what a statement wrote is
 * looked at afterwards, and definitions are copied before anything is acknowledged. No statement waits in the engine for room.
 * Deliberately not here: the statements themselves (event-tables.ts), and what is done at start (repair.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { Engine } from '../engine.ts'
import { type EventTables, trimStatement } from '../event-tables.ts'
import type { Definitions } from './definitions.ts'
import { type EngineFiles, isStagingTable } from './engine-files.ts'
import { freeBytesOf, GROWTH_RESERVE_BYTES, mib, requireSpace, SHRINK_RESERVE_BYTES, storageFull } from './free-space.ts'

interface Guard {
  engine: Engine
  files: EngineFiles
  definitions: Definitions
}

/** A mutation writes each part again, one after the other, and the engine wants this much more room than the part has bytes. */
const MUTATION_FACTOR = 1.2
const POLL_MS_MAX = 500

export function guardEventTables(tables: EventTables, guard: Guard): EventTables {
  const { engine, files, definitions } = guard
  // One at a time for a table: what is undone is then the delete that is waited for.
  const trims = new KeyedMutex()
  const requireRoom = (reserve: number) => requireSpace(files.root, reserve)

  async function drop(table: string): Promise<void> {
    definitions.forget(table)
    await tables.drop(table)
  }

  return {
    ...tables,
    drop,

    async create(table) {
      requireRoom(GROWTH_RESERVE_BYTES)
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
      requireRoom(SHRINK_RESERVE_BYTES)
      await tables.setRetention(table, days)
      try {
        definitions.keep(table)
      } catch (error) {
        // The engine goes by the new one already; the old one is what the catalogue says, and what the next start must find.
        await tables.setRetention(table, retentionDaysOf(definitions.read(table) ?? '')).catch(() => undefined)
        await killMutations(engine, table, UNDONE_RETENTION)
        definitions.restore(table)
        throw error
      }
    },

    trim: (table, beforeNs) =>
      trims.run(table, async () => {
        requireRoom(SHRINK_RESERVE_BYTES)
        await requireRoomForMutation(guard, table)
        const [statement, values] = trimStatement(table, beforeNs)
        await engine.run(`${statement} SETTINGS lightweight_deletes_sync = 0`, values)
        await waitForDelete(guard, table)
      }),

    async insert(table, rows) {
      requireRoom(GROWTH_RESERVE_BYTES)
      await tables.insert(table, rows)
    },

    async join(staging, table) {
      requireRoom(GROWTH_RESERVE_BYTES)
      await tables.join(staging, table)
    },
  }
}

/** @returns 0 where the definition has no retention */
function retentionDaysOf(definition: string): number {
  return Number(/^TTL _time \+ toIntervalDay\((\d+)\)$/m.exec(definition)?.[1] ?? 0)
}

function requireDefinition(files: EngineFiles, table: string): void {
  if (!files.hasDefinition(table)) throw storageFull(`the definition of ${table} could not be written`)
}

/** @throws ServiceError `storage_full`: the engine leaves a part alone for which there is no room, without a word, until there is */
async function requireRoomForMutation({ engine, files }: Guard, table: string): Promise<void> {
  const parts = await engine.select<{ bytes: string }>(
    'SELECT toString(max(bytes_on_disk)) AS bytes FROM system.parts WHERE database = currentDatabase() AND table = {table:String} AND active',
    { table },
  )
  const neededBytes = Number(parts[0]?.bytes ?? 0) * MUTATION_FACTOR
  const freeBytes = freeBytesOf(files.root)
  if (freeBytes >= neededBytes) return
  throw storageFull(`${mib(freeBytes)} are free, and to remove events ${mib(neededBytes)} are needed for a while`)
}

/**
 * Resolves when the table's deletes are done. Asks again and again, so that the engine is there for others meanwhile.
 * @throws ServiceError `storage_full` with the delete taken back
 */
async function waitForDelete(guard: Guard, table: string): Promise<void> {
  const { engine } = guard
  try {
    for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, POLL_MS_MAX)) {
      const [undone] = await engine.select<{ reason: string; running: number }>(
        `SELECT latest_fail_reason AS reason, notEmpty(parts_in_progress_names) AS running FROM system.mutations WHERE ${UNDONE_DELETES}`,
        { table },
      )
      if (!undone) return
      if (/NOT_ENOUGH_SPACE|No space left/.test(undone.reason)) throw storageFull('events could not be removed')
      if (undone.reason !== '') throw new Error(`the engine cannot remove events of ${table}: ${undone.reason}`)
      if (!undone.running) await requireRoomForMutation(guard, table)
      await sleep(pauseMs)
    }
  } catch (error) {
    await killMutations(engine, table, UNDONE_DELETES)
    throw error
  }
}

/** Takes back what has not been done yet, where the engine can still be asked for it. */
async function killMutations(engine: Engine, table: string, which: string): Promise<void> {
  await engine.run(`KILL MUTATION WHERE ${which} SYNC`, { table }).catch(() => undefined)
}

const UNDONE = 'database = currentDatabase() AND table = {table:String} AND NOT is_done'
const UNDONE_DELETES = `${UNDONE} AND startsWith(command, '(UPDATE _row_exists')`
const UNDONE_RETENTION = `${UNDONE} AND startsWith(command, '(MATERIALIZE TTL')`
