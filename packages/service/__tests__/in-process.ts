/**
 * The server on a socket in this process, over real records: for clocks, slowness and faults that a real process cannot be asked
 * for. Everything else is tested on the real process.
 */
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestRecords } from '../../../__tests__/support/records.ts'
import { TEST_TOKEN } from '../../../__tests__/support/service.ts'
import type { EventStore } from '../../event-store/src/event-store.ts'
import { faultyReads } from '../../records/__tests__/faulty-records.ts'
import { insertAnnotation, type StoredAnnotation } from '../../records/src/annotations/annotation-records.ts'
import { RecordCaches } from '../../records/src/database/record-caches.ts'
import type { Records } from '../../records/src/database/records.ts'
import { createLog } from '../../runtime/src/log.ts'
import { IntegrationRegistry } from '../src/automations/integrations/registry.ts'
import type { SlowClientLimits } from '../src/http/slow-clients.ts'
import type { ServerOptions } from '../src/parts.ts'
import { ROWS_MAX } from '../src/query/rows-max.ts'
import { createTimer } from '../src/scheduling/scheduler.ts'
import { buildServer } from '../src/server.ts'
import { TokenRegistry } from '../src/tokens/registry.ts'
import { acceptToken } from '../src/tokens/token.ts'

type TestParts = Pick<ServerOptions, 'records' | 'events'> & Partial<ServerOptions> & { token?: string; dataDir?: string }

/** A whole server for a test that says only what is its own: with the page and the test's token, without a log. */
export async function buildTestServer({ token = TEST_TOKEN, dataDir = '', ...parts }: TestParts) {
  const { records, events, log = createLog(() => undefined) } = parts
  const tokens = parts.tokens ?? new TokenRegistry(records, acceptToken(token))
  const integrations = parts.integrations ?? new IntegrationRegistry(records, { dataDir, log })
  const caches = parts.caches ?? new RecordCaches(records, [tokens, integrations, events.datasets])
  await caches.refresh()
  return buildServer({
    tokens,
    integrations,
    caches,
    log,
    queryRowsMax: ROWS_MAX,
    strictDatasets: false,
    dataDir: dataDir === '' ? tmpdir() : dataDir,
    dashboardDir: join(import.meta.dirname, '../public'),
    ...parts,
  })
}

interface WithoutStoreParts {
  /** Closed by who opened them; by default those of an empty data directory. */
  over?: Records
  /** Is called before annotations are read; what it throws is what the records say. */
  onAnnotationsRead?: () => void
  /** Of the store; by default it rejects. */
  check?: EventStore['tables']['check']
  clock?: () => number
  dashboardDir?: string
  slowClients?: Partial<SlowClientLimits>
  releaseTypes?: string[]
  requestMsMax?: number
  /** By default it listens on 127.0.0.1. */
  listens?: boolean
}

/** A server over records and nothing else: no test that uses it asks for events. */
export async function startWithoutStore(parts: WithoutStoreParts = {}) {
  const { over, onAnnotationsRead = () => {}, check, clock, listens = true, ...given } = parts
  const absent = async (): Promise<never> => {
    throw new Error('not part of this test')
  }
  const events = {
    datasets: { kind: 'catalogue', load: async () => undefined, find: () => undefined, list: () => [] },
    tables: { isShared: false, repairs: [], measure: async () => undefined, check: check ?? absent },
    upkeep: {},
    strays: { unknown: [] },
    damaged: { list: () => [] },
    load: () => ({}),
    sizes: { hasLimits: false, limits: {}, run: async () => undefined },
    reader: { read: absent, admit: absent, load: () => ({}), stateOf: () => undefined },
  } as unknown as EventStore
  const lines: string[] = []
  const opened = over ? { records: over, [Symbol.asyncDispose]: async () => undefined } : await openTestRecords()
  const { records } = opened
  const app = await buildTestServer({
    records: faultyReads(records, 'annotations', onAnnotationsRead),
    events,
    log: createLog((line) => lines.push(line)),
    ...(clock && { clock: createTimer(clock) }),
    ...given,
  })
  const port = () => (app.server.address() as AddressInfo).port
  if (listens) await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    records,
    port,
    url: listens ? `http://127.0.0.1:${port()}` : '',
    token: TEST_TOKEN,
    /** The log so far. */
    lines,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** @returns the routes of a service, but those of the method HEAD, by paths as the OpenAPI document writes them */
export async function listRoutes() {
  await using server = await startWithoutStore({ listens: false })
  const all = [...server.app.methodsByUrl].flatMap(([url, methods]) =>
    [...methods].map((method) => ({ method, path: url.replace(/:(\w+)/g, '{$1}') })),
  )
  return all.filter(({ method }) => method !== 'HEAD')
}

/** Makes annotations in the records themselves, because thousands take a minute over HTTP. */
export function insertAnnotations(records: Records, count: number, membersOf: (n: number) => Partial<StoredAnnotation>) {
  return records.transaction(async (db) => {
    for (let n = 0; n < count; n++) {
      const made = { id: `ann_${n}`, datasets: ['web'], type: 'deploy', timeNs: BigInt(n), createdAtMs: 0, createdBy: 'tok_test' }
      await insertAnnotation(db, { ...made, ...membersOf(n) })
    }
  })
}
