/**
 * Services that go on while their records become older ones: a standby takes over without the last commits, or a backup is restored. What
 * the records do not know is forgotten at once, nothing that only the store of events has is dropped, and it is named.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { startSeveral } from '../../../../__tests__/support/several-services.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask, makeToken } from '../http.ts'
import { apl, ingest } from '../query/ask.ts'

type Databases = Awaited<ReturnType<typeof startDatabases>>

const count = async (service: RunningService, dataset: string, where = '') =>
  (await apl(service, `['${dataset}'] ${where} | summarize n = count()`)).body.tables?.[0]?.columns[0]?.[0]
const statusOf = async (service: RunningService, token: string) => (await ask(service, 'GET', '/v2/datasets', { token })).status

/** Each way begins with the state to go back to, and then goes back to it. */
const WAYS: Readonly<Record<string, (databases: Databases) => Promise<() => Promise<void>>>> = {
  'a standby takes over without the last commits': async ({ postgres }) => {
    await postgres.stop()
    postgres.saveState()
    await postgres.start()
    return async () => {
      await postgres.stop()
      postgres.restoreState()
      await postgres.start()
    }
  },
  'a backup is read in': async ({ postgres, url }) => {
    const dump = postgres.dump(url.href)
    return async () => postgres.readIn(url.href, dump)
  },
}

testOnServers.each(Object.keys(WAYS))(
  '%s: services forget what the records lost, keep its events, and go on',
  async (way) => {
    await using databases = await startDatabases()
    const { args } = databases
    await using all = await startSeveral(2, mkdtempSync(join(tmpdir(), 'failover-')), startService, { args })
    const [A, B] = all.services as [RunningService, RunningService]
    const old = await makeToken(A, ['datasets|read'])
    const kept = await makeToken(A, ['datasets|read'])
    await ingest(A, 'web', [{ i: 1 }])
    const goBack = await (WAYS[way] as (typeof WAYS)[string])(databases)
    await until('the services go on', async () => (await ask(A, 'GET', '/v2/user')).status === 200)

    const lost = await makeToken(A, ['datasets|read'])
    for (const dataset of ['tail1', 'tail2', 'tail3', 'tail4']) await ingest(B, dataset, [{ i: 1 }])
    await ingest(A, 'web', [{ i: 2, fresh: 'x' }])
    expect([await statusOf(B, lost.token), await count(B, 'tail1'), await count(B, 'web', "| where fresh == 'x'")]).toEqual([
      200, 1, 1,
    ])
    await goBack()
    await until('the services go on', async () => (await ask(A, 'GET', '/v2/user')).status === 200)
    await until('the services go on', async () => (await ask(B, 'GET', '/v2/user')).status === 200)

    for (const service of [A, B]) expect(await statusOf(service, lost.token)).toBe(401)
    expect((await ask(A, 'DELETE', `/v2/tokens/${old.id}`)).status).toBe(204)
    for (const service of [A, B])
      expect([await statusOf(service, old.token), await statusOf(service, kept.token)]).toEqual([401, 200])
    await ingest(A, 'new', [{ i: 1 }])
    await ingest(B, 'tail1', [{ i: 2 }, { i: 3 }])
    for (const service of [A, B]) {
      expect([await count(service, 'new'), await count(service, 'tail1'), await count(service, 'tail2')]).toEqual([
        1,
        2,
        undefined,
      ])
    }
    // The next events bring back the field that the records lost.
    await ingest(B, 'web', [{ i: 3 }])
    for (const service of [A, B]) expect(await count(service, 'web', "| where fresh == 'x'")).toBe(1)

    const message = 'the records know nothing of 4 tables of events'
    for (const service of [A, B]) {
      await until('the tables are named', async () => {
        const { body } = await ask<{ status: string; parts: object[] }>(service, 'GET', '/healthz')
        return JSON.stringify(body.parts).includes(message) && body.status === 'degraded'
      })
      expect(service.stderr).toContain('"event":"records-replaced"')
      expect(service.stderr.match(/"event":"unknown-table"/g)).toHaveLength(4)
    }
  },
  180_000,
)
