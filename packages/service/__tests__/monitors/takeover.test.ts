/**
 * Three service processes over one ClickHouse server and one PostgreSQL: one is killed that runs a monitor and judges releases.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { expect } from '@jest/globals'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { insertRow } from '../../../records/__tests__/insert-row.ts'
import { openRecords } from '../../../records/src/open-records.ts'
import { ask, created, MONITOR } from '../http.ts'
import { ingest } from '../query/ask.ts'
import { iso, MINUTE, until } from './driven-service.ts'

/** A lease of 10 s, tried for every 2.5 s, and a run. */
const TAKEOVER_MS_MAX = 15_000
/** It starts five processes, which takes long where others use the machine too. */
const BUSY_MS_MAX = 180_000

const ERRORS = { ...MONITOR, aplQuery: "['web'] | where status >= 500 | summarize count()", rangeMinutes: 60 } as const

const SHOPS = Array.from({ length: 24 }, (_, n) => `shop-${n}`)

const hasRunMonitors = ({ stderr }: RunningService) => stderr.includes('"event":"monitor"')

testOnServers(
  'where one is killed, the others go on within 15 s, no span is doubled, and each release is judged and told once, within two minutes',
  async () => {
    await using databases = await startDatabases()
    const { args, url } = databases
    // The first one alone makes the tables.
    await using a = await startService({ args })
    await using b = await startService({ args })
    await using c = await startService({ args })
    const services = [a, b, c]
    await ingest(a, 'web', [{ status: 500 }])
    const atMs = Date.now() - 2 * 60 * MINUTE
    const events = Array.from({ length: 70 * 30 }, (_, n) => {
      return { _time: iso(atMs - 60 * MINUTE + n * 2_000), status: n < 60 * 30 ? 200 : 500 }
    })
    for (const shop of SHOPS) await ingest(a, shop, events)
    const records = await openRecords('', url)
    const definition = JSON.stringify({ name: 'all', events: ['verdict'], datasets: [], types: [] })
    await records.transaction((db) => insertRow(db, 'notifiers', { id: 'ntf_1', definition }))
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

    const releases = await Promise.all(SHOPS.map((shop) => created(b, { datasets: [shop], type: 'deploy', time: iso(atMs) })))
    const dueMs = performance.now()
    await until(async () => runner?.stderr.includes('"event":"verdict"') || undefined, BUSY_MS_MAX)
    await runner?.kill()
    const from = performance.now()
    const second = await create(survivor)
    await ask(other, 'PUT', `/v2/monitors/${first.id}`, { body: { threshold: 10 } })
    await whenIs(other, second.id, 'triggered', TAKEOVER_MS_MAX)
    const recovered = await whenIs(survivor, first.id, 'ok', TAKEOVER_MS_MAX)
    expect(performance.now() - from).toBeLessThan(TAKEOVER_MS_MAX)
    const annotations = (await ask<Annotation[]>(survivor, 'GET', '/v2/annotations?datasets=web')).body
    expect(annotations).toHaveLength(2)
    expect(annotations).toMatchObject([{ id: triggered.annotationId, endTime: recovered.since }, { id: expect.any(String) }])
    const judged = async () => (await ask<Annotation[]>(other, 'GET', '/v2/annotations?verdict=worse')).body
    await until(async () => (await judged()).length === SHOPS.length || undefined, BUSY_MS_MAX)
    expect(performance.now() - dueMs).toBeLessThan(2 * MINUTE)
    const told = await records.read.selectFrom('outbox').select('subject').execute()
    expect(told.map(({ subject }) => subject).sort()).toEqual(releases.map(({ id }) => id).sort())
    await records.close()
  },
  BUSY_MS_MAX,
)
