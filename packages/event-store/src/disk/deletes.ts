/**
 * Deletes events in the embedded engine, which rewrites parts of the table for that. The statement itself would block the engine until
 * it is done, and forever if the disk has no room; so it only starts here, and its progress is polled.
 * Deliberately not here: the choice of rows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DELETES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import type { BoundValues, Engine } from '../engine/engine.ts'
import { freeBytesOf, mib, requireSpace, SHRINK_RESERVE_BYTES, storageFull } from './free-space.ts'

/** Before it rewrites parts, the engine wants room for the largest one times this factor. */
const ROOM_FACTOR = 1.2
const POLL_MS_MAX = 500

/**
 * Resolves when no query finds the deleted rows. A table has one delete at a time, so that a failed delete is the one that is undone.
 * @param statement starts to delete rows of the table
 * @throws ServiceError `storage_full`, with the delete undone, if there is no room
 */
export type DeleteRows = (table: string, statement: string, values: BoundValues) => Promise<void>

/** @param directory of the engine */
export function createDeletes(engine: Engine, directory: string): DeleteRows {
  const tables = new Gate(DELETES)
  return async (table, statement, values) => {
    using _permit = await tables.acquire({ caller: table })
    requireSpace(directory, SHRINK_RESERVE_BYTES)
    // The engine works on parts in the order of statements. Columns and indexes can be built later, so they are stopped.
    for (const making of MAKING) await killMutations(engine, table, making)
    await requireRoom(engine, table, directory)
    await engine.run(statement, values)
    await waitForDelete(engine, table, directory)
  }
}

/** Call this before rewriting parts. @throws ServiceError `storage_full`; the engine itself would silently wait until there is room */
export async function requireRoom(engine: Engine, table: string, directory: string): Promise<void> {
  const parts = await engine.select<{ bytes: string }>(
    'SELECT toString(max(bytes_on_disk)) AS bytes FROM system.parts WHERE database = currentDatabase() AND table = {table:String} AND active',
    { table },
  )
  const neededBytes = Number(parts[0]?.bytes ?? 0) * ROOM_FACTOR
  const freeBytes = freeBytesOf(directory)
  if (freeBytes >= neededBytes) return
  throw storageFull(`${mib(freeBytes)} are free, and to remove events ${mib(neededBytes)} are needed for a while`)
}

/**
 * Resolves when the deletes of the table are done. It polls, so that the engine can run other statements meanwhile.
 * @throws ServiceError `storage_full`, with the delete undone
 */
async function waitForDelete(engine: Engine, table: string, directory: string): Promise<void> {
  try {
    for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, POLL_MS_MAX)) {
      const [undone] = await engine.select<{ reason: string; running: number }>(
        `SELECT latest_fail_reason AS reason, notEmpty(parts_in_progress_names) AS running FROM system.mutations WHERE ${UNDONE}`,
        { table, command: DELETING },
      )
      if (!undone) return
      if (/NOT_ENOUGH_SPACE|No space left/.test(undone.reason)) throw storageFull('events could not be removed')
      if (undone.reason !== '') throw new Error(`the engine cannot remove events of ${table}: ${undone.reason}`)
      if (!undone.running) await requireRoom(engine, table, directory)
      await sleep(pauseMs)
    }
  } catch (error) {
    await killMutations(engine, table, DELETING)
    throw error
  }
}

/**
 * Undoes mutations that are not finished, if the engine still answers.
 * @param command the beginning of their text in the engine
 */
export async function killMutations(engine: Engine, table: string, command: string): Promise<void> {
  await engine.run(`KILL MUTATION WHERE ${UNDONE} SYNC`, { table, command }).catch(() => undefined)
}

const UNDONE = 'database = currentDatabase() AND table = {table:String} AND NOT is_done AND startsWith(command, {command:String})'
/** The beginning of the engine's text of mutations that rewrite parts without their deleted rows. */
export const RECLAIMING = '(APPLY DELETED MASK'
/** The beginnings for mutations that build columns and indexes from existing rows. */
const MAKING = ['(MATERIALIZE COLUMN', '(MATERIALIZE INDEX']
/** The beginning for a delete. */
const DELETING = '(UPDATE _row_exists'
