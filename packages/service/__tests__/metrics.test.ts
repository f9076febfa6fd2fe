/**
 * The figures at `/metrics`, read as Prometheus reads them.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { until } from '../../../__tests__/support/until.ts'
import { send } from './events/send.ts'
import { ask, created, MONITOR, tokenWith } from './http.ts'
import { testIf } from './test-if.ts'

const service = serviceForTests()

const testWithPromtool = testIf(() => {
  execFileSync('promtool', ['--version'], { stdio: 'ignore' })
  return { [Symbol.dispose]: () => undefined }
}, 'promtool of Prometheus is not here')

/** @returns the value of each series, by its name and labels */
async function read(token = service.token): Promise<Record<string, number>> {
  const { status, headers, body } = await ask<string>(service, 'GET', '/metrics', { token })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

test('what was done is counted, and what there is is measured', async () => {
  await created(service)
  await send(service, '[{"a":1},{"a":2},{"_time":"never"}]')
  await ask(service, 'GET', '/no/such/path')
  await service.waitForRequests(3)
  // An answer is counted once its connection knows that it is through.
  const missing = 'annotation_service_http_request_duration_seconds_count{method="any",route="none",status="404"}'
  await until('the answer', async () => (await read())[missing] !== undefined)
  await until('the events in their table', async () => (await read())['annotation_service_stored{kind="rows"}'] === 2)
  expect(await read()).toMatchObject({
    'annotation_service_http_request_duration_seconds_count{method="POST",route="/v2/annotations",status="201"}': 1,
    'annotation_service_http_request_duration_seconds_count{method="any",route="none",status="404"}': 1,
    'annotation_service_http_response_bytes_total{route="/v2/annotations"}': expect.any(Number),
    annotation_service_http_requests_active: 1,
    'annotation_service_events_total{outcome="ingested"}': 2,
    'annotation_service_events_total{outcome="failed"}': 1,
    annotation_service_event_bytes_total: 35,
    annotation_service_monitor_lag_seconds: 0,
    annotation_service_verdict_lag_seconds: expect.any(Number),
    'annotation_service_waiting{queue="events"}': 0,
    'annotation_service_waiting{queue="records"}': 0,
    'annotation_service_waiting{queue="large-requests"}': 0,
    'annotation_service_dataset_bytes{dataset="web"}': expect.any(Number),
    'annotation_service_stored{kind="rows"}': 2,
    'annotation_service_stored{kind="parts"}': 1,
    'annotation_service_stored{kind="bytes"}': expect.any(Number),
    'annotation_service_disk_bytes{state="free"}': expect.any(Number),
    process_resident_memory_bytes: expect.any(Number),
    process_open_fds: expect.any(Number),
    nodejs_eventloop_lag_p99_seconds: expect.any(Number),
  })
})

testWithPromtool('Prometheus finds nothing wrong with them', async () => {
  await send(service, '[{"a":1}]')
  const { body } = await ask<string>(service, 'GET', '/metrics')
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' })
  expect([stderr, stdout, status]).toEqual(['', '', 0])
})

test('a run of a monitor is counted', async () => {
  const body = { ...MONITOR, aplQuery: "['web'] | summarize count()", rangeMinutes: 5 }
  const made = await ask(service, 'POST', '/v2/monitors', { body: { type: 'Threshold', ...body } })
  expect(made.status).toBe(201)
  const runs = async () => (await read())['annotation_service_monitor_runs_total{outcome="measured"}'] ?? 0
  while ((await runs()) === 0) await new Promise((resolve) => setTimeout(resolve, 200))
})

test('any token may read them, and nobody without one', async () => {
  const weak = await tokenWith(service, ['annotations|read'])
  expect((await ask(service, 'GET', '/metrics', { token: weak })).status).toBe(200)
  expect((await ask(service, 'GET', '/metrics', { token: null })).status).toBe(401)
})

test('queries are counted in the queue that they went through', async () => {
  const queue = (name: string, of: 'queries' | 'long-queries') => `annotation_service_${name}{queue="${of}"}`
  const before = await read()
  const query = { apl: "['web'] | count", startTime: '2020-01-01T00:00:00Z', endTime: 'now' }
  expect((await ask(service, 'POST', '/v1/datasets/_apl?format=tabular', { body: query })).status).toBe(200)
  const after = await read()
  const started = queue('started_total', 'queries')
  expect(after[started]).toBeGreaterThan(before[started] as number)
  const idle = { waiting: 0, running: 0, refused_total: 0, wait_seconds_total: expect.any(Number) }
  for (const [name, value] of Object.entries(idle))
    expect(after).toMatchObject({ [queue(name, 'queries')]: value, [queue(name, 'long-queries')]: value })
})

test('datasets are named to those alone who may list them', async () => {
  await send(service, '[{"a":1}]', { dataset: 'secret-dataset' })
  const bytes = 'annotation_service_dataset_bytes{dataset="secret-dataset"}'
  await until('the events in their table', async () => ((await read())[bytes] ?? 0) > 100)
  expect(await read(await tokenWith(service, ['annotations|read']))).not.toHaveProperty([bytes])
})

test('no name that a caller chose is in them for others', async () => {
  await send(service, '[{"secretfield":1}]', { dataset: 'secret-dataset' })
  await ask(service, 'GET', '/secret-path')
  await fetch(`${service.url}/secret-path`, { method: 'SECRET' })
  const weak = await tokenWith(service, ['annotations|read'])
  expect(JSON.stringify(await read(weak))).not.toMatch(/secret/i)
})
