/**
 * The server on a socket in this process, over a store of the test's own making: for clocks, slowness and faults that a real
 * store cannot be asked for. Everything else is tested on the real process.
 */
import type { AddressInfo } from 'node:net'
import type { IntegrationRegistry } from '../../src/service/automations/integrations/registry.ts'
import type { EventStore } from '../../src/service/events/event-store.ts'
import { createLog } from '../../src/service/log.ts'
import { buildServer } from '../../src/service/server.ts'
import type { DeploymentStore } from '../../src/service/store/deployment-store.ts'
import type { Reader } from '../../src/service/store/reading/reader.ts'
import type { AnnotationStore, Store } from '../../src/service/store/store.ts'
import { acceptTestToken } from '../support/one-token.ts'
import { TEST_TOKEN } from '../support/service.ts'

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
  const store: Store = {
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
    check: check ?? absent,
    close: async () => undefined,
  }
  const lines: string[] = []
  // Routes of events, queries and monitors are there, and none of these tests asks one.
  const events = { datasets: {} } as unknown as EventStore
  const reader: Reader = { read: absent, close: async () => undefined }
  const monitors = { load: async () => [], save: absent }
  const app = await buildServer({
    store,
    events,
    integrations: integrations ?? { ofPlatform: () => [], find: () => undefined },
    reader,
    monitors,
    tokens: acceptTestToken(),
    log: createLog((line) => lines.push(line)),
    ...(clock && { clock }),
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
