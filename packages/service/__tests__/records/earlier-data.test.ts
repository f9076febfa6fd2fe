/**
 * What earlier versions of the service left, opened by this one: everything is there, to the digit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { EARLIER_DATA, type Expected, parseDigits, unpackEarlierData } from './earlier-data.ts'

async function ask(service: RunningService, method: string, path: string, body?: unknown, headers = {}, token?: string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${token ?? service.token}`, 'content-type': 'application/json', ...headers },
    ...(text !== undefined && { body: text }),
  })
  return { status: response.status, body: parseDigits(await response.text()) }
}

const RANGE = { startTime: '1900-01-01T00:00:00Z', endTime: '2262-04-11T00:00:00Z' }
async function query(service: RunningService, apl: string) {
  const { status, body } = await ask(service, 'POST', '/v1/datasets/_apl?format=tabular', { apl, ...RANGE })
  return { apl, status, columns: (body as { tables?: [{ columns: unknown }] }).tables?.[0].columns }
}

async function seen(service: RunningService, expected: Expected) {
  const get = async (path: string) => (await ask(service, 'GET', path)).body
  const statusOf = async (secret: string) => (await ask(service, 'GET', '/v2/annotations', undefined, {}, secret)).status
  return {
    annotations: await get('/v2/annotations'),
    ...(expected.datasets && { datasets: await get('/v2/datasets') }),
    ...(expected.fields && { fields: await get('/v2/datasets/web/fields') }),
    ...(expected.queries && { queries: await Promise.all(expected.queries.map(({ apl }) => query(service, apl))) }),
    ...(expected.monitors && { monitors: await get('/v2/monitors') }),
    tokens: await Promise.all(expected.tokens.map(async (one) => ({ ...one, listsAnnotations: await statusOf(one.secret) }))),
    tokenList: (await runServiceCommand(['token', 'list', '--data', service.dataDir])).stdout,
    ...(expected.integrationList && {
      integrationList: (await runServiceCommand(['integration', 'list', '--data', service.dataDir])).stdout,
    }),
  }
}

/** What a crash left half done is finished at start, beside the first requests; what does not come is seen by who compares. */
async function finished(service: RunningService, { annotations }: Expected): Promise<void> {
  for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 100) {
    const { body } = await ask(service, 'GET', '/v2/annotations')
    if (isDeepStrictEqual(body, annotations)) return
    await sleep(100)
  }
}

test.each(EARLIER_DATA)('%s is all there, and again after a restart', async (name) => {
  using earlier = unpackEarlierData(name)
  for (let round = 0; round < 2; round++) {
    await using service = await startService({ dataDir: earlier.dataDir })
    await finished(service, earlier.expected)
    expect(earlier.expected).toMatchObject(await seen(service, earlier.expected))
    expect(await service.stop()).toMatchObject({ exitCode: 0 })
  }
})

test.each(['version-4', 'version-4-killed'] as const)('deployments of %s go on', async (name) => {
  using earlier = unpackEarlierData(name)
  await using service = await startService({ dataDir: earlier.dataDir })
  const { repeated = [], next } = earlier.expected.deployments ?? {}
  for (const { body, headers, outcome } of [...repeated, ...(next ? [next] : [])]) {
    expect(await ask(service, 'POST', '/v1/integrations/generic', body, headers)).toMatchObject({
      status: 200,
      body: { outcome },
    })
  }
})
