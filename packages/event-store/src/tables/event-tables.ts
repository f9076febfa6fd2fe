/**
 * The tables that hold events, one per dataset, and those that a large request is staged in: created, filled, joined, trimmed and
 * dropped. Their columns are in schema/event-table.ts. Deliberately not here: which datasets there are, and how queries read.
 */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlockRows, Engine, InsertOptions } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import {
  type Cluster,
  createEventTable,
  deleteRows,
  dropEventTable,
  EVENT_COLUMNS,
  rememberTokens,
  setRetention,
  type TablePlace,
  WRITES_FAST_TIMES,
  writeFastTimes,
} from '../schema/event-table.ts'
import { alignColumns } from './event-layouts.ts'
import { createFreedSpace, type FreedSpace } from './freed-space.ts'
import { createStoredRequests, type StoredRequests } from './stored-requests.ts'
import { TableWrites } from './table-writes.ts'

/** The engine cannot read a row of an insert; none of the insert's rows was stored. */
export class UnreadableRowsError extends Error {}

export interface EventTables extends StoredRequests, FreedSpace {
  /** To be called once, before the others: lets the tables of earlier versions do what those of this one do. */
  upgrade(): Promise<void>
  create(table: string): Promise<void>
  drop(table: string): Promise<void>
  /** All tables of events that there are, staging tables among them. */
  list(): Promise<string[]>
  /**
   * Resolves when it is set; events that are too old already are removed afterwards.
   * @param days 0 keeps events forever
   */
  setRetention(table: string, days: number): Promise<void>
  /** Removes the events older than `beforeNs`; no query finds them when it resolves. Of whole parts the room is free then, too. */
  trim(table: string, beforeNs: bigint): Promise<void>
  /**
   * Inserts all rows or none; they are on disk and visible then. On a cluster each shard stores its rows or none of them.
   * @param rows one JSON array per row: data, _time, _sysTime, _row
   * @param options.token only for rows that may be sent again, byte for byte; where the rows were removed meanwhile, or others are
   * sent in their place, it must be another one
   * @throws UnreadableRowsError: nothing was stored. ServiceError: nothing was stored unless it says `mayHaveTakenEffect`.
   * Anything else: the rows may have been stored
   */
  insert(table: string, rows: Buffer, options?: InsertOptions): Promise<void>
  /** Inserts all rows or none, those in columns among them; where there is none of them, {@link insert} is cheaper. @throws as insert does */
  readonly insertBlocks?: (table: string, rows: BlockRows, options?: InsertOptions) => Promise<void>
  /** Reads rows as {@link insert} would, and stores nothing. @throws as insert does */
  readonly tryRows?: (rows: Buffer) => Promise<void>
  /** Absent where nobody looks. @throws ServiceError `storage_full` where rows that are taken now might find no room later */
  readonly requireRoom?: () => void
  /** When each table was written to; absent where others write too. */
  readonly writes?: TableWrites
  /** Whether tokens of inserts are remembered: the embedded engine has no need to. */
  readonly remembersTokens: boolean
  /** Whether {@link join} is there: on a cluster it is not. */
  readonly canJoin: boolean
  /** Makes all rows of the staging table part of the other one at once; they are on disk and visible then. */
  join(staging: string, table: string): Promise<void>
}

export function createEventTables(engine: Engine, cluster?: Cluster): EventTables {
  const place: TablePlace = cluster ?? (engine.isServer ? 'server' : 'process')
  const writes = new TableWrites()
  const runAll = async (statements: readonly string[]) => {
    for (const statement of statements) await engine.run(statement)
  }
  const freed = createFreedSpace(engine, place)
  return {
    ...createStoredRequests(engine, place),
    ...freed,

    async upgrade() {
      if (place === 'server') await runAll((await listWithoutTokens(engine)).map(rememberTokens))
      // A full disk, or a cluster of which a host is away, is no reason not to start: times are only read more slowly.
      if (!cluster) await runAll((await listWithSlowTimes(engine)).map(writeFastTimes)).catch(() => undefined)
    },

    async create(table) {
      // While a shard is away, every try would leave another table on the others.
      if (cluster) await engine.check()
      await runAll(createEventTable(table, place))
    },

    async drop(table) {
      await runAll(dropEventTable(table, place))
      writes.forget(table)
    },

    list: () => listTables(engine, ''),

    setRetention: (table, days) => runAll(setRetention(table, days, place)),

    async trim(table, beforeNs) {
      await freed.dropOlder(table, beforeNs)
      const [older, values] = [`_time < fromUnixTimestamp64Nano({before:Int64}, 'UTC')`, { before: String(beforeNs) }]
      const left = await engine.select(`SELECT 1 FROM {table:Identifier} WHERE ${older} LIMIT 1`, { ...values, table })
      // A delete looks at every part, and needs room on the disk.
      if (left.length > 0) await engine.run(deleteRows(table, older, place), values)
    },

    ...insertsOf(engine, writes),

    ...(engine.tryJson && { tryRows: (rows) => reading(async () => engine.tryJson?.(EVENT_COLUMNS, rows)) }),

    ...(place === 'process' && { writes }),

    remembersTokens: place !== 'process',

    canJoin: cluster === undefined,

    async join(staging, table) {
      await writes.during(table, () => attach(engine, staging, table))
      await syncDirectories(engine, table)
    },
  }
}

function insertsOf(engine: Engine, writes: TableWrites): Pick<EventTables, 'insert' | 'insertBlocks'> {
  const { insertBlocks } = engine
  return {
    insert: (table, rows, options) =>
      writes.during(table, () => reading(() => engine.insertJson(table, EVENT_COLUMNS, rows, options))),
    ...(insertBlocks && {
      insertBlocks: (table, rows) => writes.during(table, () => reading(() => insertBlocks(table, EVENT_COLUMNS, rows))),
    }),
  }
}

const INCOMPATIBLE_COLUMNS = '122'
/** Columns are added to a table once in days. */
const ATTACH_TRIES = 3

/** The table may have been given a column since the staging table was made; its rows are then read as if they had it. */
async function attach(engine: Engine, staging: string, table: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await engine.run(`ALTER TABLE ${table} ATTACH PARTITION ID 'all' FROM ${staging}`)
    } catch (error) {
      if (engineCode(error) !== INCOMPATIBLE_COLUMNS || tries === ATTACH_TRIES) throw error
      await alignColumns(engine, staging, table)
    }
  }
}

/** @param condition more that must be true of a table; none if empty */
async function listTables(engine: Engine, condition: string): Promise<string[]> {
  const tables = await engine.select<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^(events|staging)_[a-z0-9]+$') ${condition}`,
  )
  return tables.map(({ name }) => name)
}

function listWithoutTokens(engine: Engine): Promise<string[]> {
  return listTables(engine, `AND engine = 'MergeTree' AND position(engine_full, 'non_replicated_deduplication_window') = 0`)
}

function listWithSlowTimes(engine: Engine): Promise<string[]> {
  const fast = `SELECT table FROM system.columns WHERE database = currentDatabase() AND ${WRITES_FAST_TIMES}`
  return listTables(engine, `AND engine = 'MergeTree' AND name NOT IN (${fast})`)
}

/** The engine's codes for rows it cannot read: INCORRECT_DATA, the CANNOT_PARSE… family, TYPE_MISMATCH, ARGUMENT_OUT_OF_BOUND. */
const UNREADABLE = new Set(['117', '6', '25', '26', '27', '38', '41', '53', '69', '72'])

/** @throws UnreadableRowsError where the engine cannot read what it is given; whatever else the task rejects with */
async function reading(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    throw UNREADABLE.has(engineCode(error) ?? '') ? unreadable(error as Error) : error
  }
}

function unreadable(cause: Error): UnreadableRowsError {
  const reason = String(cause.message).replace(/\s+/g, ' ').slice(0, 200)
  return new UnreadableRowsError(`the engine cannot store it: ${reason}`, { cause })
}

/** Joined parts are links to files that are on disk; that the links are there too is up to us. */
async function syncDirectories(engine: Engine, table: string): Promise<void> {
  const rows = await engine.select<{ path: string }>(
    'SELECT arrayJoin(data_paths) AS path FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    { table },
  )
  for (const { path } of rows) {
    // A server's disk is not ours to sync.
    const parts = await readdir(path, { withFileTypes: true }).catch(() => [])
    for (const part of parts) if (part.isDirectory()) await sync(join(path, part.name))
    if (parts.length > 0) await sync(path)
  }
}

async function sync(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    // Merged away in the meantime: the part that replaced it is synced by the engine.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
