/**
 * Queries that once answered wrongly without a word, each with the rows that it must answer. The data are small and awkward: missing
 * fields, signs at the edges of texts, texts that look like numbers and times, and integers that a float would round.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { Engine, fieldsOf, readRows, type StoredEvent } from './support/engine.ts'

const START = 1_767_225_600_000_000_000n

const DATA: Readonly<Record<string, readonly object[]>> = {
  hosts: [
    { host: 'a', cpu: 10, version: '1.0' },
    { host: 'a', cpu: 20 },
    { host: 'b', cpu: 5, version: '2.0' },
    { host: 'b', error: 'disk' },
  ],
}

const datasets = new Map(
  Object.entries(DATA).map(([name, events]) => {
    const stored = events.map((data, at): StoredEvent => ({ timeNs: START + BigInt(at), data }))
    return [name, { name, table: `ds_${name}`, fields: fieldsOf(stored), stored }]
  }),
)

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  for (const dataset of datasets.values()) await engine.load(dataset, dataset.stored)
})
afterAll(() => engine.close())

const planOf = (text: string) =>
  compile(text, { datasets, range: { startNs: START, endNs: START + 3_600_000_000_000n }, nowNs: START })
const namesOf = (text: string) => planOf(text).columns.map(({ name }) => name)
const rowsOf = (text: string) => {
  const plan = planOf(text)
  return readRows(plan, engine.query(plan)).map((row) => Object.values(row))
}

const check = (cases: readonly (readonly [string, readonly unknown[][]])[]) => {
  for (const [text, rows] of cases) expect([text, rowsOf(text)]).toEqual([text, rows])
}

test('arg_max and arg_min take all that they return from one row', () => {
  check([
    [
      'hosts | summarize arg_max(_time, *) by host | project host, cpu, version, error | sort by host asc',
      [
        ['a', 20, null, null],
        ['b', null, null, 'disk'],
      ],
    ],
    ['hosts | summarize arg_min(_time, error, cpu)', [['2026-01-01T00:00:00.000000000Z', null, 10]]],
    ['hosts | summarize v = arg_max(cpu, version)', [[null]]],
    ["hosts | summarize v = arg_maxif(cpu, version, host == 'b')", [['2.0']]],
    ['hosts | where cpu > 100 | summarize arg_max(_time, cpu)', [[null, null]]],
    ["datatable(g: string, n: long, f: real) ['a', 1, 1.5, 'a', 2, real(null)] | summarize arg_max(n, f) by g", [['a', 2, null]]],
  ])
  expect(namesOf('hosts | summarize arg_max(cpu, *) by host')).not.toContain('host1')
})

test('has finds a text with a sign at its edge, whatever stands beside the sign', () => {
  const found = [
    ['/v1/api/users', '/api/'],
    ['a.log', '.log'],
    ['a@ex.com', '@ex.com'],
    ['user:42', ':42'],
    ['foo-bar', '-bar'],
    ['foo-bar', 'foo-'],
    ['a[0]', '[0]'],
    ['über/mich', 'Über/'],
  ]
  const absent = [
    ['/v1/api/users', '/ap'],
    ['a.logs', '.log'],
    ['xfoo-bar', 'foo-'],
    ['a.log', 'lo'],
  ]
  for (const [cases, isFound] of [
    [found, true],
    [absent, false],
  ] as const)
    for (const [text, wanted] of cases) {
      const forms = [`x has '${wanted}'`, `x has y`, `x has_any ('${wanted}')`, `x has_all (y)`]
      const query = `datatable(x: string, y: string) ['${text}', '${wanted}'] | project ${forms.join(', ')}`
      expect([query, rowsOf(query)]).toEqual([query, [forms.map(() => isFound)]])
    }
})
