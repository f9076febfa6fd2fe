/**
 * docs/operate.md against the service: every figure and label that its table and its alarms name is there, and the health parts are those
 * that it explains.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'
import { send } from './events/send.ts'
import { ask } from './http.ts'

const PAGE = readFileSync(new URL('../../../docs/operate.md', import.meta.url), 'utf8')

let service: RunningService
let figures: string
beforeAll(async () => {
  service = await startService({ args: ['--dataset-size-max', '100', '--size-max', '1000'] })
  await send(service, '[{"a":1}]')
  await ask(service, 'GET', '/v2/annotations')
  figures = (await ask<string>(service, 'GET', '/metrics')).body
})
afterAll(() => service[Symbol.asyncDispose]())

const rules = /```yaml\n(groups:[\s\S]*?)```/.exec(PAGE)?.[1] ?? ''

test('the alarms use names that the figures have', () => {
  const names = rules.match(/\b(?:annotation_service|process)_[a-z_]+/g) ?? []
  expect(names.length).toBeGreaterThan(9)
  for (const name of new Set(names)) expect([name, new RegExp(`^${name}[{ ]`, 'm').test(figures)]).toEqual([name, true])
  for (const label of rules.match(/\b(?:state|of)="[^"]*"/g) ?? []) expect(figures).toContain(label)
})

test('the figures of the service are those of the table', () => {
  const table = PAGE.slice(PAGE.indexOf('| figure, after'), PAGE.indexOf('Beside them are those of every Node process'))
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => cell.match(/(?<=`)[a-z_]+(?=`)/g) ?? [])
  const there = [...figures.matchAll(/^# TYPE annotation_service_(\w+) /gm)].map(([, name]) => name)
  expect(named.filter((name) => name !== 'annotation_service_').sort()).toEqual(there.sort())
  const queues = new Set([...figures.matchAll(/queue="([^"]*)"/g)].map(([, queue]) => queue))
  for (const queue of queues) expect(table).toContain(`\`${queue}\``)
})

test('every part of health is explained', async () => {
  const { body } = await ask<{ parts: { name: string }[] }>(service, 'GET', '/healthz')
  const explained = [...PAGE.matchAll(/^\| `([a-z ]+)`/gm)].map(([, name]) => name)
  expect(explained).toEqual(expect.arrayContaining(body.parts.map(({ name }) => name)))
})
