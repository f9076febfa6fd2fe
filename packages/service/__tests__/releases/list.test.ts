/** Releases as stories, and the four metrics of delivery, over HTTP and by the typed client. */
import { readFileSync } from 'node:fs'
import type { Releases } from '@deployment-annotations/contract/schemas/release'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { createClient } from '../../../client/src/index.ts'
import { ask, created } from '../http.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

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
    { annotation: { id: back.id }, isRollback: true, undoes: bad.id, version: '2.14.1', hurt: false },
    { annotation: { id: failed.id }, result: 'failed', isRollback: false },
    { annotation: { id: bad.id }, undoneBy: back.id, hurt: true, restoreMs: 62 * 60_000 },
    { annotation: { id: good.id }, service: 'web', environment: 'production', result: 'succeeded', hurt: false },
  ])
  expect(open.map(({ id }) => id)).toEqual([goesOn.id])
  // Two were deployed in two days; of three attempts one was undone and one failed.
  expect(total).toEqual({
    service: '',
    environment: '',
    deployments: 2,
    perDay: 1,
    failed: 2,
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
    { day: DAY, deployments: 2, failed: 2, leadMs: all.leadMs, restoreMs: all.restoreMs },
    { day: '2026-02-01', deployments: 0, failed: 0, leadMs: null, restoreMs: null },
    { day: '2026-02-02', deployments: 0, failed: 0, leadMs: null, restoreMs: null },
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
    ['shop', '', false],
    ['shop', '', false],
  ])
  expect(total).toMatchObject({ deployments: 2, failed: 0, failureRate: 0, leadMs: null, restoreMs: null })
})
