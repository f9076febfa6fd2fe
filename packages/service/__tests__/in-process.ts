/**
 * The server on a socket in this process, over a store of the test's own making: for clocks, slowness and faults that a real
 * store cannot be asked for. Everything else is tested on the real process.
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { acceptTestToken } from '../../../__tests__/support/one-token.ts'
import { TEST_TOKEN } from '../../../__tests__/support/service.ts'
import type { IntegrationRegistry } from '../src/automations/integrations/registry.ts'
import { createTimer } from '../src/automations/monitors/timer.ts'
import type { EventStore } from '../src/events/event-store.ts'
import { createLog } from '../src/log.ts'
import type { OpenStore } from '../src/open-store.ts'
import { ROWS_MAX } from '../src/query/rows-max.ts'
import { buildServer, type ServerParts } from '../src/server.ts'
import type { DeploymentStore } from '../src/store/deployment-store.ts'
import type { AnnotationStore, Store } from '../src/store/store.ts'

/** A whole server for a test that says only what is its own: without integrations and log, with the test's token and the page. */
export function buildTestServer(parts: Pick<ServerParts, 'store'> & Partial<ServerParts>) {
  return buildServer({
    tokens: acceptTestToken(),
    integrations: { ofPlatform: () => [], find: () => undefined },
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
  integrations?: IntegrationRegistry
  check?: Store['check']
  clock?: () => number
  dashboardDir?: string
}

export async function startWithStore({ annotations, deployments, integrations, check, clock, dashboardDir }: StoreParts) {
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
    damagedTables: [],
    repairs: [],
    monitors: { load: async () => [], save: absent },
    check: check ?? absent,
    close: async () => undefined,
  }
  const lines: string[] = []
  const app = await buildTestServer({
    store,
    log: createLog((line) => lines.push(line)),
    ...(integrations && { integrations }),
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
    },
  }
}
