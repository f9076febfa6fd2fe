/**
 * docs/operate.md against the service: every metric and label that its table and its alarms name is there, and the health parts are those
 * that it explains.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
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
