/**
 * Both places where records can be, for tests that must hold in either: SQLite in a temporary directory, and a database of its own
 * on one PostgreSQL server for the file.
 *
 *   const places = usePlaces()
 *   places.each((at) => { test('…', async () => { await at.records.transaction(…) … }) })
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from '@jest/globals'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import { hasPostgres, startPostgres } from '../../../__tests__/support/postgres.ts'
import type { Records } from '../src/database/records.ts'
import { openRecords } from '../src/open-records.ts'

export interface Place extends AsyncDisposable {
  readonly records: Records
  readonly dataDir: string
  /** Absent for SQLite. */
  readonly url: URL | undefined
  /** The same records once more, as another service has them. */
  again(): Promise<Records>
}

export function usePlaces() {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined
  if (!hasPostgres) console.warn('skipped on PostgreSQL: this machine has no server to start')
  beforeAll(async () => {
    if (hasPostgres) server = await startPostgres()
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
  })
  const names = hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite']
  async function open(name: string): Promise<Place> {
    const dataDir = mkdtempSync(join(tmpdir(), 'records-'))
    const url = name === 'PostgreSQL' && server ? new URL(await server.createDatabase()) : undefined
    const opened: Records[] = []
    const again = async () => {
      const records = await openRecords(dataDir, url)
      opened.push(records)
      return records
    }
    return {
      records: await again(),
      dataDir,
      url,
      again,
      async [Symbol.asyncDispose]() {
        for (const records of opened) await records.close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }
  /** @param define makes the tests, given the place of the one that runs: it is opened before the test, and ends after it */
  function each(define: (at: Place, name: string) => void): void {
    describe.each(names)('on %s', (name) => {
      define(
        ofEachTest(() => open(name)),
        name,
      )
    })
  }
  return { names, open, each }
}
