/**
 * The keys of repeatable ingest requests as earlier versions kept them, in the events' database: an intent before the rows were
 * stored, and afterwards whether they were. Only read: they are taken over into the records.
 * Deliberately not here: for how long a key is remembered; the engine drops rows of this table after two days.
 */
import type { Engine } from '../store/engine.ts'

/** Where an event is; nanoseconds and the row id, decimal. */
interface EventPosition {
  timeNs: string
  row: string
}

/** A request whose events were stored. */
export interface EarlierIngestRequest {
  /** Hash over token, dataset and Idempotency-Key. */
  key: string
  /** Hash over body and parameters. */
  payload: string
  /** Table of the dataset. */
  table: string
  /** Where its first event is; absent where none was to be stored. */
  first?: EventPosition
  /** What was answered. */
  result: string
  createdAtMs: number
}

interface KeyRow {
  key: string
  attempt_payload: string
  attempt_table: string
  attempt_time: string
  attempt_row: string
  attempt_result: string
  attempt_at: string
  last_state: 'intent' | 'done' | 'void'
}

const PAGE_ROWS = 5_000

// The last attempt counts, unless it came to nothing. 64-bit integers leave as text: JSON numbers would be rounded.
const PAGE = `SELECT key, argMaxIf(payload, sequence, state != 'done') AS attempt_payload,
argMaxIf(dataset, sequence, state != 'done') AS attempt_table,
toString(argMaxIf(first_time_ns, sequence, state != 'done')) AS attempt_time,
toString(argMaxIf(first_row, sequence, state != 'done')) AS attempt_row,
argMaxIf(result, sequence, state != 'done') AS attempt_result,
toString(argMaxIf(written_at_ms, sequence, state != 'done')) AS attempt_at,
argMax(state, sequence) AS last_state
FROM ingest_keys WHERE key > {after:String} GROUP BY key
HAVING argMaxIf(state, sequence, state != 'done') = 'intent' ORDER BY key LIMIT ${PAGE_ROWS}
SETTINGS optimize_aggregation_in_order = 1`

/**
 * An intent that nothing followed came true if its first event is there: the events of a request were stored all or none.
 * @param eventTables all there are
 * @returns the requests that came true, page by page
 */
export async function* readIngestKeyRows(engine: Engine, eventTables: readonly string[]): AsyncGenerator<EarlierIngestRequest[]> {
  const there = new Set(eventTables)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: KeyRow[] = await engine.select<KeyRow>(PAGE, { after })
    const stored: EarlierIngestRequest[] = []
    for (const row of rows) {
      const request = fromRow(row)
      const { table, first } = request
      const cameTrue = row.last_state === 'done' || !first || (there.has(table) && (await hasEvent(engine, table, first)))
      if (cameTrue) stored.push(request)
    }
    yield stored
    after = rows.at(-1)?.key
  }
}

function fromRow(row: KeyRow): EarlierIngestRequest {
  return {
    key: row.key,
    payload: row.attempt_payload,
    table: row.attempt_table,
    ...(row.attempt_row !== '0' && { first: { timeNs: row.attempt_time, row: row.attempt_row } }),
    result: row.attempt_result,
    createdAtMs: Number(row.attempt_at),
  }
}

async function hasEvent(engine: Engine, table: string, { timeNs, row }: EventPosition): Promise<boolean> {
  const rows = await engine.select(
    `SELECT 1 AS found FROM {table:Identifier} WHERE _time = fromUnixTimestamp64Nano({time:Int64}, 'UTC') AND _row = {row:UInt64} LIMIT 1`,
    { table, time: timeNs, row },
  )
  return rows.length > 0
}
