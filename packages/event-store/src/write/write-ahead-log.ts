/**
 * A write-ahead log. An insert of one row takes the engine as long as one of a hundred, and most of its time is spent on merging small
 * pieces. So rows of all datasets go to one file together, with one sync of the disk, which makes them durable, and into their tables a
 * little later, many at a time.
 * Before a table is read, or something is removed from it, its waiting rows are inserted, so nobody can tell the difference.
 * Rows are settled in the log after they are in their table; if a process ended in between, a count shows whether they are there.
 */
import type { Records } from '@deployment-annotations/records/database/records'
import { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import { EVENT_BYTES_WAITING_MAX, EVENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { EventTables } from '../tables/event-tables.ts'
import type { LogDamage } from './log-damage.ts'
import { bytesOf, type LogEntry, type WaitingRows } from './log-entries.ts'
import { LogFiles } from './log-files.ts'
import type { LogContents } from './log-reading.ts'

/** The most rows and bytes of one sync. */
const BATCH_MAX = { rows: 1_000, bytes: 4_194_304 }
/** Rows that arrive for a dataset within this time share one insert. */
const FLUSH_AFTER_MS = 200
/**
 * The pause is longer if earlier inserts took long: this many times their duration, so that the inserts of many datasets take at most a
 * fifth of the time.
 */
const FLUSH_PAUSE = 4
/** From this size on, rows are inserted at once, because readers wait for their insert. */
const FLUSH_BYTES = 6_291_456
/** More rows of one table are accepted only after some are inserted. */
const TABLE_BYTES_MAX = 2 * FLUSH_BYTES
/** The most time that a stopping service spends on inserts. */
const CLOSE_MS_MAX = 3_000

/** The tables that rows are inserted into. Their counts and removals leave aside what waits here. */
export interface LogTables extends Pick<EventTables, 'countEach' | 'removeRequest'> {
  /** Inserts rows that are acknowledged already, all or none. */
  insert(table: string, blocks: readonly Uint8Array[]): Promise<void>
  /** The same with rows as texts, which only an earlier version has written. */
  insertTexts(table: string, texts: Buffer): Promise<void>
}

interface WriteAheadLogParts {
  dataDir: string
  /** Whether there must be a log, because the service ran here before. */
  isExpected: boolean
  records: Records
  tables: LogTables
}

/** The waiting rows of a table. */
interface TableQueue {
  /** Whether some of them may be in the table already. */
  isUnsure: boolean
  list: WaitingRows[]
  bytes: number
}

export class WriteAheadLog {
  /** What was found wrong with the files, by which acknowledged requests may be missing. */
  readonly damages: readonly LogDamage[]
  /** The half written entries that a crash left. */
  readonly torn: readonly { path: string; offset: number }[]
  readonly #parts: WriteAheadLogParts
  readonly #files: LogFiles
  readonly #batcher: Batcher<LogEntry, void>
  readonly #waiting = new Map<string, TableQueue>()
  readonly #flushing = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(parts: WriteAheadLogParts, { log, damages, torn }: { log: LogFiles } & LogContents) {
    this.#parts = parts
    this.#files = log
    this.damages = damages
    this.torn = torn
    this.#batcher = new Batcher<LogEntry, void>({
      batchMax: BATCH_MAX,
      bound: EVENTS,
      startsInOwnTurn: true,
      work: async (group) => {
        await this.#files.append(group)
        return []
      },
      loadOf: (entry) => ({ rows: 1, bytes: 'body' in entry ? sizeOf(entry) : 0 }),
    })
  }

  /** Takes over the rows that an earlier process left; nobody waits for them now. */
  static async open(parts: WriteAheadLogParts): Promise<WriteAheadLog> {
    const opened = await LogFiles.open(parts.dataDir, parts.isExpected)
    const log = new WriteAheadLog(parts, opened)
    for (const rows of opened.left) log.#expect(rows, true)
    return log
  }

  /**
   * Resolves when the rows are on disk, and the next query sees them.
   * @returns whether the log accepted them; if not, there is no room
   * @throws ServiceError `storage_full`
   */
  async add(rows: WaitingRows): Promise<boolean> {
    if (!(await this.#makeRoom(rows.table))) return false
    await this.#batcher.add(rows)
    const { bytes, isUnsure } = this.#expect(rows, false)
    // An error here is reported to readers of the table, and by upkeep in the log of the service.
    if (bytes >= FLUSH_BYTES && !isUnsure) this.#flushOnce(rows.table).catch(() => undefined)
    return true
  }

  /**
   * Resolves when everything that was acknowledged is in these tables.
   * @throws ServiceError `unavailable` if it cannot be stored there now
   */
  async settle(tables: Iterable<string>): Promise<void> {
    for (const table of tables) {
      // An insert under way lacks the rows that were acknowledged since; rows that arrive during the next one need not be waited for.
      await this.#flushing.get(table)
      await this.#flushOnce(table)
    }
  }

  /**
   * Inserts all waiting rows, one table after the other.
   * @param untilMs no insert is begun after this time, by `performance.now()`
   * @throws as {@link settle}, after all were tried
   */
  async flush(untilMs = Number.POSITIVE_INFINITY): Promise<void> {
    const failures: unknown[] = []
    for (const table of [...this.#waiting.keys()])
      if (performance.now() < untilMs) await this.settle([table]).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  /** Waits for inserts under way. Rows that still wait in the log are inserted after the next start. */
  async close(): Promise<void> {
    await this.#batcher.idle()
    clearTimeout(this.#timer)
    this.#isClosed = true
    await this.flush(performance.now() + CLOSE_MS_MAX).catch(() => undefined)
    await Promise.allSettled(this.#flushing.values())
    await this.#batcher.idle()
    await this.#files.close()
  }

  /** @returns whether there is room for more rows of the table */
  async #makeRoom(table: string): Promise<boolean> {
    if (this.#files.bytes >= EVENT_BYTES_WAITING_MAX) return false
    const isFull = () => (this.#waiting.get(table)?.bytes ?? 0) >= TABLE_BYTES_MAX
    if (isFull() && !this.#waiting.get(table)?.isUnsure) await this.#flushOnce(table).catch(() => undefined)
    return !isFull()
  }

  #expect(rows: WaitingRows, isUnsure: boolean): TableQueue {
    const { table } = rows
    const waiting = this.#waiting.get(table) ?? { isUnsure: false, list: [], bytes: 0 }
    waiting.isUnsure ||= isUnsure
    waiting.list.push(rows)
    waiting.bytes += sizeOf(rows)
    this.#waiting.set(table, waiting)
    this.#startTimer()
    return waiting
  }

  #startTimer(afterMs = FLUSH_AFTER_MS): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(async () => {
      const from = performance.now()
      await this.flush().catch(() => undefined)
      this.#timer = undefined
      if (this.#waiting.size > 0) this.#startTimer(Math.max(FLUSH_AFTER_MS, FLUSH_PAUSE * (performance.now() - from)))
    }, afterMs).unref()
  }

  /** Each table has one flush at a time. */
  #flushOnce(table: string): Promise<void> {
    const running = this.#flushing.get(table)
    if (running) return running
    const waiting = this.#waiting.get(table)
    if (!waiting) return Promise.resolve()
    this.#waiting.delete(table)
    const flushing = this.#flush(table, waiting)
      .catch((cause: unknown) => {
        for (const rows of waiting.list) this.#expect(rows, true)
        throw notYet(cause)
      })
      .finally(() => this.#flushing.delete(table))
    this.#flushing.set(table, flushing)
    return flushing
  }

  async #flush(table: string, { list, isUnsure }: TableQueue): Promise<void> {
    const { records, tables } = this.#parts
    const live = await records.read.selectFrom('datasets').select('name').where('table_name', '=', table).executeTakeFirst()
    if (live) {
      const missing = isUnsure ? await this.#findMissing(table, list) : list
      const texts = Buffer.concat(missing.map(({ body }) => body))
      const blocks = missing.flatMap((rows) => rows.blocks)
      // If it fails between these two, the rows of each request are counted.
      if (texts.length > 0) await tables.insertTexts(table, texts)
      if (blocks.length > 0) await tables.insert(table, blocks)
    }
    await this.#batcher.add({ table, settled: list.map(({ sysTimeNs }) => sysTimeNs) })
    for (const { release } of list) release?.()
  }

  /** @returns the requests whose rows are not in their table; incomplete ones are removed from it */
  async #findMissing(table: string, list: readonly WaitingRows[]): Promise<WaitingRows[]> {
    const { tables } = this.#parts
    const found = await tables.countEach(table, list)
    const missing = list.filter(({ sysTimeNs, rows }) => found.get(sysTimeNs) !== rows)
    for (const waiting of missing) if (found.has(waiting.sysTimeNs)) await tables.removeRequest(table, waiting)
    return missing
  }
}

/** @returns `storage_full` if that is why waiting rows cannot be inserted */
export function findFullDisk(error: unknown): ServiceError | undefined {
  const { cause } = error as Error
  return cause instanceof ServiceError && cause.code === 'storage_full' ? cause : undefined
}

const sizeOf = ({ body, blocks }: WaitingRows) => body.byteLength + bytesOf(blocks)

function notYet(cause: unknown): ServiceError {
  const { message } = cause as Error
  return new ServiceError('unavailable', `events that were acknowledged cannot be put in their place yet: ${message}`, { cause })
}
