/**
 * A write-ahead log for small requests, used while inserts into other datasets are all that the engine can do: an insert of one row
 * takes it as long as one of a hundred, so one event into each of many datasets would wait for as many inserts. Rows of all
 * datasets go to the records together, which makes them durable, and into their tables later, many at a time.
 *
 * Whoever reads a table, or removes something from it, first has what waits for it inserted, so nobody can tell the difference.
 * Rows leave the log after they are in their table; of those of a process that ended in between, a count tells whether they are.
 * The engine reads rows before they are acknowledged, so that it does not refuse them afterwards.
 */
import { Batcher } from '../../concurrency/batcher.ts'
import { EVENT_BYTES_WAITING_MAX, EVENTS } from '../../concurrency/queue-bounds.ts'
import { ServiceError } from '../../errors.ts'
import type { Records } from '../../records/records.ts'
import {
  deleteOrphans,
  deleteWaiting,
  insertWaiting,
  listWaiting,
  readWaiting,
  type WaitingRows,
} from '../../records/write-ahead-records.ts'
import { type EventTables, UnreadableRowsError } from '../../store/event-tables.ts'
import { settleRows } from './settle-rows.ts'

/** Of one commit. */
const BATCH_MAX = { rows: 1_000, bytes: 4_194_304 }
/** Requests of one insert into a table. */
const REQUESTS_MAX = 500
/** What arrives for a dataset within this time is one insert. */
const FLUSH_AFTER_MS = 5_000
/** Whoever stops a service waits for as long. */
const CLOSE_MS_MAX = 3_000

interface WriteAheadLogParts {
  records: Records
  tables: EventTables
  /** Reads rows as an insert would. @throws UnreadableRowsError */
  tryRows(rows: Buffer): Promise<void>
}

export class WriteAheadLog {
  readonly #parts: WriteAheadLogParts
  readonly #batcher: Batcher<WaitingRows, boolean>
  /** Tables that rows wait for. `isUnsure`: some of them may be in the table already. */
  readonly #waiting = new Map<string, { isUnsure: boolean }>()
  readonly #flushing = new Map<string, Promise<void>>()
  /** What was added since the log was last empty. */
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(parts: WriteAheadLogParts) {
    this.#parts = parts
    this.#batcher = new Batcher({
      work: (group) => this.#commit(group),
      loadOf: ({ rows, body }) => ({ rows, bytes: body.byteLength }),
      batchMax: BATCH_MAX,
      bound: EVENTS,
      startsInOwnTurn: true,
    })
  }

  /** Takes over what waits from before, for which nobody has to wait now. */
  static async open(parts: WriteAheadLogParts): Promise<WriteAheadLog> {
    const log = new WriteAheadLog(parts)
    await parts.records.transaction(deleteOrphans)
    for (const table of await listWaiting(parts.records.read)) log.#expect(table, true)
    return log
  }

  /** Whether there is room. */
  get isFull(): boolean {
    return this.#bytes >= EVENT_BYTES_WAITING_MAX
  }

  /**
   * Resolves when the rows are on disk, and the next query sees them.
   * @returns whether the log took them: not those that the engine could not read, nor their neighbors
   */
  add(rows: WaitingRows): Promise<boolean> {
    return this.#batcher.add(rows)
  }

  /**
   * Resolves when everything that was acknowledged is in these tables.
   * @throws ServiceError `unavailable` where it cannot be stored there now
   */
  async settle(tables: Iterable<string>): Promise<void> {
    for (const table of tables) {
      while (this.#waiting.has(table) || this.#flushing.has(table)) await this.#flushOnce(table)
    }
  }

  /** Tables whose rows are all there when they are counted or some of them removed. */
  guard(tables: EventTables): EventTables {
    return {
      ...tables,
      count: async (table, request) => {
        await this.settle([table])
        return tables.count(table, request)
      },
      removeRequest: async (table, request) => {
        await this.settle([table])
        await tables.removeRequest(table, request)
      },
      trim: async (table, beforeNs) => {
        await this.settle([table])
        await tables.trim(table, beforeNs)
      },
    }
  }

  /** Inserts everything that waits, one table after the other. @throws as {@link settle}, after all were tried */
  async flush(): Promise<void> {
    let failed: unknown
    for (const table of [...this.#waiting.keys()]) {
      await this.settle([table]).catch((error: unknown) => {
        failed = error
      })
    }
    if (failed) throw failed
    if (this.#waiting.size === 0) this.#bytes = 0
  }

  /** Waits for what is under way. What then still waits in the log is inserted after the next start. */
  async close(): Promise<void> {
    await this.#batcher.idle()
    clearTimeout(this.#timer)
    this.#isClosed = true
    const untilMs = performance.now() + CLOSE_MS_MAX
    for (const table of [...this.#waiting.keys()]) {
      if (performance.now() < untilMs) await this.settle([table]).catch(() => undefined)
    }
    await Promise.allSettled(this.#flushing.values())
  }

  async #commit(group: readonly WaitingRows[]): Promise<boolean[]> {
    try {
      await this.#parts.tryRows(Buffer.concat(group.map(({ body }) => body)))
    } catch (error) {
      if (error instanceof UnreadableRowsError) return group.map(() => false)
      throw error
    }
    await this.#parts.records.transaction((db) => insertWaiting(db, group))
    for (const { table, body } of group) {
      this.#expect(table, false)
      this.#bytes += body.byteLength
    }
    return group.map(() => true)
  }

  #expect(table: string, isUnsure: boolean): void {
    this.#waiting.set(table, { isUnsure: isUnsure || (this.#waiting.get(table)?.isUnsure ?? false) })
    this.#timer ??= setTimeout(() => {
      // Whoever reads the table is told what is wrong, and so is the log of the service, by upkeep.
      this.flush()
        .catch(() => undefined)
        .finally(() => {
          this.#timer = undefined
          const [next] = this.#waiting.keys()
          if (next !== undefined && !this.#isClosed) this.#expect(next, false)
        })
    }, FLUSH_AFTER_MS).unref()
  }

  /** One at a time of each table. */
  #flushOnce(table: string): Promise<void> {
    const flushing =
      this.#flushing.get(table) ??
      this.#flush(table)
        .catch((cause: unknown) => {
          this.#expect(table, true)
          throw notYet(cause)
        })
        .finally(() => this.#flushing.delete(table))
    this.#flushing.set(table, flushing)
    return flushing
  }

  async #flush(table: string): Promise<void> {
    const { records } = this.#parts
    const isUnsure = this.#waiting.get(table)?.isUnsure ?? false
    // What is acknowledged from now on may not be among what is read.
    this.#waiting.delete(table)
    const live = await records.read.selectFrom('datasets').select('name').where('table_name', '=', table).executeTakeFirst()
    if (!live) return records.transaction(deleteOrphans)
    for (;;) {
      const list = await readWaiting(records.read, table, REQUESTS_MAX)
      if (list.length === 0) return
      const missing = isUnsure ? await this.#findMissing(list) : list
      if (missing.length > 0) await this.#parts.tables.insert(table, Buffer.concat(missing.map(({ body }) => body)))
      await records.transaction((db) => deleteWaiting(db, table, list))
    }
  }

  /** @returns those whose rows are not in their table; what is there of one in part is removed */
  async #findMissing(list: readonly WaitingRows[]): Promise<WaitingRows[]> {
    const { tables } = this.#parts
    const missing: WaitingRows[] = []
    for (const waiting of list) if (!(await settleRows(tables, waiting.table, waiting))) missing.push(waiting)
    return missing
  }
}

function notYet(cause: unknown): ServiceError {
  const { message } = cause as Error
  return new ServiceError('unavailable', `events that were acknowledged cannot be put in their place yet: ${message}`, { cause })
}
