/**
 * The records of a server that runs in the test's own process: real ones, in SQLite.
 * Deliberately not here: the server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecords } from '../../packages/records/src/open-records.ts'

/** @param dataDir kept when given; otherwise a temporary one that goes with the records */
export async function openTestRecords(dataDir?: string) {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'records-'))
  const records = await openRecords(directory)
  return {
    records,
    async [Symbol.asyncDispose]() {
      await records.close()
      if (dataDir === undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}
