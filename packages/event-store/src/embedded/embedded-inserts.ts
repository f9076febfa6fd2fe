/**
 * Inserts events into the embedded engine, several at a time, each with a session of its own.
 * Texts go through the engine's package. It accepts no binary data, so blocks go through a file that the engine reads from the page
 * cache.
 */

import { mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { EVENT_INSERTS_AT_ONCE, STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import type { Engine, EventRows } from '../engine/engine.ts'
import { describeFailure } from '../engine/engine-failures.ts'
import { EVENT_SETTINGS, EVENT_STRUCTURE } from '../schema/event-table.ts'
import type { Session } from './chdb.ts'

export interface EmbeddedInserts {
  insertTexts: Engine['insertJson']
  insertBlocks(table: string, columns: readonly string[], rows: EventRows): Promise<void>
  close(): Promise<void>
}

/** The resources of one insert under way. */
interface Inserter {
  session: Session
  blocks: InsertFile
  texts: InsertFile
}

/** @param directory of the engine */
export function createEmbeddedInserts(directory: string, open: () => Session): EmbeddedInserts {
  const sessions = Array.from({ length: EVENT_INSERTS_AT_ONCE }, open)
  // Only after the engine is open is it known that no other process has the directory.
  const files = clearInsertFiles(directory)
  const inserters = sessions.map((session, index) => ({
    session,
    blocks: createInsertFile(files, `${index}.native`),
    texts: createInsertFile(files, `${index}.jsonl`),
  }))
  // The index of a permit is that of its inserter.
  const statements = new Gate({ ...STATEMENTS, slots: inserters.length })

  async function run(task: (inserter: Inserter) => Promise<void>): Promise<void> {
    using permit = await statements.acquire()
    try {
      await task(inserters[permit.index] as Inserter)
    } catch (cause) {
      throw describeFailure(cause, { kind: 'insert', name: 'the store' })
    }
  }

  return {
    insertTexts: (table, columns, texts) =>
      run(({ session }) => insertTexts(session, { table, columns, values: Buffer.concat(texts) })),
    insertBlocks: (table, columns, rows) => run((inserter) => insertBlocks(inserter, table, columns, rows)),
    async close() {
      await statements.idle()
      for (const { session, blocks, texts } of inserters) {
        session.close()
        await blocks.close()
        await texts.close()
      }
    },
  }
}

interface Texts {
  table: string
  columns: readonly string[]
  values: Buffer
}

export async function insertTexts(session: Session, texts: Texts): Promise<void> {
  await session.insert({ ...texts, format: 'JSONCompactEachRow', settings: EVENT_SETTINGS })
}

/** All rows become one part, so that they are stored all or none: one thread writes, and joins its input up to this size. */
const ONE_PART = { max_insert_threads: 1, min_insert_block_size_rows: 0, min_insert_block_size_bytes: 1_073_741_824 } as const

async function insertBlocks(inserter: Inserter, table: string, columns: readonly string[], rows: EventRows): Promise<void> {
  const { session, blocks, texts } = inserter
  const names = columns.join(', ')
  const from = ({ path }: InsertFile, format: string) =>
    `SELECT ${names} FROM file(${quoteText(path)}, ${format}, ${quoteText(EVENT_STRUCTURE)})`
  const settings = Object.entries({ ...EVENT_SETTINGS, ...ONE_PART }).map(([name, value]) => `${name} = ${value}`)
  const sources = [from(blocks, 'Native')]
  try {
    await blocks.write(rows.blocks)
    if (rows.texts.length > 0) {
      await texts.write(rows.texts)
      sources.push(from(texts, 'JSONCompactEachRow'))
    }
    await session.queryAsync(`INSERT INTO ${table} (${names}) ${sources.join(' UNION ALL ')} SETTINGS ${settings.join(', ')}`)
  } finally {
    await blocks.clear()
    if (rows.texts.length > 0) await texts.clear()
  }
}

interface InsertFile {
  readonly path: string
  write(buffers: readonly Uint8Array[]): Promise<void>
  /** Empties the file, so that events do not stay here and most never reach the disk. If that fails, the next write empties it. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Opens the directory of the files, and removes the files of a killed process. */
function clearInsertFiles(engineDirectory: string): string {
  const directory = join(engineDirectory, 'inserts')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { mode: 0o700 })
  return directory
}

/** @param name of the file, which is created on demand */
function createInsertFile(directory: string, name: string): InsertFile {
  const path = join(directory, name)
  let opened: Promise<FileHandle> | undefined
  return {
    path,
    async write(buffers) {
      opened ??= open(path, 'w', 0o600).catch((error: unknown) => {
        opened = undefined
        throw error
      })
      const file = await opened
      await file.truncate(0)
      let at = 0
      for (const buffer of buffers) {
        for (let from = 0; from < buffer.length; ) {
          const { bytesWritten } = await file.write(buffer, from, buffer.length - from, at)
          from += bytesWritten
          at += bytesWritten
        }
      }
    },
    async clear() {
      await opened?.then((file) => file.truncate(0)).catch(() => undefined)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
