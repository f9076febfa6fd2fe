/**
 * Deployments kept on a ClickHouse server: the same SQL text, over HTTP.
 */
import { expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { list } from '../http.ts'
import { deliver, genericEvent, makeIntegration, signGeneric } from './webhooks.ts'

const testOnServer = hasClickHouse ? test : test.skip
if (!hasClickHouse) console.warn('skipped: this machine has no ClickHouse server to start')

testOnServer('a deployment becomes one span there, whatever comes twice', async () => {
  await using server = await startClickHouse()
  await using service = await startService({ args: ['--clickhouse', server.url] })
  await makeIntegration(service, 'generic')
  const send = async (status: string, time: string) =>
    (await deliver(service, 'generic', signGeneric(genericEvent(status, time, { deployment: "it's \\ {known:String}" })))).body
  const outcomes = []
  for (const status of ['succeeded', 'started', 'succeeded', 'started'] as const) {
    const time = status === 'started' ? '2026-03-01T12:00:00.000000001Z' : '2026-03-01T12:05:00Z'
    outcomes.push((await send(status, time)).outcome)
  }
  expect(outcomes).toEqual(['created', 'changed', 'unchanged', 'unchanged'])
  expect((await list(service)).body).toMatchObject([{ time: '2026-03-01T12:00:00.000000001Z', endTime: '2026-03-01T12:05:00Z' }])
})
