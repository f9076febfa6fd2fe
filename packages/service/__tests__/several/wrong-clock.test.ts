/**
 * Two services on shared databases, one of them on a machine whose clock is wrong: both go by the clock of the records.
 */
import { expect } from '@jest/globals'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { countEvents } from '../query/ask.ts'

const HOUR_MS = 3_600_000
const SCRIPT = 'packages/service/__tests__/several/wrong-clock.cjs'

const agoOf = (ms: number) => new Date(Date.now() - ms).toISOString()

testOnServers.each([40 * 24 * HOUR_MS, -HOUR_MS])(
  'a service whose clock is wrong by %i ms says so, and goes by the clock of the records',
  async (aheadMs) => {
    await using databases = await startDatabases()
    const { args } = databases
    await using right = await startService({ args })
    await using wrong = await startService({ args, script: SCRIPT, env: { AHEAD_MS: String(aheadMs) } })

    const { body: health } = await ask<{ parts: { name: string; message?: string }[] }>(wrong, 'GET', '/healthz')
    const message = health.parts.find(({ name }) => name === 'clock')?.message
    const seconds = Math.abs(aheadMs) / 1_000
    expect(message).toMatch(new RegExp(`^it is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the records$`))
    expect(wrong.stderr).toContain('"event":"clock-differs"')
    const { body: metrics } = await ask<string>(wrong, 'GET', '/metrics')
    const measured = Number(/^annotation_service_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1])
    expect(Math.round(measured)).toBe(aheadMs / 1_000)

    // The end of a token.
    const make = (expiresAt: string) =>
      ask<{ token: string }>(wrong, 'POST', '/v2/tokens', { body: { name: 'short', permissions: ['query|read'], expiresAt } })
    const { status, body } = await make(agoOf(-HOUR_MS / 2))
    expect(status).toBe(201)
    for (const service of [right, wrong]) expect((await ask(service, 'GET', '/v2/user', { token: body.token })).status).toBe(200)
    expect((await make(agoOf(1_000))).status).toBe(422)

    // The time of an event that has none, and what a trim removes.
    const events = [{}, { _time: agoOf(HOUR_MS / 2) }, { _time: agoOf(2 * HOUR_MS) }]
    expect((await ask(wrong, 'POST', '/v1/datasets/web/ingest', { body: events })).status).toBe(200)
    const lately = { apl: "['web'] | count", startTime: agoOf(HOUR_MS / 6), endTime: agoOf(-HOUR_MS / 6) }
    const { body: answer } = await ask(right, 'POST', '/v1/datasets/_apl?format=tabular', { body: lately })
    expect(answer).toMatchObject({ tables: [{ columns: [[1]] }] })
    expect((await ask(wrong, 'POST', '/v2/datasets/web/trim', { body: { maxDuration: '50m' } })).status).toBe(200)
    expect(await countEvents(right, 'web')).toBe(2)
  },
)
