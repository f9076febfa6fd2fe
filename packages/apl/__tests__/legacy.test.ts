/** The legacy body: it must mean what the same query in text means. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { compileLegacy } from '../src/legacy.ts'
import type { Statement } from '../src/plan.ts'
import { Engine, readRows } from './support/engine.ts'
import { loadAll, options } from './support/web.ts'

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  await loadAll(engine)
})
afterAll(() => engine.close())

type LegacyBody = Parameters<typeof compileLegacy>[0]

test.each<[LegacyBody, string]>([
  [{}, 'web'],
  [
    {
      filter: { op: '' },
      limit: 0,
      order: null,
      aggregations: [],
      groupBy: null,
      project: [],
      virtualFields: null,
      resolution: '',
    },
    'web',
  ],
  [{ limit: 2, order: [{ field: '_time', desc: false }] }, 'web | sort by _time asc | limit 2'],
  [{ order: [{ field: 'status' }] }, 'web | sort by status asc'],
  [{ filter: { op: '==', field: 'method', value: 'GET' } }, "web | where method == 'GET'"],
  [{ filter: { op: '!=', field: 'size', value: 2048 } }, 'web | where size != 2048'],
  [
    {
      filter: {
        op: 'and',
        children: [
          { op: '>', field: 'status', value: 200 },
          { op: '<=', field: 'duration', value: 45.5 },
        ],
      },
    },
    'web | where status > 200 and duration <= 45.5',
  ],
  [
    {
      filter: {
        op: 'or',
        children: [{ op: 'exists', field: 'size' }, { op: 'not-exists', field: 'tags' }, { op: '' }, {}, null],
      },
    },
    'web | where isnotnull(size) or isnull(tags)',
  ],
  [
    { filter: { op: 'not', children: [{ op: 'contains', field: 'path', value: 'API' }] } },
    "web | where not(path contains 'API')",
  ],
  [{ filter: { op: 'contains', field: 'path', value: 'API', caseSensitive: true } }, "web | where path contains_cs 'API'"],
  [{ filter: { op: 'not-starts-with', field: 'path', value: '/a' } }, "web | where path !startswith '/a'"],
  [{ filter: { op: 'ends-with', field: 'path', value: 'BAR' } }, "web | where path endswith 'BAR'"],
  [{ filter: { op: 'regexp', field: 'path', value: '^/api' } }, "web | where path matches regex '^/api'"],
  [
    {
      virtualFields: [{ alias: 'slow', expr: 'duration > 100' }],
      filter: { op: '==', field: 'slow', value: true },
      project: [{ field: 'id' }, { field: 'slow', alias: 's' }],
    },
    'web | extend slow = duration > 100 | where slow == true | project id, s = slow',
  ],
  [
    {
      aggregations: [
        { op: 'count', field: '*', alias: 'n' },
        { op: 'distinct', field: 'method', alias: 'd' },
        { op: 'percentiles', field: 'duration', argument: [50, 95], alias: 'p' },
        { op: 'topk', field: 'method', argument: 2, alias: 't' },
        { op: 'argmax', field: 'duration', argument: 'id', alias: 'a' },
      ],
      groupBy: ['ok'],
      resolution: '1h',
    },
    'web | summarize n = count(), d = dcount(method), p = percentiles_array(duration, 50, 95), t = topk(method, 2), a = arg_max(duration, id) by bin(_time, 1h), ok',
  ],
  [
    {
      aggregations: [{ op: 'sum', field: 'status', alias: 's' }],
      groupBy: ['method'],
      order: [{ field: 's', desc: true }],
      limit: 2,
    },
    'web | summarize s = sum(status) by bin_auto(_time), method | sort by s desc | limit 2',
  ],
])('%j is %s', (body, text) => {
  const [legacy, written] = [compileLegacy(body, 'web', options), compile(text, options)]
  expect(renumbered(legacy)).toEqual(renumbered(written))
  expect(legacy.totals).toEqual(written.totals)
  engine.query(legacy)
})

/** A text gives a number to a width of bins that no part of the statement needs in the end, so the numbers of the others differ. */
function renumbered({ sql, params }: Pick<Statement, 'sql' | 'params'>) {
  const names = [...new Set([...sql.matchAll(/\{(p\d+):/g)].map(([, name = '']) => name))]
  return {
    sql: sql.replace(/\{(p\d+):/g, (_, name: string) => `{p${names.indexOf(name)}:`),
    values: names.map((name) => params[name]),
    count: Object.keys(params).length,
  }
}

test('aggregates come as a series of bins and as totals; a limit keeps whole groups', () => {
  const plan = compileLegacy(
    {
      aggregations: [{ op: 'count', alias: 'n' }],
      groupBy: ['method'],
      order: [{ field: 'n', desc: true }],
      limit: 1,
      resolution: '1h',
    },
    'web',
    options,
  )
  expect(plan.buckets).toEqual({ field: '_time', sizeNs: 3_600_000_000_000n })
  expect(readRows(plan, engine.query(plan))).toEqual([
    { _time: '2026-01-01T00:00:00.000000000Z', method: 'GET', n: 2 },
    { _time: '2026-01-01T01:00:00.000000000Z', method: 'GET', n: 1 },
  ])
  expect(plan.totals && readRows(plan.totals, engine.query(plan.totals))).toEqual([{ method: 'GET', n: 3 }])
})

test.each<[LegacyBody, string]>([
  [{ filter: { op: 'cntains', field: 'path', value: 'x' } }, 'filter "cntains" not found'],
  [{ filter: { op: 'not-==', field: 'path', value: 'x' } }, 'filter "not-==" not found'],
  [{ filter: { op: '==', value: 'x' } }, '"filter.field" must be a non-empty string'],
  [{ filter: { op: '==', field: 'path', value: {} } }, 'the value of a filter must be a string, a number, a boolean or null'],
  [{ filter: 'x' }, '"filter" must contain objects'],
  ...['', 0, []].flatMap((none): [LegacyBody, string][] => [
    [{ filter: none }, '"filter" must contain objects'],
    [{ filter: { op: 'and', children: [none] } }, '"filter" must contain objects'],
  ]),
  [{ filter: { field: 'path', value: 'x' } }, '"filter.op" must be a non-empty string'],
  [{ aggregations: 0 }, '"aggregations" must be an array'],
  [{ aggregations: [{ op: 'count', alias: 0 }] }, '"aggregations.alias" must be a non-empty string'],
  [{ filter: { op: {}, field: 'path' } } as unknown as LegacyBody, '"filter.op" must be a non-empty string'],
  [{ aggregations: [{ op: 'constructor', field: 'x' }] }, 'aggregation "constructor" not found'],
  [{ groupBy: ['nothing'] }, 'invalid field: "nothing"'],
  [{ limit: 1.5 }, '"limit" must be a whole number, 0 or more'],
  [{ resolution: 'fast' }, 'the resolution "fast" is not a timespan'],
])('%j is refused', (body, message) => {
  expect(() => compileLegacy(body, 'web', options)).toThrow(expect.objectContaining({ name: 'QueryError', message }))
})
