/**
 * Three service processes over one ClickHouse server and one PostgreSQL: the one that runs the monitors is killed.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { ask, MONITOR } from '../http.ts'
import { ingest } from '../query/ask.ts'
import { until } from './driven-service.ts'

const hasServers = hasClickHouse && hasPostgres
const testOnServers = hasServers ? test : test.skip
if (!hasServers) console.warn('skipped: this machine has no ClickHouse server and PostgreSQL to start')

/** A lease of 10 s, tried for every 2.5 s, and a run. */
const TAKEOVER_MS_MAX = 15_000
/** It starts five processes, which takes long where others use the machine too. */
const BUSY_MS_MAX = 180_000

const ERRORS = { ...MONITOR, aplQuery: "['web'] | where status >= 500 | summarize count()", rangeMinutes: 60 } as const

const hasRunMonitors = ({ stderr }: RunningService) => stderr.includes('"event":"monitor"')

testOnServers(
  'where the service that runs the monitors is killed, another goes on within 15 s, and no span is doubled',
  async () => {
    await using clickhouse = await startClickHouse()
    await using postgres = await startPostgres()
    const args = ['--clickhouse', clickhouse.url, '--postgres', await postgres.createDatabase()]
    // The first one alone makes the tables.
    await using a = await startService({ args })
    await using b = await startService({ args })
    await using c = await startService({ args })
    const services = [a, b, c]
    await ingest(a, 'web', [{ status: 500 }])
    const create = async (at: RunningService) => (await ask<Monitor>(at, 'POST', '/v2/monitors', { body: ERRORS })).body
    const whenIs = (at: RunningService, id: string, status: string, msMax?: number) =>
      until(async () => {
        const { state } = (await ask<Monitor>(at, 'GET', `/v2/monitors/${id}`)).body
        return state.status === status ? state : undefined
      }, msMax)
    const first = await create(b)
    const triggered = await whenIs(c, first.id, 'triggered')
    const [runner, ...none] = services.filter(hasRunMonitors)
    expect(none).toEqual([])
    const [survivor, other] = services.filter((service) => service !== runner) as [RunningService, RunningService]

    await runner?.kill()
    const from = performance.now()
    const second = await create(survivor)
    await ask(other, 'PUT', `/v2/monitors/${first.id}`, { body: { threshold: 10 } })
    await whenIs(other, second.id, 'triggered', TAKEOVER_MS_MAX)
    expect(performance.now() - from).toBeLessThan(TAKEOVER_MS_MAX)
    const recovered = await whenIs(survivor, first.id, 'ok')
    const annotations = (await ask<Annotation[]>(survivor, 'GET', '/v2/annotations')).body
    expect(annotations).toHaveLength(2)
    expect(annotations).toMatchObject([{ id: triggered.annotationId, endTime: recovered.since }, { id: expect.any(String) }])
    expect([survivor, other].filter(hasRunMonitors)).toHaveLength(1)
  },
  BUSY_MS_MAX,
)
