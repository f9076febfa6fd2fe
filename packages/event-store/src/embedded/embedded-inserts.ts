/**
 * Inserts events into the embedded engine, several at a time, each with a session of its own.
 * The engine's package accepts no binary data, so blocks go through a file that the engine reads from the page cache.
 */

import { mkdirSync, rmSync } from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { EVENT_INSERTS_AT_ONCE, STATEMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import type { Engine } from '../engine/engine.ts'
import { describeFailure } from '../engine/engine-failures.ts'
import { EVENT_SETTINGS, INDEXES_LATER } from '../schema/event-table.ts'
import type { Session } from './chdb.ts'

export interface EmbeddedInserts {
  insertBlocks: Engine['insertBlocks']
  insertTexts(table: string, columns: readonly string[], texts: Buffer): Promise<void>
  close(): Promise<void>
}

/** @param directory of the engine */
export function createEmbeddedInserts(directory: string, open: () => Session): EmbeddedInserts {
  const sessions = Array.from({ length: EVENT_INSERTS_AT_ONCE }, open)
  // Only after the engine is open is it known that no other process has the directory.
  const files = clearInsertFiles(directory)
  // The index of a permit is that of its session.
  const statements = new Gate({ ...STATEMENTS, slots: sessions.length })

  async function run(task: (session: Session, file: string) => Promise<unknown>): Promise<void> {
    using permit = await statements.acquire()
    try {
      await task(sessions[permit.index] as Session, join(files, `${permit.index}.native`))
    } catch (cause) {
      throw describeFailure(cause, { kind: 'insert', name: 'the store' })
    }
  }

  return {
    insertBlocks: (table, columns, blocks) =>
      run(async (session, file) => {
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
    insertTexts: (table, columns, values) =>
      run((session) => session.insert({ table, columns, values, format: 'JSONCompactEachRow', settings: EVENT_SETTINGS })),
    async close() {
      await statements.idle()
      for (const session of sessions) session.close()
    },
  }
}

/** All rows become one part, so that they are stored all or none: one thread writes, and joins its input up to this size. */
const ONE_PART = { max_insert_threads: 1, min_insert_block_size_rows: 0, min_insert_block_size_bytes: 1_073_741_824 } as const
const BLOCK_SETTINGS = Object.entries({ ...INDEXES_LATER, ...ONE_PART })
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ')

/** Opens the directory of the files, and removes the files of a killed process. */
function clearInsertFiles(engineDirectory: string): string {
  const directory = join(engineDirectory, 'inserts')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { mode: 0o700 })
  return directory
}
