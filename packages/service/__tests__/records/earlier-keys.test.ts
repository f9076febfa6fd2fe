/**
 * Requests that were sent to an earlier version and are repeated after its data was taken over: they are known. Keys are remembered
 * for a day, and the data is older, so the clock of the server is the test's; the engine forgets keys of ingest by the machine's clock,
 * so their times are moved.
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { TEST_TOKEN } from '../../../../__tests__/support/service.ts'
import { createTimer } from '../../src/automations/monitors/timer.ts'
import { createLog } from '../../src/log.ts'
import { openStore } from '../../src/open-store.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { openEmbeddedEngine } from '../../src/store/embedded-engine.ts'
import { takeOver } from '../../src/takeover/takeover.ts'
import { buildTestServer } from '../in-process.ts'
import { ask } from './earlier-answers.ts'
import { unpackEarlierData } from './earlier-data.ts'

const HOUR = 3_600_000

/** A server in this process that takes the directory over. */
async function startOver(dataDir: string, clock: () => number) {
  const records = await openRecords(dataDir)
  const log = createLog(() => undefined)
  const store = await openStore({ directory: join(dataDir, 'engine') }, records, {
    fieldsMax: 1_024,
    clock,
    takeOver: (engine) => takeOver({ engine, records, dataDir, log }),
  })
  const app = await buildTestServer({ records, store, log, dataDir, clock: createTimer(clock) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    records,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    token: TEST_TOKEN,
    async [Symbol.asyncDispose]() {
      await app.close()
      await store.close()
      await records.close()
    },
  }
}

test.each(['version-4', 'version-4-killed'] as const)('a create with a key is known in %s', async (name) => {
  using earlier = unpackEarlierData(name)
  const { annotationKey, madeAt, annotations } = earlier.expected
  await using service = await startOver(earlier.dataDir, () => Date.parse(madeAt) + HOUR)
  const { body, headers, id, otherBodyIs } = annotationKey
  expect(await ask(service, 'POST', '/v2/annotations', { body, headers })).toMatchObject({ status: 201, body: { id } })
  const other = { ...(body as object), title: 'other' }
  expect((await ask(service, 'POST', '/v2/annotations', { body: other, headers })).status).toBe(otherBodyIs)
  expect((await ask(service, 'GET', '/v2/annotations')).body).toHaveLength(annotations.length)
})

test('a create with a key of version 1, which hashed contents in another way, is refused rather than stored twice', async () => {
  using earlier = unpackEarlierData('version-1')
  const { annotationKey, madeAt, annotations } = earlier.expected
  await using service = await startOver(earlier.dataDir, () => Date.parse(madeAt) + HOUR)
  expect(await ask(service, 'POST', '/v2/annotations', annotationKey)).toMatchObject({ status: 422 })
  expect((await ask(service, 'GET', '/v2/annotations')).body).toHaveLength(annotations.length)
})

/** As if the requests had come an hour ago. */
async function moveKeys(dataDir: string): Promise<void> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  await engine.run(`ALTER TABLE ingest_keys UPDATE written_at_ms = ${Date.now() - HOUR} WHERE 1 SETTINGS mutations_sync = 1`)
  await engine.close()
}

test.each(['version-2', 'version-4', 'version-4-killed'] as const)('an ingest with a key is known in %s', async (name) => {
  using earlier = unpackEarlierData(name)
  await moveKeys(earlier.dataDir)
  await using service = await startOver(earlier.dataDir, Date.now)
  const { ingestKey, unconfirmedIngestKey } = earlier.expected
  for (const request of [ingestKey, unconfirmedIngestKey]) {
    const { dataset, body, headers, answer } = request as NonNullable<typeof request>
    expect(await ask(service, 'POST', `/v1/datasets/${dataset}/ingest`, { body, headers })).toEqual({ status: 200, body: answer })
  }
  // The intent that came to nothing is not among them.
  const requests = await service.records.read.selectFrom('ingest_requests').selectAll().execute()
  expect(requests.map(({ state }) => state)).toEqual(['done', 'done'])
})
