/**
 * Legacy bodies end to end at random: ingest → query → page, compared with a plain model in memory; `naive.test.ts` asks programs. A failure
 * prints the seed; run it again with FAST_CHECK_SEED=… in the environment.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runs } from '../../../../__tests__/support/long.ts'
import { run } from '../../../apl/__tests__/naive/pipelines.ts'
import { rowOf } from '../../../apl/__tests__/naive/programs.ts'
import type { Row } from '../../../apl/__tests__/naive/values.ts'
import { parseQuery } from '../../../apl/src/query/parser.ts'
import { ingest, legacy } from './ask.ts'
import { EVENTS, FILTER, filterText, GROUPS, type ModelEvent, storedOf, timeOf } from './model.ts'

const service = serviceForTests()

const DATASETS = runs(5, 25)
const QUERIES = 60
const AT_ONCE = 4

const QUERY = fc.record({
  filter: FILTER,
  kind: fc.constantFrom('rows', 'pages', 'groups'),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 30 }),
  group: fc.constantFrom(...GROUPS),
})
type RandomQuery = typeof QUERY extends fc.Arbitrary<infer T> ? T : never

test(`${DATASETS * QUERIES} random queries answer what a model does`, async () => {
  let datasets = 0
  await fc.assert(
    fc.asyncProperty(EVENTS, fc.array(QUERY, { minLength: QUERIES, maxLength: QUERIES }), async (events, queries) => {
      const dataset = `random-${datasets++}`
      const lines = events.map(({ ns, data }) => JSON.stringify({ _time: timeOf(ns), ...data }))
      await ingest(service, dataset, datasets % 2 === 0 ? lines.join('\n') : `[${lines.join(',')}]`)
      for (let at = 0; at < queries.length; at += AT_ONCE)
        await Promise.all(queries.slice(at, at + AT_ONCE).map((query) => check(dataset, events, query)))
    }),
    { numRuns: DATASETS, endOnFailure: true },
  )
}, 240_000)

/** @returns what the evaluator of the language answers to a query of the events, which have their numbers in `id` */
function evaluate(events: readonly ModelEvent[], filter: string, then = ''): Row[] {
  const rows = events.map(({ ns, data: { list: _, ...data } }, id) => rowOf({ minutes: 0, data }, id, BigInt(ns)))
  return run(parseQuery(`data | where ${filter} ${then}`), new Map([['data', rows]]))
}

async function check(dataset: string, events: readonly ModelEvent[], query: RandomQuery): Promise<void> {
  const filter = filterText(query.filter)
  const matching = evaluate(events, filter).map(({ id }) => events[Number(id)] as ModelEvent)
  try {
    if (query.kind !== 'groups') return await checkRows(dataset, matching, query)
    const groups = evaluate(events, filter, FIGURES(query.group))
    await checkGroups(dataset, { groups, rowsMatched: matching.length }, query)
  } catch (error) {
    throw new Error(`where ${filter} as ${JSON.stringify(query)}: ${error instanceof Error ? error.message : error}`)
  }
}

const FIGURES = (group: string) => `| summarize n = count(), total = sum(i), most = max(f) by ['${group}']`

/** One page or all of them; a page's rows are in the order of time, then of ingest. */
async function checkRows(dataset: string, matching: readonly ModelEvent[], query: RandomQuery): Promise<void> {
  const ordered = matching
    .map((event, index) => ({ event, index }))
    .sort((a, b) => a.event.ns - b.event.ns || a.index - b.index)
    .map(({ event }) => ({ time: timeOf(event.ns), data: storedOf(event.data) }))
  if (query.descending) ordered.reverse()
  const expected = query.kind === 'rows' ? ordered.slice(0, query.limit) : ordered
  const found: { time: string; data: object }[] = []
  let cursor: string | undefined
  for (;;) {
    const { status, body } = await legacy(service, dataset, {
      filter: query.filter,
      order: [{ field: '_time', desc: query.descending }],
      limit: query.limit,
      ...(cursor !== undefined && { cursor }),
    })
    if (status !== 200) throw new Error(`${status} ${body.message}`)
    expect(body.status.rowsMatched).toBe(matching.length)
    found.push(...body.matches.map(({ _time, data }) => ({ time: _time, data })))
    if (query.kind === 'rows' || body.matches.length < query.limit) break
    cursor = query.descending ? body.status.minCursor : body.status.maxCursor
  }
  expect(found).toEqual(expected)
}

async function checkGroups(
  dataset: string,
  expected: { groups: readonly Row[]; rowsMatched: number },
  { filter, group }: RandomQuery,
): Promise<void> {
  const { status, body } = await legacy(service, dataset, {
    filter,
    groupBy: [group],
    aggregations: [
      { alias: 'n', op: 'count', field: '*' },
      { alias: 'total', op: 'sum', field: 'i' },
      { alias: 'most', op: 'max', field: 'f' },
    ],
  })
  if (status !== 200) throw new Error(`${status} ${body.message}`)
  expect(body.status.rowsMatched).toBe(expected.rowsMatched)
  const figures = ({ [group]: value = null, n, total, most }: Record<string, unknown>) => print([value, { n, total, most }])
  const found = body.buckets.totals.map(({ group: values, aggregations }) =>
    print([values[group], Object.fromEntries(aggregations.map(({ op, value }) => [op, value]))]),
  )
  expect(found.sort()).toEqual(expected.groups.map(figures).sort())
}

/** Sums go beyond 2^53 and are compared to the last digit. */
const print = (value: unknown) =>
  JSON.stringify(value, (_, item) =>
    typeof item === 'bigint' ? (Number.isSafeInteger(Number(item)) ? Number(item) : `${item}n`) : item,
  )
