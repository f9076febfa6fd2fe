/**
 * The server on a socket in this process, over a store of the test's own making: for clocks, slowness and faults that a real
 * store cannot be asked for. Everything else is tested on the real process.
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openTestRecords, type TestRecords } from '../../../__tests__/support/records.ts'
import { TEST_TOKEN } from '../../../__tests__/support/service.ts'
import { createTimer } from '../src/automations/monitors/timer.ts'
import type { EventStore } from '../src/events/event-store.ts'
import { createLog } from '../src/log.ts'
import type { OpenStore } from '../src/open-store.ts'
import { ROWS_MAX } from '../src/query/rows-max.ts'
import { buildServer, type ServerParts } from '../src/server.ts'
import type { DeploymentStore } from '../src/store/deployment-store.ts'
import type { AnnotationStore, Store } from '../src/store/store.ts'

type TestParts = Pick<ServerParts, 'store'> & Partial<ServerParts> & { over: TestRecords }

/** A whole server for a test that says only what is its own: with the page, without a log. */
export function buildTestServer({ over, ...parts }: TestParts) {
  const { records, followers, tokens, integrations } = over
  return buildServer({
    records,
    followers,
    tokens,
    integrations,
    log: createLog(() => undefined),
    runsMonitors: true,
    queryRowsMax: ROWS_MAX,
    strictDatasets: false,
    dashboardDir: join(import.meta.dirname, '../public'),
    ...parts,
  })
}

export interface StoreParts {
  /** What is not given rejects. */
  annotations?: Partial<AnnotationStore>
  deployments?: Partial<DeploymentStore>
  /** By default those of an empty data directory; others are closed by who opened them. */
  over?: TestRecords
  check?: Store['check']
  clock?: () => number
  dashboardDir?: string
}

export async function startWithStore({ annotations, deployments, over, check, clock, dashboardDir }: StoreParts) {
  const absent = async (): Promise<never> => {
    throw new Error('not part of this test')
  }
  const store: OpenStore = {
    annotations: {
      create: absent,
      find: absent,
      findRepeated: absent,
      list: absent,
      change: absent,
      remove: absent,
      ...annotations,
    },
    deployments: { find: absent, create: absent, change: absent, listUnfinished: async () => [], ...deployments },
    // Routes of events, queries and monitors are there, and none of these tests asks one.
    events: { datasets: {} } as unknown as EventStore,
    reader: { read: absent, close: async () => undefined },
    monitors: { load: async () => [], save: absent },
    check: check ?? absent,
    close: async () => undefined,
  }
  const lines: string[] = []
  const opened = over ?? (await openTestRecords())
  const app = await buildTestServer({
    store,
    log: createLog((line) => lines.push(line)),
    over: opened,
    ...(clock && { clock: createTimer(clock) }),
    ...(dashboardDir && { dashboardDir }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    token: TEST_TOKEN,
    /** The log so far. */
    lines,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      if (!over) await opened[Symbol.asyncDispose]()
    },
  }
}
