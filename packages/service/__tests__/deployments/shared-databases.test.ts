/**
 * Webhooks that come to three service processes over one ClickHouse server and one PostgreSQL.
 */
import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { deliver, genericEvent, makeIntegration, signGeneric } from '../../../edge/__tests__/platforms/webhooks.ts'
import { list } from '../http.ts'

const hasServers = hasClickHouse && hasPostgres
const testOnServers = hasServers ? test : test.skip
if (!hasServers) console.warn('skipped: this machine has no ClickHouse server and PostgreSQL to start')

const [START, END] = ['2026-03-01T12:00:00.000000001Z', '2026-03-01T12:05:00Z']
/** It starts five processes, which takes long where others use the machine too. */
const BUSY_MS_MAX = 180_000

testOnServers(
  'a deployment is one span with its end, whichever service its events come to, and however often',
  async () => {
    await using clickhouse = await startClickHouse()
    await using postgres = await startPostgres()
    const records = ['--postgres', await postgres.createDatabase()]
    const args = ['--clickhouse', clickhouse.url, ...records]
    const env = { ANNOTATION_SERVICE_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
    await using a = await startService({ args, env })
    await using b = await startService({ args, env })
    await using c = await startService({ args, env })
    await makeIntegration(a, 'generic')
    const send = async (service: typeof a, status: string, time: string, deployment: string) =>
      (await deliver(service, 'generic', signGeneric(genericEvent(status, time, { deployment })))).body

    const ROUNDS = 60
    for (let round = 0; round < ROUNDS; round++) {
      const deployment = `it's \\ {known:String} ${round}`
      const answers = await Promise.all([send(a, 'started', START, deployment), send(b, 'succeeded', END, deployment)])
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'created'])
    }
    const annotations = (await list(c)).body
    expect(annotations).toHaveLength(ROUNDS)
    for (const annotation of annotations) expect(annotation).toMatchObject({ time: START, endTime: END })

    const again = await Promise.all([a, b, c].map((service) => send(service, 'failed', '2026-03-01T12:06:00Z', 'again')))
    expect(again.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged'])
    expect(new Set(again.map(({ annotation }) => annotation)).size).toBe(1)
  },
  BUSY_MS_MAX,
)
