/**
 * The engine: ClickHouse embedded in this process (chDB), or a ClickHouse server, through one client and with one SQL text.
 * Only the files of store/ speak to it, and all SQL of the service is there; the statements of queries are compiled by the
 * package apl. Here is what writes and looks up; queries have sessions of their own in reading/. Values travel as bound
 * parameters `{name:Type}` or as JSON rows of an insert, never in the text.
 *
 * What the embedded engine asks for, each seen in version 26.7:
 * - One statement runs at a time per session; the queue is ours, because the engine's own one holds a thread of Node's pool
 *   for every waiting statement. Bound parameters run one at a time per process. Inserts bind nothing, so they have a session
 *   and a queue of their own: reads and changes do not hold up creates.
 * - `clickhouse_settings` become `SET` and stay in the session, so settings are written into the statement that needs them.
 * - Aborting a call does not stop the engine, so reads carry `max_execution_time` instead.
 * - Exiting the process with an open session may crash it, so close() waits for what is under way.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { STATEMENTS } from '../concurrency/queue-bounds.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import { ServiceError } from '../errors.ts'
import { loadChdb } from './chdb.ts'

export type BoundValue = string | number | readonly string[] | null
export type BoundValues = Readonly<Record<string, BoundValue>>
/** A row of an insert, column by column; 64-bit integers as decimal text. */
export type Row = Readonly<Record<string, BoundValue>>

export interface Engine {
  /** @returns the rows of a SELECT; 64-bit integers must be selected as text, or they are rounded */
  select<T>(sql: string, values?: BoundValues): Promise<T[]>
  /** Runs a statement that returns nothing; resolves when its effect is as durable as the table's settings make it. */
  run(sql: string, values?: BoundValues): Promise<void>
  /** Reads beside the statements that wait, so that many of them do not look like a store that is not there. Binds nothing. */
  probe(sql: string): Promise<void>
  /** Inserts all rows or none. */
  insert(table: string, rows: readonly Row[]): Promise<void>
  /** Inserts rows that are JSON text already, one array per row with the values of `columns`: all or none. */
  insertJson(table: string, columns: readonly string[], rows: Buffer): Promise<void>
  close(): Promise<void>
}

type EmbeddedConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/**
 * How the engine reads events: the first of two equal names counts (there are none, we have looked), and neither texts that
 * look like dates nor booleans among numbers or texts become something else (["x", true] was stored as ["x", "true"]).
 * In the statement, because a setting would stay.
 */
const EVENT_SETTINGS = {
  type_json_skip_duplicated_paths: 1,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  input_format_json_read_bools_as_numbers: 0,
  input_format_json_read_bools_as_strings: 0,
  input_format_json_read_numbers_as_strings: 0,
  input_format_json_read_arrays_as_strings: 0,
  input_format_json_read_objects_as_strings: 0,
} as const

/** Another process has the embedded engine's directory open. */
export class DirectoryInUseError extends Error {
  readonly pid: number

  constructor(directory: string, pid: number, options: ErrorOptions) {
    super(`${directory} is in use by process ${pid}`, options)
    this.name = 'DirectoryInUseError'
    this.pid = pid
  }
}

/**
 * The engine says why it cannot open a directory on stderr only. While it has one open, the file `status` there names its
 * process, and is removed when it closes.
 * @returns the process that has the directory open, if it can be seen from here
 */
export function findHolder(directory: string): number | undefined {
  const path = join(directory, 'status')
  const pid = existsSync(path) ? Number(/^PID: (\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1]) : Number.NaN
  return pid > 0 && pid !== process.pid && isRunning(pid) ? pid : undefined
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user is there, and may not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Statements that a ClickHouse server gets at once from us. */
const SERVER_STATEMENTS_MAX = 8
const SERVER_REQUEST_MS_MAX = 30_000

/**
 * Opens the engine in this process on a directory of its own; takes about 0.2 s and blocks for it.
 * @throws DirectoryInUseError; Error when the engine is not installed or cannot read the directory
 */
export function openEmbeddedEngine(directory: string): Engine {
  const { Session, createChdbConnection } = loadChdb()
  const open = () => {
    // The two packages declare the same interface separately, so the compiler takes them for different ones.
    const connection = createChdbConnection({ path: directory }) as unknown as EmbeddedConnection
    return createClient({ connection, log: { level: ClickHouseLogLevel.OFF } })
  }
  try {
    const statements: Connection = { client: open(), semaphore: new Semaphore(1, STATEMENTS) }
    const inserts: Connection = { client: open(), semaphore: new Semaphore(1, STATEMENTS) }
    // Events have a session of their own, so that annotations do not wait for them; and the bytes go in as they are.
    const events = new Session(directory)
    const eventInserts = new Semaphore(1, STATEMENTS)
    const insertJson: Engine['insertJson'] = (table, columns, values) =>
      eventInserts.run(() =>
        translated(
          async () =>
            void (await events.insert({ table, columns, values, format: 'JSONCompactEachRow', settings: EVENT_SETTINGS })),
        ),
      )
    const engine = createEngine(statements, inserts, insertJson)
    const close = async () => {
      await eventInserts.idle()
      events.close()
      await engine.close()
    }
    return { ...engine, close }
  } catch (cause) {
    const pid = findHolder(directory)
    if (pid !== undefined) throw new DirectoryInUseError(directory, pid, { cause })
    throw new Error(`the engine cannot open ${directory}; its own reason is on the line before`, { cause })
  }
}

/**
 * Uses a ClickHouse server, for example `http://user:password@host:8123/database`.
 * @throws ServiceError `unavailable` when it cannot be reached or refuses us
 */
export async function openServerEngine(url: URL): Promise<Engine> {
  const client = createClient({
    url,
    application: 'annotation-service',
    max_open_connections: SERVER_STATEMENTS_MAX,
    request_timeout: SERVER_REQUEST_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const semaphore = new Semaphore(SERVER_STATEMENTS_MAX, STATEMENTS)
  const insertJson: Engine['insertJson'] = (table, columns, values) =>
    semaphore.run(() =>
      translated(async () => {
        // The client's own insert() takes rows, and would print them again. Names of tables and columns are ours.
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`,
          values: Readable.from([values], { objectMode: false }),
          clickhouse_settings: EVENT_SETTINGS,
        })
        await finished(stream.resume())
      }),
    )
  const connection = { client, semaphore }
  const engine = createEngine(connection, connection, insertJson)
  try {
    await engine.select('SELECT 1')
  } catch (cause) {
    await client.close()
    const where = `${url.protocol}//${url.host}${url.pathname}`
    throw new Error(`the ClickHouse server at ${where} cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  return engine
}

/** A client, and how many statements it may have under way. */
interface Connection {
  client: ClickHouseClient
  semaphore: Semaphore
}

function createEngine(statements: Connection, inserts: Connection, insertJson: Engine['insertJson']): Engine {
  const { client } = statements
  return {
    insertJson,
    select: <T>(query: string, values: BoundValues = {}) =>
      statements.semaphore.run(() =>
        translated(async () => (await client.query({ query, query_params: values, format: 'JSONEachRow' })).json<T>()),
      ) as Promise<T[]>,
    run: (query, values = {}) =>
      statements.semaphore.run(() => translated(async () => void (await client.command({ query, query_params: values })))),
    // Among the inserts, which are quick.
    probe: (query) =>
      inserts.semaphore.run(() =>
        translated(async () => void (await (await inserts.client.query({ query, format: 'JSONEachRow' })).json())),
      ),
    insert: (table, rows) =>
      inserts.semaphore.run(() =>
        translated(async () => void (await inserts.client.insert({ table, values: rows, format: 'JSONEachRow' }))),
      ),
    async close() {
      await Promise.all([statements.semaphore.idle(), inserts.semaphore.idle()])
      await client.close()
      if (inserts.client !== client) await inserts.client.close()
    },
  }
}

/** The engine's codes that a caller can do something about. */
const NOT_ENOUGH_SPACE = '243'
const TIMEOUT_EXCEEDED = '159'
const MEMORY_LIMIT_EXCEEDED = '241'

/** @returns the engine's own number of an error, as text */
export function engineCode(error: unknown): string | undefined {
  const { clickhouseCode, code } = (error ?? {}) as { clickhouseCode?: unknown; code?: unknown }
  const number = clickhouseCode ?? code
  return number === undefined ? undefined : String(number)
}

async function translated<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    // Not by class: the embedded engine's errors come from the other package's copy of it.
    const code = engineCode(cause)
    if (code === NOT_ENOUGH_SPACE || String(cause).includes('No space left on device'))
      throw new ServiceError('storage_full', 'the disk is full; nothing was stored', { cause })
    if (code === TIMEOUT_EXCEEDED || code === MEMORY_LIMIT_EXCEEDED) {
      throw new ServiceError('overloaded', 'the request took more time or memory than the store allows; narrow it or try again', {
        cause,
      })
    }
    throw cause
  }
}
