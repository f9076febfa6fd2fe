/**
 * Idempotency-Key of ingest: a request that is repeated with the same key and the same body is stored once, also when the
 * process was killed in between.
 *
 * Before a request's rows are inserted, an intent is: key, hash, where its first row will be, and the answer. A request's
 * rows are all there or none, so after a crash the first row tells whether the intent came true. That is found out once, at
 * start (`settle`); rows may be trimmed later, and must not be taken for missing then. Keys are remembered for 24 hours.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import type { Engine, Row } from '../store/engine.ts'
import type { Dataset } from './dataset.ts'
import type { Unit } from './event-writer.ts'

const REMEMBERED_MS = 24 * 60 * 60 * 1_000
/** How long a repeat waits for the first one before it is told to come again. */
const WAIT_MS_MAX = 2_000
/** Confirmations are written with the next intent, or after this long. */
const CONFIRM_MS = 1_000

export interface KeyedRequest {
  /** As the caller sent it, for messages. */
  shown: string
  /** Hash over token, dataset and key. */
  key: string
  /** Hash over the body and what else decides what is stored. */
  payload: string
}

/** What is done once per key. */
export interface Attempt {
  dataset: Dataset
  first: { timeNs: string; row: string } | undefined
  /** The answer if all goes well. */
  result: string
  /** Stores the rows after `before` has run. @returns the answer that counts */
  store(before: NonNullable<Unit['before']>): Promise<string>
}

export interface IngestKeys {
  /** @returns the answer, of this attempt or of the first one with the key */
  once(request: KeyedRequest, attempt: Attempt): Promise<string>
  /** Finds out which intents of an earlier process came true. */
  settle(datasets: readonly Dataset[]): Promise<void>
  /** Writes what is not confirmed yet. */
  close(): Promise<void>
}

/** @returns the hash that a key is kept under */
export function hashKeyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

interface KeyRow {
  key: string
  payload: string
  state: string
  dataset: string
  first_time: string
  first_row_text: string
  result: string
}

export function createIngestKeys(engine: Engine, clock: () => number): IngestKeys {
  const running = new Map<string, { payload: string; ended: Promise<void> }>()
  /** Intents that failed in this process, whether or not the note of it reached the disk. */
  const voided = new Set<string>()
  let unwritten: Row[] = []
  let timer: NodeJS.Timeout | undefined
  let sequence = clock() * 1_000

  const rowOf = (request: KeyedRequest, state: string, attempt?: Attempt): Row => ({
    key: request.key,
    payload: request.payload,
    state,
    dataset: attempt?.dataset.table ?? '',
    first_time_ns: attempt?.first?.timeNs ?? '0',
    first_row: attempt?.first?.row ?? '0',
    result: attempt?.result ?? '',
    written_at_ms: String(clock()),
    sequence: String(++sequence),
  })
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const rows = unwritten
    unwritten = []
    if (rows.length === 0) return
    try {
      await engine.insert('ingest_keys', rows)
    } catch {
      // Confirmations may come late or never: the next start finds out by itself.
      unwritten.unshift(...rows.slice(0, 10_000 - unwritten.length))
    }
  }
  const note = (row: Row) => {
    unwritten.push(row)
    timer ??= setTimeout(() => void flush(), CONFIRM_MS).unref()
  }
  const find = async (key: string): Promise<KeyRow | undefined> => {
    const rows = await engine.select<KeyRow>(
      `SELECT key, payload, state, dataset, toString(first_time_ns) AS first_time, toString(first_row) AS first_row_text, result
FROM ingest_keys WHERE key = {key:String} AND written_at_ms >= {since:Int64} ORDER BY sequence SETTINGS max_execution_time = 10`,
      { key, since: String(clock() - REMEMBERED_MS) },
    )
    const last = rows.findLast(({ state }) => state !== 'done')
    return last?.state === 'intent' && !voided.has(key) ? last : undefined
  }
  const run = async (request: KeyedRequest, attempt: Attempt): Promise<string> => {
    const first = await find(request.key)
    if (first) {
      if (first.payload !== request.payload) throw otherPayload(request.shown)
      return first.result
    }
    const before = {
      value: rowOf(request, 'intent', attempt),
      write: async (units: readonly Unit[]) => {
        const rows = [...unwritten, ...units.map((unit) => unit.before?.value as Row)]
        unwritten = []
        await engine.insert('ingest_keys', rows)
      },
    }
    try {
      const result = await attempt.store(before)
      voided.delete(request.key)
      note(rowOf(request, 'done'))
      return result
    } catch (error) {
      voided.add(request.key)
      note(rowOf(request, 'void'))
      throw error
    }
  }
  return {
    async once(request, attempt) {
      for (;;) {
        const first = running.get(request.key)
        if (!first) break
        if (first.payload !== request.payload) throw otherPayload(request.shown)
        if (!(await endsInTime(first.ended))) {
          throw new ServiceError(
            'in_flight',
            `the first request with Idempotency-Key ${JSON.stringify(request.shown)} is still under way`,
            {
              headers: { 'retry-after': '1' },
            },
          )
        }
      }
      const made = run(request, attempt)
      running.set(request.key, {
        payload: request.payload,
        ended: made.then(
          () => undefined,
          () => undefined,
        ),
      })
      try {
        return await made
      } finally {
        running.delete(request.key)
      }
    },

    async settle(datasets) {
      const tables = new Set(datasets.map(({ table }) => table))
      const open = await engine.select<KeyRow>(
        `SELECT key, payload, state, dataset, toString(first_time_ns) AS first_time, toString(first_row) AS first_row_text, result
FROM (SELECT *, argMax(state, sequence) OVER (PARTITION BY key) AS last_state FROM ingest_keys WHERE written_at_ms >= {since:Int64})
WHERE last_state = 'intent' AND state = 'intent'`,
        { since: String(clock() - REMEMBERED_MS) },
      )
      const rows: Row[] = []
      for (const { key, payload, dataset, first_time, first_row_text } of open) {
        const isStored =
          first_row_text === '0' || (tables.has(dataset) && (await hasRow(engine, dataset, first_time, first_row_text)))
        rows.push(rowOf({ key, payload, shown: '' }, isStored ? 'done' : 'void'))
      }
      if (rows.length > 0) await engine.insert('ingest_keys', rows)
    },

    close: flush,
  }
}

async function hasRow(engine: Engine, table: string, timeNs: string, row: string): Promise<boolean> {
  const rows = await engine.select(
    `SELECT 1 AS found FROM {table:Identifier} WHERE _time = fromUnixTimestamp64Nano({time:Int64}, 'UTC') AND _row = {row:UInt64} LIMIT 1`,
    { table, time: timeNs, row },
  )
  return rows.length > 0
}

async function endsInTime(ended: Promise<void>): Promise<boolean> {
  const late = new AbortController()
  const outcome = await Promise.race([ended.then(() => true), sleep(WAIT_MS_MAX, false, { signal: late.signal, ref: false })])
  late.abort()
  return outcome
}

function otherPayload(shown: string): ServiceError {
  return new ServiceError('invalid', `Idempotency-Key ${JSON.stringify(shown)} was used for another body; use a new key`)
}
