/**
 * ClickHouse embedded in this process (chDB), on a directory of its own.
 *
 * What it asks for, each seen in version 26.7:
 * - One statement runs at a time per session; the queue is ours, because the engine's own one holds a thread of Node's pool
 *   for every waiting statement. Bound parameters run one at a time per process. Inserts bind nothing, so they have a session
 *   and a queue of their own: reads and changes do not hold up creates.
 * - `clickhouse_settings` become `SET` and stay in the session, so settings are written into the statement that needs them.
 * - Aborting a call does not stop the engine, so reads carry `max_execution_time` instead.
 * - Exiting the process with an open session may crash it, so close() waits for what is under way.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { quoteText } from '@deployment-annotations/apl/sql'
import { STATEMENTS } from '../concurrency/queue-bounds.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import { loadChdb, type Session } from './chdb.ts'
import { createEmbeddedInserts, type EmbeddedInserts, insertTexts } from './embedded-inserts.ts'
import type { BoundValues, Bulk, Engine } from './engine.ts'
import { describeFailure, type StatementKind } from './engine-failures.ts'
import { EVENT_STRUCTURE } from './schema/event-table.ts'

type EmbeddedConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

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

/**
 * Opens the engine in this process on a directory of its own; takes about 0.2 s and blocks for it.
 * @throws DirectoryInUseError; Error when the engine is not installed or cannot read the directory
 */
export function openEmbeddedEngine(directory: string): Engine {
  const { Session, createChdbConnection } = loadChdb()
  const open = () => {
    // The two packages declare the same interface separately, so the compiler takes them for different ones.
    const connection = createChdbConnection({ path: directory }) as unknown as EmbeddedConnection
    return {
      client: createClient({ connection, log: { level: ClickHouseLogLevel.OFF } }),
      semaphore: new Semaphore(1, STATEMENTS),
    }
  }
  try {
    const openSession = () => ({ client: new Session(directory), semaphore: new Semaphore(1, STATEMENTS) })
    const [statements, inserts] = [open(), open()]
    const events = createEmbeddedInserts(directory, () => new Session(directory))
    const engine = createEngine(statements, inserts, events, createEmbeddedBulk(openSession), createTrial(openSession))
    endOnFault()
    return engine
  } catch (cause) {
    const pid = findHolder(directory)
    if (pid !== undefined) throw new DirectoryInUseError(directory, pid, { cause })
    throw new Error(`the engine cannot open ${directory}; its own reason is on the line before`, { cause })
  }
}

/** What a fault in native code ends a process with. */
const FAULTS = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL'] as const

/**
 * The engine catches these signals to describe the fault in a log that is not there when it is embedded, and its process hangs
 * (seen in version 26.7). A supervisor cannot start again what has not ended. Taking back a listener leaves the system's own action.
 */
function endOnFault(): void {
  const listener = () => undefined
  for (const signal of FAULTS) process.on(signal, listener).off(signal, listener)
}

/** A client, and its one statement at a time. */
interface Connection<Client> {
  client: Client
  semaphore: Semaphore
}
type ClientConnection = Connection<ReturnType<typeof createClient>>
type SessionConnection = Connection<Session>

function createEngine(
  statements: ClientConnection,
  inserts: ClientConnection,
  events: EmbeddedInserts,
  bulk: EmbeddedBulk,
  trial: Trial,
): Engine {
  const probe = (query: string) =>
    run('read', inserts, async (client) => void (await (await client.query({ query, format: 'JSONEachRow' })).json()))
  return {
    isServer: false,
    select: <T>(query: string, values: BoundValues = {}) =>
      run('read', statements, async (client) =>
        (await client.query({ query, query_params: values, format: 'JSONEachRow' })).json<T>(),
      ) as Promise<T[]>,
    run: (query, values = {}) =>
      run('change', statements, async (client) => void (await client.command({ query, query_params: values }))),
    // Among the inserts, which are quick.
    probe,
    insert: (table, values) =>
      run('insert', inserts, async (client) => void (await client.insert({ table, values, format: 'JSONEachRow' }))),
    insertJson: events.insertTexts,
    insertBlocks: events.insertBlocks,
    tryJson: trial.insert,
    bulk,
    check: () => probe('SELECT 1'),
    async close() {
      await bulk.close()
      await trial.close()
      await events.close()
      for (const { semaphore } of [statements, inserts]) await semaphore.idle()
      for (const { client } of [statements, inserts]) await client.close()
    },
  }
}

interface Trial {
  insert(columns: readonly string[], values: Buffer): Promise<void>
  close(): Promise<void>
}

/** Rows go nowhere: the table is of its session, without a file, and keeps nothing. */
function createTrial(open: () => SessionConnection): Trial {
  let opened: SessionConnection | undefined
  let made: Promise<unknown> | undefined
  return {
    async insert(columns, values) {
      opened ??= open()
      const { client } = opened
      made ??= client.queryAsync(`CREATE TEMPORARY TABLE trial (${EVENT_STRUCTURE}) ENGINE = Null`)
      await made
      await run('read', opened, async (session) => void (await insertTexts(session, { table: 'trial', columns, values })))
    },
    async close() {
      await opened?.semaphore.idle()
      opened?.client.close()
    },
  }
}

interface EmbeddedBulk extends Bulk {
  close(): Promise<void>
}

/** @param open opens a session, which there is once it is needed: few services are ever exported */
function createEmbeddedBulk(open: () => SessionConnection): EmbeddedBulk {
  let opened: SessionConnection | undefined
  const runBulk = <T>(kind: StatementKind, task: (session: SessionConnection['client']) => Promise<T>) => {
    opened ??= open()
    return run(kind, opened, task)
  }
  return {
    select: <T>(sql: string) =>
      runBulk('read', async (session) => {
        const text = (await session.queryAsync(sql, { format: 'JSONEachRow' })).text()
        return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
      }),
    readNative: (sql) => runBulk('read', async (session) => (await session.queryAsync(sql, { format: 'Native' })).bytes()),
    insertNative: (table, columns, file) =>
      runBulk('insert', async (session) => {
        const names = columns.join(', ')
        const source = `file(${quoteText(file)}, Native, ${quoteText(EVENT_STRUCTURE)})`
        await session.queryAsync(`INSERT INTO ${table} (${names}) SELECT ${names} FROM ${source}`)
      }),
    async close() {
      await opened?.semaphore.idle()
      opened?.client.close()
    },
  }
}

async function run<Client, T>(
  kind: StatementKind,
  { client, semaphore }: Connection<Client>,
  task: (client: Client) => Promise<T>,
): Promise<T> {
  using _permit = await semaphore.acquire()
  return await described(kind, () => task(client))
}

async function described<T>(kind: StatementKind, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    throw describeFailure(cause, { kind, name: 'the store', isCluster: false })
  }
}
