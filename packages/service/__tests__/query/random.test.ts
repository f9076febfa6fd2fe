/**
 * End to end at random: ingest → query → page, compared with a plain model in memory. A failure prints the seed; run it again with
 * FAST_CHECK_SEED=… in the environment.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runs } from '../../../../__tests__/support/long.ts'
import { type Answer, apl, ingest, legacy, rowsOf } from './ask.ts'
import { EVENTS, FILTER, type Filter, filterText, GROUPS, groupValue, holds, type ModelEvent, storedOf, timeOf } from './model.ts'

const service = serviceForTests()

const DATASETS = runs(5, 25)
const QUERIES = 60
const AT_ONCE = 4

const QUERY = fc.record({
  filter: FILTER,
  door: fc.constantFrom('apl', 'legacy'),
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

async function check(dataset: string, events: readonly ModelEvent[], query: RandomQuery): Promise<void> {
  const matching = events.filter(({ data }) => holds(query.filter, data))
  try {
    if (query.kind === 'groups') await checkGroups(dataset, matching, query)
    else await checkRows(dataset, matching, query)
  } catch (error) {
    throw new Error(`${describe(query.filter)} as ${JSON.stringify(query)}: ${error instanceof Error ? error.message : error}`)
  }
}

const describe = (filter: Filter) => `where ${filterText(filter)}`

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
    const { status, body } = await askRows(dataset, query, cursor)
    if (status !== 200) throw new Error(`${status} ${body.message}`)
    expect(body.status.rowsMatched).toBe(matching.length)
    found.push(...body.matches.map(({ _time, data }) => ({ time: _time, data })))
    if (query.kind === 'rows' || body.matches.length < query.limit) break
    cursor = query.descending ? body.status.minCursor : body.status.maxCursor
  }
  expect(found).toEqual(expected)
}

function askRows(dataset: string, { door, filter, descending, limit }: RandomQuery, cursor: string | undefined): Promise<Answer> {
  const members = cursor === undefined ? {} : { cursor }
  return door === 'apl'
    ? apl(
        service,
        `['${dataset}'] | where ${filterText(filter)} | sort by _time ${descending ? 'desc' : 'asc'} | limit ${limit}`,
        members,
      )
    : legacy(service, dataset, { filter, order: [{ field: '_time', desc: descending }], limit, ...members })
}

async function checkGroups(
  dataset: string,
  matching: readonly ModelEvent[],
  { door, filter, group }: RandomQuery,
): Promise<void> {
  const groups = new Map<unknown, { n: number; total: bigint; most: number | null }>()
  for (const { data } of matching) {
    const known = groups.get(groupValue(group, data)) ?? { n: 0, total: 0n, most: null }
    known.n++
    known.total += BigInt(data.i)
    if (data.f !== undefined) known.most = Math.max(known.most ?? data.f, data.f)
    groups.set(groupValue(group, data), known)
  }
  const expected = [...groups].map(([value, figures]) => print([value, figures]))
  const { status, body } =
    door === 'apl'
      ? await apl(
          service,
          `['${dataset}'] | where ${filterText(filter)} | summarize n = count(), total = sum(i), most = max(f) by ['${group}']`,
        )
      : await legacy(service, dataset, {
          filter,
          groupBy: [group],
          aggregations: [
            { alias: 'n', op: 'count', field: '*' },
            { alias: 'total', op: 'sum', field: 'i' },
            { alias: 'most', op: 'max', field: 'f' },
          ],
        })
  if (status !== 200) throw new Error(`${status} ${body.message}`)
  expect(body.status.rowsMatched).toBe(matching.length)
  const found =
    door === 'apl'
      ? rowsOf(body).map(({ [group]: value, n, total, most }) => print([value, { n, total, most }]))
      : body.buckets.totals.map(({ group: values, aggregations }) =>
          print([values[group], Object.fromEntries(aggregations.map(({ op, value }) => [op, value]))]),
        )
  expect(found.sort()).toEqual(expected.sort())
}

/** Sums go beyond 2^53 and are compared to the last digit. */
const print = (value: unknown) =>
  JSON.stringify(value, (_, item) =>
    typeof item === 'bigint' ? (Number.isSafeInteger(Number(item)) ? Number(item) : `${item}n`) : item,
  )
