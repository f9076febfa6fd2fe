/**
 * ClickHouse embedded in this process (chDB), on a directory of its own. Its peculiarities, each seen in version 26.7:
 * - One statement runs at a time per session. The queue is here, because the engine's own queue holds a thread of Node's pool for every
 *   waiting statement. Bound parameters run one at a time per process. Inserts and probes bind nothing, so they have sessions
 *   and queues of their own, and reads and changes do not delay them.
 * - A session in which a read failed is closed (chdb.ts).
 * - Settings stay in a session, so they are written into the statement that needs them.
 * - The engine's package accepts no binary data, so blocks go through a file that the engine reads from the page cache.
 * - Aborting a call does not stop the engine, so reads carry `max_execution_time` instead.
 * - Exiting the process with an open session may crash it, so close() waits for statements under way.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { EVENT_INSERTS_AT_ONCE } from '@deployment-annotations/runtime/concurrency/bounds'
import { isRunning } from '@deployment-annotations/runtime/processes'
import type { Engine } from '../engine/engine.ts'
import { EVENT_SETTINGS, EVENT_STRUCTURE, INDEXES_LATER } from '../schema/event-table.ts'
import { loadChdb, openSession, Sessions } from './chdb.ts'

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

/** @throws Error that names the process that has the directory open */
export function requireUnused(directory: string): void {
  const pid = findHolder(directory)
  if (pid === undefined) return
  throw new Error(`the data directory ${dirname(directory)} is in use by process ${pid}; stop it, or choose another with --data`)
}

/** The engine in this process, which also takes rows that an earlier version left. */
export interface EmbeddedEngine extends Engine {
  /** Inserts rows that an earlier version has left in its log: JSON text, one array per row with the values of `columns`. */
  insertTexts(table: string, columns: readonly string[], texts: Buffer): Promise<void>
}

/**
 * Opens the engine in this process on a directory of its own, which blocks for about 0.2 s.
 * @param directory in the data directory
 * @throws Error if another process has it open, or the engine is not installed or cannot read it
 */
export function openEmbeddedEngine(directory: string): EmbeddedEngine {
  loadChdb()
  const open = () => openSession(directory)
  const [statements, probes, bulk] = [new Sessions(open), new Sessions(open), new Sessions(open)]
  const inserts = new Sessions(open, EVENT_INSERTS_AT_ONCE)
  const files = join(directory, 'inserts')
  try {
    statements.ensureOpen()
    // Only now is it known that no other process has the directory. Files there are those of a killed process.
    rmSync(files, { recursive: true, force: true })
    mkdirSync(files, { mode: 0o700 })
    endOnFault()
  } catch (cause) {
    requireUnused(directory)
    throw new Error(`the engine cannot open ${directory}; its own reason is on the line before`, { cause })
  }
  return {
    prepare: async (task) => void (await task()),
    select: (sql, values) => statements.select(sql, values),
    run: (sql, values) => statements.change(sql, values),
    probe: async (sql) => void (await probes.select(sql)),
    insertBlocks: (table, columns, blocks) =>
      inserts.run('insert', async (session, index) => {
        const file = join(files, `${index}.native`)
        try {
          await writeFile(file, blocks, { mode: 0o600 })
          await session.queryAsync(
            `INSERT INTO ${table} (${columns.join(', ')}) FROM INFILE ${quoteText(file)} SETTINGS ${BLOCK_SETTINGS} FORMAT Native`,
          )
        } finally {
          // Events do not stay here, and most never reach the disk. If this fails, the next insert empties the file.
          await unlink(file).catch(() => undefined)
        }
      }),
    async insertTexts(table, columns, values) {
      const rows = { table, columns, values, format: 'JSONCompactEachRow', settings: EVENT_SETTINGS } as const
      await inserts.run('insert', (session) => session.insert(rows))
    },
    bulk: {
      select: (sql) => bulk.select(sql),
      run: (sql) => bulk.change(sql),
      readNative: (sql) => bulk.run('read', async (session) => (await session.queryAsync(sql, { format: 'Native' })).bytes()),
      async insertNative(table, columns, file) {
        const source = `file(${quoteText(file)}, Native, ${quoteText(EVENT_STRUCTURE)})`
        const sql = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${source}`
        await bulk.run('insert', (session) => session.queryAsync(sql))
      },
    },
    async close() {
      for (const sessions of [inserts, bulk, statements, probes]) await sessions.close()
    },
  }
}

/** All rows become one part, so that they are stored all or none: one thread writes, and joins its input up to this size. */
const ONE_PART = { max_insert_threads: 1, min_insert_block_size_rows: 0, min_insert_block_size_bytes: 1_073_741_824 } as const
const BLOCK_SETTINGS = Object.entries({ ...INDEXES_LATER, ...ONE_PART })
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ')

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
