/**
 * Events in bulk, for moving them: rows in the order of their table, a chunk at a time, and sums by which two tables are compared. Rows
 * never change, so two chunks with the same row ids are the same.
 * Deliberately not here: files and networks, and the list of tables.
 */
import type { Bulk } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { EVENT_COLUMNS, tableName } from '../schema/event-table.ts'
import type { EventTables } from './event-tables.ts'

/** The position of an event in the order of its table. */
interface EventPosition {
  /** Nanoseconds since the epoch, decimal. */
  timeNs: string
  /** Its row id, decimal. */
  row: string
}

/** The rows after `after`, up to `last` and with it, in the order of their table. */
export interface ChunkRange {
  /** If absent, the range begins with the first row. */
  after?: EventPosition | undefined
  last: EventPosition
}

/** Decimal sums over hashes of rows: the same for the same rows in any order, in any table. */
export interface ChunkSums {
  rows: number
  /** The sum over times and row ids. */
  keys: string
  /** The sum over all values of each row, with their types. */
  whole: string
}

export interface Chunk extends ChunkRange, ChunkSums {
  /** The rows in the engine's own format. */
  native: Uint8Array
}

/** Selects the rows that were there when an export began. */
export interface ChunkRequest {
  after?: EventPosition | undefined
  /** Rows with a later `_sysTime` are left out; nanoseconds since the epoch, decimal. */
  sysTimeNsMax: string
  rowsMax: number
}

/** A chunk that takes more memory is split. An event may have 16 MiB. */
const CHUNK_BYTES_MAX = 268_435_456
const TOO_MANY_BYTES = '396'
/** If rows are trimmed or arrive late while a chunk is read, it is read again, this often at most. */
const TRIES_MAX = 20

const KEYS = 'toString(sum(cityHash64(_time, _sysTime, _row))) AS keys'
/** Exports of before have the same sum of rows without a rest. */
const WHOLE = 'toString(sum(cityHash64(_time, _sysTime, _row, data) + if(empty(rest), 0, cityHash64(rest)))) AS whole'
const COUNT = 'toFloat64(count()) AS rows'

export type EventChunks = ReturnType<typeof createEventChunks>

export function createEventChunks(tables: EventTables) {
  const { bulk } = tables.engine
  const one = async <T>(sql: string) => (await bulk.select<T>(sql))[0] as T
  return {
    /** @returns how many rows a table has, and their latest `_sysTime` in nanoseconds since the epoch, decimal */
    measure: (table: string) =>
      one<{ rows: number; sysTimeNs: string }>(
        `SELECT ${COUNT}, toString(toUnixTimestamp64Nano(max(_sysTime))) AS sysTimeNs FROM ${tableName(table)}`,
      ),
    /** @returns the next rows, fewer than requested if they are large; `undefined` after the last one */
    read: (table: string, request: ChunkRequest) => readChunk(bulk, tableName(table), request),
    /** Resolves when earlier inserts whose sender is gone have ended. */
    settle: (table: string) => tables.settleInserts(table),
    sum: (table: string, range: ChunkRange) =>
      one<ChunkSums>(`SELECT ${COUNT}, ${KEYS}, ${WHOLE} FROM ${tableName(table)} WHERE ${within(range)}`),
    remove: (table: string, range: ChunkRange) => tables.deleteWhere(table, within(range)),
    /** @param file see {@link Bulk.insertNative} */
    insert: (table: string, file: string) => bulk.insertNative(tableName(table), EVENT_COLUMNS, file),
  }
}

interface Bounds extends EventPosition, Omit<ChunkSums, 'whole'> {}

async function readChunk(bulk: Bulk, table: string, request: ChunkRequest): Promise<Chunk | undefined> {
  const old = `_sysTime <= ${instant(request.sysTimeNsMax)}`
  let { rowsMax } = request
  for (let tries = 1; ; tries++) {
    const bounds = await readBounds(bulk, table, `${conditionAfter(request.after)} AND ${old}`, rowsMax)
    if (bounds.rows === 0) return undefined
    const range: ChunkRange = { after: request.after, last: { timeNs: bounds.timeNs, row: bounds.row } }
    const where = `${within(range)} AND ${old}`
    try {
      const native = await bulk.readNative(
        `SELECT ${EVENT_COLUMNS.join(', ')} FROM ${table} WHERE ${where} ORDER BY _time, _row SETTINGS max_result_bytes = ${CHUNK_BYTES_MAX}`,
      )
      const [sums] = await bulk.select<ChunkSums>(`SELECT ${COUNT}, ${KEYS}, ${WHOLE} FROM ${table} WHERE ${where}`)
      // If the row ids are the same before and after, the rows in between were the same.
      if (sums && sums.rows === bounds.rows && sums.keys === bounds.keys) return { ...range, ...sums, native }
    } catch (error) {
      if (engineCode(error) !== TOO_MANY_BYTES || bounds.rows === 1) throw error
      rowsMax = Math.ceil(bounds.rows / 4)
    }
    if (tries === TRIES_MAX) throw new Error(`the rows of ${table} changed ${TRIES_MAX} times while they were read`)
  }
}

/** Finds the last of the next rows. */
async function readBounds(bulk: Bulk, table: string, where: string, rowsMax: number): Promise<Bounds> {
  const [bounds] = await bulk.select<Bounds>(
    `SELECT ${COUNT}, ${KEYS}, toString(toUnixTimestamp64Nano(max((_time, _row)).1)) AS timeNs, toString(max((_time, _row)).2) AS row
FROM (SELECT _time, _sysTime, _row FROM ${table} WHERE ${where} ORDER BY _time, _row LIMIT ${Math.max(1, Math.trunc(rowsMax))})`,
  )
  return bounds as Bounds
}

/** The condition repeats `_time` alone, because that lets the engine use its index. */
function within({ after, last }: ChunkRange): string {
  const end = instant(last.timeNs)
  return `${conditionAfter(after)} AND _time <= ${end} AND (_time < ${end} OR _row <= ${integer(last.row)})`
}

function conditionAfter(after: EventPosition | undefined): string {
  if (!after) return '1'
  const start = instant(after.timeNs)
  return `_time >= ${start} AND (_time > ${start} OR _row > ${integer(after.row)})`
}

const instant = (ns: string) => `fromUnixTimestamp64Nano(toInt64('${BigInt(ns)}'), 'UTC')`
const integer = (text: string) => `toUInt64('${BigInt(text)}')`
