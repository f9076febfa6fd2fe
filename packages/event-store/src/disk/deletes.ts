/**
 * Deletes of events in the embedded engine, which writes the parts of a table again for them. The statement would wait in the engine
 * until that is done, with everything else behind it, and forever where the disk has no room; here it is started, and asked after.
 * Deliberately not here: which rows are deleted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedMutex } from '@deployment-annotations/runtime/concurrency/keyed-mutex'
import type { BoundValues, Engine } from '../engine/engine.ts'
import { freeBytesOf, mib, requireSpace, SHRINK_RESERVE_BYTES, storageFull } from './free-space.ts'

/** The engine wants this much more room than the largest part has bytes, before it touches any. */
const ROOM_FACTOR = 1.2
const POLL_MS_MAX = 500

/** Deletes rows of tables, one delete of a table at a time: what is undone is then the delete that is waited for. */
export class Deletes {
  readonly #engine: Engine
  readonly #directory: string
  readonly #mutex = new KeyedMutex()

  /** @param directory of the engine */
  constructor(engine: Engine, directory: string) {
    this.#engine = engine
    this.#directory = directory
  }

  /**
   * Resolves when no query finds the rows.
   * @param statement that begins to delete rows of the table
   * @throws ServiceError `storage_full`, with the delete taken back, where there is no room
   */
  async run(table: string, statement: string, values: BoundValues): Promise<void> {
    const [engine, directory] = [this.#engine, this.#directory]
    await this.#mutex.run(table, async () => {
      requireSpace(directory, SHRINK_RESERVE_BYTES)
      // Parts are worked on in the order of statements, and columns and indexes can be made later.
      for (const making of MAKING) await killMutations(engine, table, making)
      await requireRoom(engine, table, directory)
      await engine.run(statement, values)
      await waitForDelete(engine, table, directory)
    })
  }
}

/** To be called before parts are written again. @throws ServiceError `storage_full`: the engine leaves a part alone for which there is no room, without a word, until there is */
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
 * Resolves when the table's deletes are done. Asks again and again, so that the engine is there for others meanwhile.
 * @throws ServiceError `storage_full` with the delete taken back
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
 * Takes back what has not been done yet, where the engine can still be asked for it.
 * @param command how the engine's text of it begins
 */
export async function killMutations(engine: Engine, table: string, command: string): Promise<void> {
  await engine.run(`KILL MUTATION WHERE ${UNDONE} SYNC`, { table, command }).catch(() => undefined)
}

const UNDONE = 'database = currentDatabase() AND table = {table:String} AND NOT is_done AND startsWith(command, {command:String})'
/** How the engine's text begins of what writes parts again without the rows that were deleted. */
export const RECLAIMING = '(APPLY DELETED MASK'
/** What makes columns and indexes of the rows that are there. */
const MAKING = ['(MATERIALIZE COLUMN', '(MATERIALIZE INDEX']
/** What the engine makes of a delete. */
const DELETING = '(UPDATE _row_exists'
