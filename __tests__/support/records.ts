/**
 * The records of a server that runs in the test's own process, with the test's token: real ones, in SQLite. Over one directory
 * they may be opened several times, as several services do.
 * Deliberately not here: the server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IntegrationRegistry } from '../../packages/service/src/automations/integrations/registry.ts'
import { createLog } from '../../packages/service/src/log.ts'
import { Followers } from '../../packages/service/src/records/followers.ts'
import { openRecords } from '../../packages/service/src/records/open-records.ts'
import { TokenRegistry } from '../../packages/service/src/tokens/registry.ts'
import { acceptToken } from '../../packages/service/src/tokens/token.ts'
import { TEST_TOKEN } from './service.ts'

export interface TestRecordsOptions {
  /** Kept when given; otherwise a temporary one that goes with the records. */
  dataDir?: string
  /** A PostgreSQL database for the records. */
  server?: URL
  token?: string
  log?: (line: string) => void
}

export type TestRecords = Awaited<ReturnType<typeof openTestRecords>>

/** @returns the records and what is kept of them in memory: parts of a server */
export async function openTestRecords({ dataDir, server, token = TEST_TOKEN, log = () => undefined }: TestRecordsOptions = {}) {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'records-'))
  const records = await openRecords(directory, server)
  const tokens = new TokenRegistry(records, acceptToken(token))
  const integrations = new IntegrationRegistry(records, { dataDir: directory, log: createLog(log) })
  const followers = new Followers(records, [tokens, integrations])
  await followers.refresh()
  return {
    records,
    tokens,
    integrations,
    followers,
    async [Symbol.asyncDispose]() {
      await records.close()
      if (dataDir === undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}
