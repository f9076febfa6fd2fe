/**
 * docs/operate.md against the service: every metric and label that its table and its alarms name is there, and the health parts are those
 * that it explains.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { hasPrometheus } from '../../../__tests__/support/prometheus.ts'
import { send } from './events/send.ts'
import { ask } from './http.ts'

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
  for (const label of rules.match(/\b(?:state|of)="[^"]*"/g) ?? []) expect(metrics).toContain(label)
})

/** Series of two services by the minute, which alerts they raise when, and which they do not. */
const ALERTED: readonly { series: Record<string, string>; fires: string[]; silent?: string[] }[] = [
  // Nobody runs monitors: the lag grows at every service. It is 120 s after two minutes, and the alert waits for two more.
  { series: { 'annotation_service_monitor_lag_seconds{IN}': '0+60x20' }, fires: ['AnnotationServiceMonitorsLate'] },
  {
    series: { 'annotation_service_monitor_lag_seconds{IN}': '0 30 100 0 50 110 0x20' },
    fires: [],
    silent: ['AnnotationServiceMonitorsLate'],
  },
  { series: { 'up{IN}': '1 1 0x20' }, fires: ['AnnotationServiceDown'] },
  { series: { 'annotation_service_missing{IN,kind="requests"}': '0 0 1x20' }, fires: ['AnnotationServiceMayLackEvents'] },
  {
    series: { 'annotation_service_missing{IN,kind="requests"}': '0x20', 'up{IN}': '1x20' },
    fires: [],
    silent: ['AnnotationServiceMayLackEvents', 'AnnotationServiceDown'],
  },
  {
    series: { 'process_open_fds{IN}': '800x20', 'process_max_fds{IN}': '1000x20' },
    fires: ['AnnotationServiceFileHandles'],
  },
  { series: { 'annotation_service_refused_total{IN,queue="queries"}': '0+60x20' }, fires: ['AnnotationServiceRefusesQueries'] },
]

const testWithPrometheus = hasPrometheus ? test : test.skip

testWithPrometheus('the alarms fire when they should, that of late monitors where no service runs any, and not otherwise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'alarms-'))
  writeFileSync(join(folder, 'rules.yml'), rules)
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name as string)
  const tests = ALERTED.map(({ series, fires, silent = [] }) => {
    const inputs = Object.entries(series).flatMap(([name, values]) =>
      ['a', 'b'].map((instance) => ({ series: name.replace('IN', `job="annotation-service",instance="${instance}"`), values })),
    )
    const labelsOf = (alert: string) =>
      alert === 'AnnotationServiceMonitorsLate' ? [{}] : [{ instance: 'a' }, { instance: 'b' }]
    const expected = (alert: string) => ({
      eval_time: '18m',
      alertname: alert,
      exp_alerts: fires.includes(alert)
        ? labelsOf(alert).map((of) => ({ exp_labels: { job: 'annotation-service', ...of } }))
        : [],
    })
    return {
      interval: '1m',
      input_series: inputs,
      alert_rule_test: names.filter((name) => [...fires, ...silent].includes(name)).map(expected),
    }
  })
  const early = {
    interval: '1m',
    input_series: [{ series: 'annotation_service_monitor_lag_seconds{job="annotation-service"}', values: '0+60x20' }],
    alert_rule_test: [
      { eval_time: '4m', alertname: 'AnnotationServiceMonitorsLate', exp_alerts: [] },
      {
        eval_time: '5m',
        alertname: 'AnnotationServiceMonitorsLate',
        exp_alerts: [{ exp_labels: { job: 'annotation-service' } }],
      },
    ],
  }
  writeFileSync(
    join(folder, 'tests.yml'),
    JSON.stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests: [...tests, early] }),
  )
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.yml'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
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
