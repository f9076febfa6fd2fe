/**
 * What kill -9 leaves of webhooks under way: on the real service, and at each of their writes on a store that stops there.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'
import { createAnnotations } from '../../src/annotations/annotations.ts'
import { newAnnotationId } from '../../src/annotations/new-id.ts'
import { createDeployments } from '../../src/automations/deployments/deployments.ts'
import type { Integration } from '../../src/automations/integrations/integration.ts'
import { createLog } from '../../src/log.ts'
import { openStore } from '../../src/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { ask, list } from '../http.ts'
import { startWithStore } from '../in-process.ts'
import { deliver, genericEvent, makeIntegration, SECRET, signGeneric } from './webhooks.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'deployments-durability-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const START = '2026-03-01T12:00:00Z'
const END = '2026-03-01T12:05:00Z'

test('kill -9 while webhooks arrive: none acknowledged is lost, none is doubled, and a redelivery or the next start heals', async () => {
  const ROUNDS = 6
  const SENDERS = 8
  const acknowledged = new Map<string, { status: string; annotation: string }>()
  const begun = new Set<string>()
  await makeIntegration({ dataDir }, 'generic', { args: ['--title', '{version}'] })

  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ dataDir })
    const send = async (sender: number) => {
      for (let n = 0; ; n++) {
        const version = `${round}-${sender}-${n}`
        for (const [status, time] of [
          ['started', START],
          ['succeeded', END],
        ] as const) {
          begun.add(version)
          const { body } = await deliver(
            service,
            'generic',
            signGeneric(genericEvent(status, time, { deployment: version, version })),
          )
          acknowledged.set(version, { status, annotation: body.annotation ?? '' })
        }
      }
    }
    const senders = Array.from({ length: SENDERS }, (_, sender) => send(sender).catch(() => undefined))
    await setTimeout(400 + 91 * round)
    await service.kill()
    await Promise.all(senders)
  }

  await using service = await startService({ dataDir })
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * 2)
  const byTitle = async () => {
    const found = new Map<string, Annotation[]>()
    for (const one of (await list(service)).body) found.set(one.title ?? '', [...(found.get(one.title ?? '') ?? []), one])
    return found
  }
  let stored = await byTitle()
  for (const [version, { status, annotation }] of acknowledged) {
    expect(stored.get(version)?.map(({ id }) => id)).toEqual([annotation])
    if (status === 'succeeded') expect(stored.get(version)).toMatchObject([{ time: START, endTime: END }])
  }
  expect([...stored.values()].filter((annotations) => annotations.length > 1)).toEqual([])

  // The platform sends everything again that it got no answer to, and what it has sent before.
  for (const version of begun) {
    for (const [status, time] of [
      ['succeeded', END],
      ['started', START],
    ] as const) {
      const answer = await deliver(service, 'generic', signGeneric(genericEvent(status, time, { deployment: version, version })))
      expect(answer.status).toBe(200)
    }
  }
  stored = await byTitle()
  expect([...stored.keys()].sort()).toEqual([...begun].sort())
  for (const annotations of stored.values()) expect(annotations).toMatchObject([{ time: START, endTime: END }])
})

const INTEGRATION: Integration = {
  id: 'int_1',
  platform: 'generic',
  name: 'shop',
  datasets: ['web'],
  type: 'deploy',
  title: '{version}',
  environments: [],
  createdAt: START,
}

/** Webhooks over a store in which the n-th write, and all that come after it, do not happen. */
function stoppingAt(store: Store, writes: number, integration = INTEGRATION) {
  let left = writes
  const stopping =
    <Arguments extends unknown[]>(write: (...args: Arguments) => Promise<void>) =>
    async (...args: Arguments) => {
      if (left-- <= 0) throw new Error('killed')
      await write(...args)
    }
  const { annotations, deployments } = store
  const newId = () => newAnnotationId(Date.now())
  return createDeployments({
    store: { ...deployments, create: stopping(deployments.create), change: stopping(deployments.change) },
    annotations: createAnnotations({
      store: { ...annotations, create: stopping(annotations.create), change: stopping(annotations.change) },
      clock: Date.now,
      newId,
    }),
    integrations: {
      ofPlatform: () => [{ integration, secret: SECRET }],
      find: (id) => (id === integration.id ? integration : undefined),
    },
    log: createLog(() => undefined),
    clock: Date.now,
    newId,
  })
}

const requestOf = (status: string, time: string, version: string) => {
  const { body, headers } = signGeneric(genericEvent(status, time, { deployment: version, version }))
  return { body: Buffer.from(body), headers }
}

test('stopped before any of its writes, an event is taken up by the next start, by its repeat and by the event after it', async () => {
  const store = await openStore({ directory: join(dataDir, 'engine') }, { dataDir, node: 0, fieldsMax: 1_024 })
  try {
    const healthy = stoppingAt(store, Number.POSITIVE_INFINITY)
    const started: [string, string] = ['started', START]
    const succeeded: [string, string] = ['succeeded', END]
    const all = async () => {
      const pages = []
      for await (const page of createAnnotations({ store: store.annotations, clock: Date.now, newId: String }).list({}))
        pages.push(...page)
      return pages
    }
    // An event that creates has three writes, and so has one that changes.
    for (const isFirst of [true, false]) {
      for (const writes of [0, 1, 2]) {
        for (const healing of ['start', 'repeat', 'next event'] as const) {
          const version = `${isFirst}-${writes}-${healing}`
          const [event, next] = isFirst ? ([started, succeeded] as const) : ([succeeded, started] as const)
          if (!isFirst) await healthy.receive('generic', requestOf(...started, version))
          await expect(stoppingAt(store, writes).receive('generic', requestOf(...event, version))).rejects.toThrow('killed')
          if (healing === 'start') await healthy.resume(new AbortController().signal)
          if (healing === 'repeat') await healthy.receive('generic', requestOf(...event, version))
          if (healing === 'next event') await healthy.receive('generic', requestOf(...next, version))
          const found = (await all()).filter(({ title }) => title === version)
          // Of an event of which nothing was written, only a repeat can know.
          const isLost = writes === 0 && healing !== 'repeat'
          expect([version, found.length]).toEqual([version, isFirst && isLost && healing === 'start' ? 0 : 1])
          const hasEnd = isFirst ? healing === 'next event' : !isLost
          if (found[0]) expect([version, found[0].endTimeNs !== undefined]).toEqual([version, hasEnd])
          expect(await store.deployments.listUnfinished(10)).toEqual([])
        }
      }
    }
  } finally {
    await store.close()
  }
})

test('what a removed integration left unfinished waits, and holds up nobody', async () => {
  const store = await openStore({ directory: join(dataDir, 'engine') }, { dataDir, node: 0, fieldsMax: 1_024 })
  try {
    const removed = { ...INTEGRATION, id: 'int_0' }
    await expect(stoppingAt(store, 1, removed).receive('generic', requestOf('started', START, 'x'))).rejects.toThrow('killed')
    await expect(stoppingAt(store, 1).receive('generic', requestOf('started', START, 'y'))).rejects.toThrow('killed')
    await stoppingAt(store, Number.POSITIVE_INFINITY).resume(new AbortController().signal)
    expect(await store.deployments.listUnfinished(10)).toMatchObject([{ integration: 'int_0', deployment: 'x', state: 'new' }])
  } finally {
    await store.close()
  }
})

test('a stop does not wait for all that is unfinished', async () => {
  const store = await openStore({ directory: join(dataDir, 'engine') }, { dataDir, node: 0, fieldsMax: 1_024 })
  try {
    await expect(stoppingAt(store, 1).receive('generic', requestOf('started', START, 'x'))).rejects.toThrow('killed')
    await stoppingAt(store, Number.POSITIVE_INFINITY).resume(AbortSignal.abort())
    expect(await store.deployments.listUnfinished(10)).toHaveLength(1)
  } finally {
    await store.close()
  }
})

test('a server that listens takes up what is unfinished, and serves on when that fails', async () => {
  let asked = 0
  const listUnfinished = async () => {
    asked++
    throw new Error('the table is gone')
  }
  await using server = await startWithStore({ deployments: { listUnfinished }, check: async () => undefined })
  expect((await ask(server, 'GET', '/healthz')).status).toBe(200)
  expect(asked).toBe(1)
  expect(server.lines.join('')).toContain('the table is gone')
})
