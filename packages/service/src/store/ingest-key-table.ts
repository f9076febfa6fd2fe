/**
 * The keys of ingest requests over the table `ingest_keys`: records to rows and back.
 */
import type { Engine, Row } from './engine.ts'
import type { IngestKeyStore, KeyRecord, KeyState } from './ingest-key-store.ts'

interface KeyRow {
  key: string
  payload: string
  state: KeyState
  dataset: string
  first_time: string
  first_row_text: string
  result: string
  written_at: string
  sequence_text: string
}

// 64-bit integers leave as text: JSON numbers would be rounded.
const MEMBERS = `key, payload, state, dataset, toString(first_time_ns) AS first_time, toString(first_row) AS first_row_text, result,
toString(written_at_ms) AS written_at, toString(sequence) AS sequence_text`

export function createIngestKeyTable(engine: Engine): IngestKeyStore {
  return {
    add: (records) => engine.insert('ingest_keys', records.map(toRow)),

    async find(key, sinceMs) {
      const rows = await engine.select<KeyRow>(
        `SELECT ${MEMBERS} FROM ingest_keys WHERE key = {key:String} AND written_at_ms >= {since:Int64}
ORDER BY sequence SETTINGS max_execution_time = 10`,
        { key, since: String(sinceMs) },
      )
      return rows.map(fromRow)
    },

    async listOpen(sinceMs) {
      const rows = await engine.select<KeyRow>(
        `SELECT ${MEMBERS}
FROM (SELECT *, argMax(state, sequence) OVER (PARTITION BY key) AS last_state FROM ingest_keys WHERE written_at_ms >= {since:Int64})
WHERE last_state = 'intent' AND state = 'intent'`,
        { since: String(sinceMs) },
      )
      return rows.map(fromRow)
    },
  }
}

function toRow({ key, payload, state, table, first, result, writtenAtMs, sequence }: KeyRecord): Row {
  return {
    key,
    payload,
    state,
    dataset: table,
    first_time_ns: first?.timeNs ?? '0',
    first_row: first?.row ?? '0',
    result,
    written_at_ms: String(writtenAtMs),
    sequence: String(sequence),
  }
}

function fromRow(row: KeyRow): KeyRecord {
  return {
    key: row.key,
    payload: row.payload,
    state: row.state,
    table: row.dataset,
    first: row.first_row_text === '0' ? undefined : { timeNs: row.first_time, row: row.first_row_text },
    result: row.result,
    writtenAtMs: Number(row.written_at),
    sequence: Number(row.sequence_text),
  }
}
