/** Releases as stories, and the four metrics of delivery, over HTTP and by the typed client. */
import { readFileSync } from 'node:fs'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Changes, Releases } from '@deployment-annotations/contract/release'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { createClient } from '../../../client/src/index.ts'
import { ask, created, tokenWith } from '../http.ts'
import { apl } from '../query/ask.ts'

const service = serviceForTests()

const DAY = '2026-01-31'
const at = (time: string) => `${DAY}T${time}:00Z`
const RANGE = { start: at('00:00'), end: '2026-02-02T00:00:00Z' }

async function listed(filter: object = {}): Promise<Releases> {
  await using client = createClient({ baseUrl: service.url, token: service.token })
  return await client.releases.list({ ...RANGE, ...filter })
}

test('a rollback and the release that it undid are one story, and metrics follow from it', async () => {
  const make = (title: string, time: string, members: object = {}) =>
    created(service, { datasets: ['web'], type: 'production-deploy', title, time: at(time), ...members })
  const good = await make('web 2.14.1', '08:00', {
    endTime: at('08:04'),
    description: 'success after 4 min\n\nCommitted: 2026-01-31T06:04:00Z',
  })
  const bad = await make('web 2.15.0', '09:00', { endTime: at('09:02') })
  const failed = await make('web 2.15.1', '09:10', { description: 'failure after 1 min', endTime: at('09:11') })
  const back = await make('web 2.14.1', '10:00', { endTime: at('10:02') })
  const other = await make('Deploy api v7.3.2 to staging', '10:05', { type: 'deploy', datasets: ['api'] })
  await created(service, { datasets: ['web'], type: 'incident', time: at('09:05'), endTime: at('09:45') })
  const goesOn = await created(service, { datasets: ['web'], type: 'incident', time: at('09:05'), open: true })

  const { releases, open, total, delivery, days } = await listed({ service: 'web' })
  expect(releases).toMatchObject([
    { annotation: { id: back.id }, isRollback: true, rollbackOf: bad.id, version: '2.14.1', isHarmful: false },
    { annotation: { id: failed.id }, result: 'failed', isRollback: false },
    { annotation: { id: bad.id }, rolledBackBy: back.id, isHarmful: true, restoreMs: 62 * 60_000 },
    { annotation: { id: good.id }, service: 'web', environment: 'production', result: 'succeeded', isHarmful: false },
  ])
  expect(open).toMatchObject([{ id: goesOn.id, isStale: true }])
  const { changes } = (await ask<Changes>(service, 'GET', `/v2/changes?time=${at('11:00')}&datasets=web`)).body
  for (const time of ['0001-01-01T00:00:00Z', '1207-01-03T13:06:19Z', '9999-01-01T00:00:00Z'])
    expect((await ask(service, 'GET', `/v2/changes?time=${time}`)).status).toBe(200)
  expect((await ask(service, 'GET', '/v2/releases?start=now-1d&end=now')).status).toBe(200)
  expect(changes.find(({ annotation }) => annotation.id === goesOn.id)?.reason).toBe('Open for more than a day on web: still on?')
  const fresh = await created(service, { datasets: ['fresh'], type: 'incident', open: true })
  const listing = await ask<Annotation[]>(service, 'GET', '/v2/annotations?datasets=fresh&include=all')
  expect(listing.body).toMatchObject([{ id: fresh.id, open: true }])
  expect(listing.body[0]).not.toHaveProperty('isStale')
  // Two were deployed in two days; of three attempts one was undone and one failed.
  expect(total).toEqual({
    service: '',
    environment: '',
    deployments: 2,
    perDay: 1,
    failed: 2,
    attempted: 3,
    failureRate: 0.667,
    leadMs: 2 * 60 * 60_000,
    restoreMs: 51 * 60_000,
  })
  // The query of docs/releases.md, for two days.
  const [example = ''] = /^\['_annotations'\]\n\| summarize perDay[^`]*/m.exec(readFileSync('docs/releases.md', 'utf8')) ?? []
  const range = { startTime: RANGE.start, endTime: RANGE.end }
  const { body } = await ask<{ tables: { columns: number[][] }[] }>(service, 'POST', '/v1/datasets/_apl?format=tabular', {
    body: { apl: example.replace('/ 30.0', '/ 2.0'), ...range },
  })
  const { total: all } = await listed()
  const [perDay, failureRate, leadMs, restoreMs] = (body.tables[0]?.columns ?? []).map(([value = 0]) =>
    Number(value.toPrecision(3)),
  )
  expect({ perDay, failureRate, leadMs, restoreMs }).toEqual({
    perDay: all.perDay,
    failureRate: all.failureRate,
    leadMs: all.leadMs,
    restoreMs: all.restoreMs,
  })
  expect(delivery.map((one) => [one.service, one.environment, one.deployments])).toEqual([
    ['web', 'production', 2],
    ['api', 'staging', 1],
  ])
  expect(days).toEqual([
    { day: DAY, deployments: 2, failed: 2, attempted: 3, leadMs: all.leadMs, restoreMs: all.restoreMs },
    { day: '2026-02-01', deployments: 0, failed: 0, attempted: 0, leadMs: null, restoreMs: null },
    { day: '2026-02-02', deployments: 0, failed: 0, attempted: 0, leadMs: null, restoreMs: null },
  ])
  const { releases: staging } = await listed({ environment: 'staging' })
  expect(staging.map(({ annotation, version }) => [annotation.id, version])).toEqual([[other.id, '7.3.2']])
})

test('what nobody says is not guessed: a release without words is of its dataset, and a word alone is no rollback', async () => {
  await created(service, { datasets: ['shop', 'pay'], type: 'deploy', time: at('11:00') })
  await created(service, { datasets: ['shop'], type: 'deploy', title: 'Release the new checkout page', time: at('12:00') })
  await created(service, { datasets: ['shop'], type: 'maintenance', title: 'Disk', time: at('12:00') })
  const { releases, total } = await listed({ datasets: ['shop'] })
  expect(releases.map(({ service: name, environment, isRollback }) => [name, environment, isRollback])).toEqual([
    ['shop', 'production', false],
    ['shop', 'production', false],
  ])
  expect(total).toMatchObject({ deployments: 2, failed: 0, failureRate: 0, leadMs: null, restoreMs: null })
})

test('incidents count where they were, a rollback undoes all it goes back over, and what is one release counts once', async () => {
  const names = new Map<string | undefined, string>()
  for (const { is, ...members } of JSON.parse(readFileSync(new URL('delivery.json', import.meta.url), 'utf8')))
    names.set((await created(service, { datasets: ['cart'], type: 'deploy', service: 'cart', ...members })).id, is)
  const { releases, delivery, before } = await listed({ datasets: ['cart'] })
  const storiesBy = (member: 'rollbackOf' | 'rolledBackBy' | 'duplicateOf') =>
    releases.flatMap((one) => (one[member] ? [[names.get(one.annotation.id), names.get(one[member])]] : []))
  expect(storiesBy('rollbackOf')).toEqual([['rollback', 'third']])
  expect(storiesBy('rolledBackBy')).toEqual(['third', 'second'].map((name) => [name, 'rollback']))
  expect(storiesBy('duplicateOf')).toEqual(Object.entries({ 'second again': 'second', detected: 'first' }))
  expect(delivery.map((one) => [one.environment, one.deployments, one.failed, (one.restoreMs ?? 0) / 60_000])).toEqual([
    ['production', 3, 3, 60],
    ['staging', 1, 0, 35],
  ])
  expect(before).toMatchObject({ deployments: 1, failed: 0, failureRate: 0 })
  expect((await listed({ datasets: ['cart'], environment: 'prod' })).total).toMatchObject({
    deployments: 3,
    restoreMs: 60 * 60_000,
  })
  const query = "['_annotations'] | where datasets has 'cart' and deployed | project version"
  const rows = await apl(service, query, { startTime: RANGE.start, endTime: RANGE.end })
  expect(rows.body.matches).toHaveLength(4)
})

test('of centuries, the days from the first release until today are charted, the newest 400 of them', async () => {
  const mark = (time: string, type = 'deploy') => created(service, { datasets: ['old'], type, title: 'old 1.0.0', time })
  await mark('2020-03-01T12:00:00Z')
  const daysOf = async (start: string, end: string) => {
    const { days } = await listed({ datasets: ['old'], start, end })
    return [days.length, days[0]?.day, days.at(-1)?.day, days.reduce((sum, { deployments }) => sum + deployments, 0)]
  }
  const everything = ['1678-01-01T00:00:00Z', '2261-01-01T00:00:00Z'] as const
  const today = new Date().toISOString().slice(0, 10)
  expect(await daysOf(...everything)).toEqual([400, expect.any(String), today, 0])
  await mark(new Date().toISOString())
  expect(await daysOf(...everything)).toEqual([400, expect.any(String), today, 1])
  expect(await daysOf(everything[0], '2020-04-09T23:00:00Z')).toEqual([40, '2020-03-01', '2020-04-09', 1])
  expect(await daysOf('2019-04-01T00:00:00Z', '2020-04-09T23:00:00Z')).toEqual([375, '2019-04-01', '2020-04-09', 1])
  expect(await daysOf('1950-01-01T00:00:00Z', '1990-01-01T00:00:00Z')).toEqual([0, undefined, undefined, 0])
})

test('what changed before a moment or an alert is ranked by nearness, kind and verdict, over all datasets', async () => {
  const day = '2026-03-05'
  const mark = (dataset: string, type: string, time: string, members: object = {}) =>
    created(service, { datasets: [dataset], type, title: `${type} of ${dataset}`, time: `${day}T${time}:00Z`, ...members })
  const [near, flag, elsewhere, old, running] = [
    await mark('shop', 'deploy', '09:50'),
    await mark('shop', 'feature-flag', '09:30'),
    await mark('mail', 'deploy', '09:55'),
    await mark('shop', 'deploy', '03:00'),
    await mark('shop', 'maintenance', '08:00', { endTime: `${day}T12:00:00Z` }),
  ]
  const stale = await mark('mail', 'maintenance', '00:00', { time: '2026-03-03T00:00:00Z', open: true })
  const late = await mark('shop', 'deploy', '10:03')
  await mark('shop', 'deploy', '10:30')
  await mark('shop', 'deploy', '00:00', { time: '2026-03-01T00:00:00Z' })
  const incident = await mark('shop', 'incident', '10:00')
  await using client = createClient({ baseUrl: service.url, token: service.token })
  const found = await client.releases.changes({ annotation: incident.id, datasets: ['shop', 'mail'] })
  expect(found).toMatchObject({ time: `${day}T10:00:00Z`, annotation: { id: incident.id }, start: '2026-03-04T10:00:00Z' })
  expect(found.changes.map(({ annotation: { id } }) => id)).toEqual(
    [near, running, flag, elsewhere, late, old, stale].map(({ id }) => id),
  )
  expect(found.total).toBe(7)
  expect(found.changes.map(({ likelihood, reason }) => `${likelihood}: ${reason}`)).toEqual([
    'possible: Not judged, on shop',
    'possible: Maintenance on shop',
    'possible: Not judged, on shop',
    'possible: Not judged, on mail',
    'unlikely: Not judged, on shop',
    'unlikely: Not judged, on shop',
    'unlikely: Open for more than a day on mail: still on?',
  ])
  expect(found.changes[0]).toMatchObject({ kind: 'release', msBefore: 600_000 })
  const atTime = await client.releases.changes({ time: `${day}T10:00:00Z`, before: '1h', datasets: ['mail'] })
  expect(atTime.changes.map(({ annotation: { id } }) => id)).toEqual([elsewhere.id, stale.id])
  for (const wrong of ['time=soon', 'before=90d', 'annotation=x', `time=now&annotation=${incident.id}`])
    expect((await ask(service, 'GET', `/v2/changes?${wrong}`)).status).toBe(422)
  expect((await ask(service, 'GET', '/v2/changes?annotation=ann_00000000000000000000000000')).status).toBe(404)
  expect((await ask(service, 'GET', '/v2/changes?monitor=mon_00000000000000000000000000')).status).toBe(404)
})

test('a verdict counts among changes, for who may see it', async () => {
  const at = Date.now() - 30 * 60_000
  const iso = (ms: number) => new Date(ms).toISOString()
  const requests = Array.from({ length: 90 * 60 }, (_, second) => {
    const ms = at - 60 * 60_000 + second * 1_000
    return { _time: iso(ms), status: second % (ms > at ? 4 : 50) === 0 ? 500 : 200 }
  })
  await ask(service, 'POST', '/v1/datasets/pay/ingest', { body: requests })
  const bad = await created(service, { datasets: ['pay'], type: 'config-change', title: 'Limit 9', time: iso(at) })
  const harmless = await created(service, {
    datasets: ['mute'],
    type: 'deploy',
    title: 'mute 1.0.1',
    time: iso(at + 10 * 60_000),
  })
  const ids = async (token?: string) => {
    const { body } = await ask<Changes>(service, 'GET', '/v2/changes?time=now&before=1h&datasets=pay,mute', { token })
    return body.changes.map(({ annotation: { id, verdict }, likelihood }) => [id, verdict, likelihood])
  }
  await until('the verdict', async () => (await ids())[0]?.[1] === 'worse')
  expect(await ids()).toEqual([
    [bad.id, 'worse', 'likely'],
    [harmless.id, undefined, 'possible'],
  ])
  expect(await ids(await tokenWith(service, ['annotations|read']))).toEqual([
    [harmless.id, undefined, 'possible'],
    [bad.id, undefined, 'possible'],
  ])
})
