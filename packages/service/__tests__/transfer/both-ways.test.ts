/**
 * From one machine to shared databases and back: what the API answers is the same in all three places.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from '@jest/globals'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { annotation, answersOf, deliverAgain, type Filled, fill, KEY, KEYED, move, type Target } from './moving.ts'

const parent = folderForTests('transfer')
let filled: Filled
let before: Awaited<ReturnType<typeof answersOf>>
const at = (name: string) => join(parent, name)

beforeAll(async () => {
  await using service = await startService({ dataDir: at('first') })
  filled = await fill(service, { large: 30_000 })
  await sendKeyed(service)
  before = await answersOf(service)
})

testOnServers('what a service answers is the same on shared databases, and on one machine again', async () => {
  await using databases = await startDatabases()
  const places = databases.args
  const shared = ['--data', at('shared'), ...places]
  await move(['export', '--data', at('first'), '--to', at('there')])
  await move(['import', '--from', at('there'), ...shared])
  await expectSame('shared', places)
  await move(['export', '--to', at('back'), ...shared])
  await move(['import', '--from', at('back'), '--data', at('second')])
  await expectSame('second')
})

/** The service there answers the same, and tokens, secrets and keys that came along do what they did. */
async function expectSame(name: string, args: readonly string[] = []): Promise<void> {
  // The key of secrets is no part of an export.
  copyFileSync(at('first/encryption.key'), at(`${name}/encryption.key`))
  await using service = await startService({ dataDir: at(name), args })
  expect(await answersOf(service)).toEqual(before)
  const ingester = { url: service.url, token: filled.token }
  expect((await ask(ingester, 'GET', '/v2/annotations')).status).toBe(403)
  expect((await ask(ingester, 'POST', '/v1/datasets/large/ingest', { body: [] })).status).toBe(200)
  const repeat = { body: annotation(3), headers: { 'idempotency-key': 'key-3' } }
  expect(annotationIds()).toContain((await ask<{ id: string }>(service, 'POST', '/v2/annotations', repeat)).body.id)
  expect(await deliverAgain(service)).toEqual({ outcome: 'unchanged', annotation: filled.annotation })
  await sendKeyed(service)
  expect(await answersOf(service)).toEqual(before)
}

const annotationIds = () => (before.annotations as { id: string }[]).map(({ id }) => id)

const sendKeyed = (service: Target) =>
  ask(service, 'POST', '/v1/datasets/keyed/ingest', { body: KEYED, headers: { 'idempotency-key': KEY } })
