/**
 * docs/operate.md against the service: every metric and label that its table and its alarms name is there, the view of them shows all that
 * it has a chart for, and the health parts are those that it explains.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { hasPrometheus } from '../../../__tests__/support/prometheus.ts'
import { sendOtlp } from '../../edge/__tests__/otlp/otlp.ts'
import { send } from './events/send.ts'
import { ask, make } from './http.ts'
import { apl } from './query/ask.ts'

const PAGE = readFileSync(new URL('../../../docs/operate.md', import.meta.url), 'utf8')

const service = serviceForTests({ args: ['--dataset-size-max', '100', '--size-max', '1000'] })
let metrics: string
beforeAll(async () => {
  await send(service, '[{"a":1}]')
  await ask(service, 'GET', '/v2/annotations')
  metrics = (await ask<string>(service, 'GET', '/metrics')).body
})

const rules = /```yaml\n(groups:[\s\S]*?)```/.exec(PAGE)?.[1] ?? ''

test('the alarms use names of metrics that there are', () => {
  const names = rules.match(/\b(?:annotation_service|process)_[a-z_]+/g) ?? []
  expect(names.length).toBeGreaterThan(9)
  for (const name of new Set(names)) expect([name, new RegExp(`^${name}[{ ]`, 'm').test(metrics)]).toEqual([name, true])
  for (const label of rules.match(/\b(?:state|kind|queue)="[^"]*"/g) ?? []) expect(metrics).toContain(label)
})

const folder = folderForTests('alarms')
const testWithPrometheus = hasPrometheus ? test : test.skip

testWithPrometheus('the alarms fire when they should, that of late monitors where no service runs any, and not otherwise', () => {
  writeFileSync(join(folder, 'rules.yml'), rules)
  copyFileSync(new URL('alarms.yaml', import.meta.url), join(folder, 'alarms.yaml'))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alarms.yaml'], { cwd: folder, encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})

const toAttribute = ([, key, stringValue]: readonly string[]) => ({ key, value: { stringValue } })

/** The metrics as a Collector sends them on: labels are attributes, and a histogram is one point. */
function asOtlp(text: string) {
  const series = new Map([...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, key = '', value]) => [key, Number(value)]))
  const toMetric = ([key, value]: [string, number]) => {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? []
    const attributes = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(toAttribute)
    const point = { timeUnixNano: `${Date.now()}000000`, attributes }
    if (!name.endsWith('_count')) return { name, gauge: { dataPoints: [{ ...point, asDouble: value }] } }
    const histogram = { ...point, count: String(value), sum: series.get(key.replace('_count', '_sum')) }
    return { name: name.replace('_count', ''), histogram: { aggregationTemporality: 1, dataPoints: [histogram] } }
  }
  const metrics = [...series].filter(([key]) => !/_(?:bucket|sum)\b/.test(key)).map(toMetric)
  const attributes = [toAttribute(['', 'service.instance.id', '127.0.0.1:8787'])]
  return { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ metrics }] }] }
}

test('the view that ships is stored, and each of its charts has rows of the metrics', async () => {
  const view = JSON.parse(readFileSync(new URL('../../../deploy/operating-view.json', import.meta.url), 'utf8'))
  const { charts } = await make<typeof view>(service, '/v2/saved-views', view)
  const { status } = await sendOtlp(service, 'metrics', asOtlp(metrics), { 'x-axiom-dataset': view.datasets[0] })
  expect([status, charts.length]).toEqual([200, 14])
  for (const { title, aplQuery } of charts) {
    const columns = (await apl(service, aplQuery)).body.tables?.[0]?.columns ?? []
    const isDrawn = columns.length > 1 && columns.every((column) => column.some((value) => value !== null))
    expect([title, isDrawn]).toEqual([title, true])
  }
})

test('the metrics of the service are those of the table', () => {
  const table = PAGE.slice(PAGE.indexOf('| metric, after'), PAGE.indexOf('Beside them are those of every Node process'))
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => cell.match(/(?<=`)[a-z_]+(?=`)/g) ?? [])
  const there = [...metrics.matchAll(/^# TYPE annotation_service_(\w+) /gm)].map(([, name]) => name)
  expect(named.filter((name) => name !== 'annotation_service_').sort()).toEqual(there.sort())
  const queues = new Set([...metrics.matchAll(/queue="([^"]*)"/g)].map(([, queue]) => queue))
  for (const queue of queues) expect(table).toContain(`\`${queue}\``)
})

test('every part of health is explained', async () => {
  const { body } = await ask<{ parts: { name: string }[] }>(service, 'GET', '/healthz')
  const explained = [...PAGE.matchAll(/^\| `([a-zA-Z]+)`/gm)].map(([, name]) => name)
  expect(explained).toEqual(expect.arrayContaining(body.parts.map(({ name }) => name)))
})
