/** Rows in bins of time and their totals: what one statement gives for both is what two give. */

import { STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import type { Plan } from '../src/sql/plan.ts'
import { readRows, readTogether } from './support/engine.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const engine = engineForTests(loadAll)

const planOf = (text: string) => compile(text, { ...options, countsMatched: true })
const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

function compare(plan: Plan): void {
  const { together, totals, count } = plan
  if (!together || !totals) throw new Error('there are no totals, or they need a statement of their own')
  const rows = engine.query(together)
  const found = readTogether(together, rows)
  expect(sorted(found.bins)).toEqual(sorted(readRows(plan, engine.query(plan))))
  if (rows.length > 0 || !together.hasOneTotal)
    expect(sorted(found.totals)).toEqual(sorted(readRows(totals, engine.query(totals))))
  if (found.bins.length > 0 && plan.cells.matched !== undefined) expect(found.matched).toEqual(engine.query(count)[0]?.[0])
}

const AGGREGATIONS = [
  'count()',
  'n = count(), avg(duration), sum(status), min(duration), max(path)',
  'percentile(duration, 50), dcount(method), countif(ok), rate(status)',
  'arg_max(duration, path), make_set(method), stdev(duration)',
]
const KEYS = ['', ', method', ', method, ok', ', status, city = tolower(geo.city)', ', nowhere = code']
const FILTERS = ['', "| where method == 'GET'", '| where status >= 900', '| extend twice = duration * 2 | where twice > 20']
const AFTERWARDS = ['', '| sort by _time asc', '| sort by method asc', '| extend more = 1 + 1', '| where 1 == 1']

test.each(AGGREGATIONS)('rows and totals of one statement are those of two: %s', (aggregations) => {
  for (const keys of KEYS) {
    for (const filter of FILTERS) compare(planOf(`web ${filter} | summarize ${aggregations} by bin(_time, 1h)${keys}`))
  }
})

test('an order, a column and a condition on groups are those of both', () => {
  for (const after of AFTERWARDS) compare(planOf(`web | summarize n = count() by bin(_time, 30m), method ${after}`))
  compare(planOf('web | summarize n = count() by bin(_time, 30m), method | where n > 1 | sort by n desc'))
  // No bin has so many, and the totals do.
  compare(planOf('web | summarize n = count() by bin(_time, 1m) | where n > 2'))
})

test('bins of two sizes have the totals of neither', () => {
  compare(planOf('web | summarize count() by bin(_time, 30m), hours = bin(_time, 1h), method'))
})

test('totals of other rows, other groups or with a limit need a statement of their own', () => {
  const texts = [
    'web | summarize n = count() by bin(_time, 1h), method | limit 2',
    'web | summarize n = count() by bin(_time, 1h), method | top 2 by n',
    'web | limit 3 | summarize count() by bin(_time, 1h), method',
    'web | mv-expand tags | summarize count() by bin(_time, 1h), method',
    'union web, web | summarize count() by bin(_time, 1h), method',
  ]
  for (const text of texts) {
    const { totals, together } = planOf(text)
    expect([text, totals !== undefined, together]).toEqual([text, true, undefined])
  }
})

test('a range that holds all events of a dataset asks for the time of none', () => {
  const { startNs, endNs } = options.range
  const web = options.datasets.get('web')
  if (!web || 'constant' in web) throw new Error('web is a dataset')
  const within = (span: { startNs: bigint; endNs: bigint } | undefined) =>
    compile('web | where status >= 500 | count', { ...options, datasets: new Map([['web', { ...web, span }]]) })
  const whole = within({ startNs, endNs })
  expect(whole.sql).not.toContain('_time')
  expect(whole.count.sql).not.toContain('_time')
  for (const span of [undefined, { startNs: startNs - 1n, endNs }, { startNs, endNs: endNs + 1n }]) {
    const bounded = within(span)
    expect(bounded.sql).toContain('WHERE _time >= ')
    expect(bounded.count.sql).toContain('WHERE _time >= ')
  }
  expect(engine.query(whole)).toEqual(engine.query(within(undefined)))
  // Which fields have a value is asked of the range as ever.
  expect(whole.presence()?.sql).toContain('WHERE _time >= ')
})

test('a page of a dataset that the range holds asks for a time all the same, by which the engine finds its rows before it reads them', () => {
  const web = options.datasets.get('web')
  if (!web || 'constant' in web) throw new Error('web is a dataset')
  const planOf = (text: string) => compile(text, { ...options, datasets: new Map([['web', { ...web, span: options.range }]]) })
  const page = planOf('web | sort by _time desc | limit 2')
  expect(page.sql).toContain('WHERE _time >= ')
  expect(page.count.sql).not.toContain('_time')
  expect(engine.query(page)).toEqual(engine.query(compile('web | sort by _time desc | limit 2', options)))
  // Where there is another condition the engine finds the rows by that.
  expect(planOf('web | where status >= 500 | sort by _time desc | limit 2').sql).not.toContain('_time >= ')
  expect(planOf('web | summarize n = count() by status | sort by n desc | limit 2').sql).not.toContain('WHERE')
})

test('bins of the times of events begin at multiples of their size, before 1970 and at the ends of what is stored', async () => {
  const times = [
    STORABLE_FIRST_NS,
    STORABLE_FIRST_NS + 1n,
    -86_400_000_000_001n,
    -300_000_000_000n,
    -1n,
    0n,
    1n,
    299_999_999_999n,
  ]
  const events = [...times, 1_763_596_800_123_456_789n, STORABLE_LAST_NS - 2n, STORABLE_LAST_NS - 1n].map((timeNs) => ({
    timeNs,
    data: {},
  }))
  const dataset = { name: 'moments', table: 'ds_moments', fields: new Map() }
  await engine.load(dataset, events)
  const range = { startNs: STORABLE_FIRST_NS, endNs: STORABLE_LAST_NS }
  for (const size of ['tick', '7s', '5m', '1h', '1d', '7d', '3000d', '26000d', '90000d']) {
    const apl = `moments | project start = bin(_time, ${size}), same = bin(_time + 0s, ${size}) | sort by start asc`
    const plan = compile(apl.replaceAll('tick', '100ns'), {
      datasets: new Map([['moments', dataset]]),
      range,
      nowNs: range.endNs,
    })
    const rows = readRows(plan, engine.query(plan))
    expect(rows).toHaveLength(events.length)
    // A moment that was computed is divided in the slow way.
    for (const { start, same } of rows) expect([size, start]).toEqual([size, same])
  }
})

test.each(['project _time, n', 'sort by _time asc, method asc', "extend hour = datetime_part('hour', _time)"])(
  'bins of time that are needed after the grouping, as by %s, have neither totals nor states',
  (after) => {
    const { totals, together, inStates } = planOf(`web | summarize n = count() by bin_auto(_time), method | ${after}`)
    expect({ totals, together, states: inStates?.() }).toEqual({})
  },
)
