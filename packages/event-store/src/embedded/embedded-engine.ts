/**
 * ClickHouse embedded in this process (chDB), on a directory of its own. Its peculiarities, each seen in version 26.7:
 * - One statement runs at a time per session. The queue is here, because the engine's own queue holds a thread of Node's pool for every
 *   waiting statement. Bound parameters run one at a time per process. Inserts and probes bind nothing, so they have sessions
 *   and queues of their own, and reads and changes do not delay them.
 * - A session in which a read failed is closed (chdb.ts).
 * - `clickhouse_settings` become `SET` and stay in the session, so settings are written into the statement that needs them.
 * - Aborting a call does not stop the engine, so reads carry `max_execution_time` instead.
 * - Exiting the process with an open session may crash it, so close() waits for statements under way.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { isRunning } from '@deployment-annotations/runtime/processes'
import type { BoundValues, Bulk, Engine } from '../engine/engine.ts'
import { EVENT_STRUCTURE } from '../schema/event-table.ts'
import { EmbeddedConnection, loadChdb, openSession, type Session, selectRows } from './chdb.ts'
import { createEmbeddedInserts, type EmbeddedInserts } from './embedded-inserts.ts'

type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/** Another process has the embedded engine's directory open. */
export class DirectoryInUseError extends Error {
  readonly pid: number

  constructor(directory: string, pid: number, options: ErrorOptions = {}) {
    super(`${directory} is in use by process ${pid}`, options)
    this.name = 'DirectoryInUseError'
    this.pid = pid
  }
}

/**
 * Finds the process that has the directory open. The engine reports why it cannot open a directory only on stderr; but while it has one
 * open, the file `status` there names its process.
 * @returns the id of the process, if it is visible from here
 */
export function findHolder(directory: string): number | undefined {
  const path = join(directory, 'status')
  const pid = existsSync(path) ? Number(/^PID: (\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1]) : Number.NaN
  return pid > 0 && pid !== process.pid && isRunning(pid) ? pid : undefined
}

/** The engine in this process, which also takes rows that an earlier version left. */
export interface EmbeddedEngine extends Engine {
  /** Inserts rows that an earlier version has left in its log: JSON text, one array per row with the values of `columns`. */
  insertTexts(table: string, columns: readonly string[], texts: Buffer): Promise<void>
}

/**
 * Opens the engine in this process on a directory of its own, which blocks for about 0.2 s.
 * @throws DirectoryInUseError; Error if the engine is not installed or cannot read the directory
 */
export function openEmbeddedEngine(directory: string): EmbeddedEngine {
  const { createChdbConnection } = loadChdb()
  const open = () => {
    // Two packages declare the same interface, so the compiler takes them for different ones.
    const connection = createChdbConnection({ path: directory }) as unknown as ClientConnection
    return createClient({ connection, log: { level: ClickHouseLogLevel.OFF } })
  }
  try {
    const openOne = () => openSession(directory)
    // This session is opened first, because connections of the client have no arguments for the engine.
    const events = createEmbeddedInserts(directory, openOne)
    const statements = new EmbeddedConnection(open).ensureOpen()
    const probes = new EmbeddedConnection(open).ensureOpen()
    const engine = createEngine({
      statements,
      probes,
      events,
      bulk: createEmbeddedBulk(openOne),
    })
    endOnFault()
    return engine
  } catch (cause) {
    const pid = findHolder(directory)
    if (pid !== undefined) throw new DirectoryInUseError(directory, pid, { cause })
    throw new Error(`the engine cannot open ${directory}; its own reason is on the line before`, { cause })
  }
}

/** The signals of a fault in native code. */
const FAULTS = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL'] as const

/**
 * Ends the process on a fault. The engine catches these signals to describe the fault in a log that it lacks when embedded, and its
 * process hangs (seen in version 26.7), so that no supervisor restarts it. Adding and removing a listener restores the default action.
 */
function endOnFault(): void {
  const listener = () => undefined
  for (const signal of FAULTS) process.on(signal, listener).off(signal, listener)
}

interface Parts {
  statements: EmbeddedConnection<ReturnType<typeof createClient>>
  probes: EmbeddedConnection<ReturnType<typeof createClient>>
  events: EmbeddedInserts
  bulk: EmbeddedBulk
}

function createEngine({ statements, probes, events, bulk }: Parts): EmbeddedEngine {
  return {
    select: <T>(query: string, values: BoundValues = {}) =>
      statements.run('read', async (client) =>
        (await client.query({ query, query_params: values, format: 'JSONEachRow' })).json<T>(),
      ) as Promise<T[]>,
    run: (query, values = {}) =>
      statements.run('change', async (client) => void (await client.command({ query, query_params: values }))),
    probe: (query) =>
      probes.run('read', async (client) => void (await (await client.query({ query, format: 'JSONEachRow' })).json())),
    insertBlocks: events.insertBlocks,
    insertTexts: events.insertTexts,
    bulk,
    async close() {
      await events.close()
      for (const connection of [bulk, statements, probes]) await connection.close()
    },
  }
}

interface EmbeddedBulk extends Bulk {
  close(): Promise<void>
}

/** @param open opens a session on demand, because few services are ever exported */
function createEmbeddedBulk(open: () => Session): EmbeddedBulk {
  const session = new EmbeddedConnection(open)
  return {
    select: <T>(sql: string) => session.run('read', (client) => selectRows<T>(client, sql)),
    readNative: (sql) => session.run('read', async (client) => (await client.queryAsync(sql, { format: 'Native' })).bytes()),
    run: (sql) => session.run('change', async (client) => void (await client.queryAsync(sql))),
    insertNative: (table, columns, file) =>
      session.run('insert', async (client) => {
        const names = columns.join(', ')
        const source = `file(${quoteText(file)}, Native, ${quoteText(EVENT_STRUCTURE)})`
        await client.queryAsync(`INSERT INTO ${table} (${names}) SELECT ${names} FROM ${source}`)
      }),
    close: () => session.close(),
  }
}
