/**
 * Pages: every row exactly once and in order, through either endpoint, in either direction, while others write.
 */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { type Answer, apl, ingest, ingestEach, legacy, type Match, post } from './ask.ts'

const service = serviceForTests()

type Door = 'apl' | 'legacy'
interface Walk {
  door: Door
  dataset: string
  descending: boolean
  limit: number
  /** Keeps the events that have this. */
  flag?: boolean
}

function page({ door, dataset, descending, limit, flag }: Walk, members: object): Promise<Answer> {
  if (door === 'apl') {
    const where = flag === undefined ? '' : `| where flag == ${flag} `
    return apl(service, `['${dataset}'] ${where}| sort by _time ${descending ? 'desc' : 'asc'} | limit ${limit}`, members)
  }
  const filter = flag === undefined ? {} : { filter: { op: '==', field: 'flag', value: flag } }
  return legacy(service, dataset, { limit, order: [{ field: '_time', desc: descending }], ...filter, ...members })
}

/** Follows the contract's rules to the end. Waits for `between` after each page. */
async function walk(how: Walk, between: () => Promise<void> = async () => undefined): Promise<Match[]> {
  const all: Match[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 2_000; pages++) {
    const { status, body } = await page(how, cursor === undefined ? {} : { cursor })
    if (status !== 200) throw new Error(`page ${pages} answered ${status} ${body.message}`)
    expect(body.matches.length).toBeLessThanOrEqual(how.limit)
    all.push(...body.matches)
    const next = how.descending ? body.status.minCursor : body.status.maxCursor
    if (next === cursor || next === '') return all
    cursor = next
    await between()
  }
  throw new Error('the walk does not end')
}

let datasets = 0
const newName = () => `paged-${datasets++}`
const at = (ns: number) => `2026-01-01T00:00:00.${String(ns).padStart(9, '0')}Z`

const ORDERS = fc.record({
  times: fc.array(fc.nat(4), { minLength: 1, maxLength: 60 }),
  limit: fc.integer({ min: 1, max: 25 }),
  door: fc.constantFrom<Door>('apl', 'legacy'),
  descending: fc.boolean(),
  flag: fc.option(fc.boolean(), { nil: undefined }),
})

test('walking all pages gives every row once and in order, whatever the page size, among equal times', async () => {
  await fc.assert(
    fc.asyncProperty(ORDERS, async ({ times, flag, ...how }) => {
      const dataset = newName()
      const events = times.map((ns, n) => ({ _time: at(ns), n, flag: n % 3 > 0 }))
      await ingest(service, dataset, [...events, { _time: at(9), n: -1, flag: true }, { _time: at(9), n: -2, flag: false }])
      const found = await walk({ ...how, dataset, ...(flag !== undefined && { flag }) })
      const expected = events.filter((event) => flag === undefined || event.flag === flag).map(({ n }) => n)
      expect(
        found
          .map(({ data }) => data.n as number)
          .filter((n) => n >= 0)
          .sort(byNumber),
      ).toEqual(expected)
      expectOrder(found, how.descending)
    }),
    { numRuns: tried(runs(10, 40)) },
  )
})

test('rows that were there come exactly once while others are stored, and new ones at most once', async () => {
  await fc.assert(
    fc.asyncProperty(ORDERS, async ({ times, door, descending, limit }) => {
      const dataset = newName()
      await ingestEach(service, dataset, times.length, (n) => ({ _time: at(times[n] ?? 0), n }))
      let added = 0
      let writing = true
      const writer = (async () => {
        while (writing && added < 200) await ingestEach(service, dataset, 5, (ns) => ({ _time: at(ns), n: 1_000 + added++ }))
      })()
      const found = await walk({ door, dataset, descending, limit })
      writing = false
      await writer
      const numbers = found.map(({ data }) => data.n as number)
      expect(numbers.filter((n) => n < 1_000).sort(byNumber)).toEqual(times.map((_, n) => n))
      expect(new Set(numbers).size).toBe(numbers.length)
      expectOrder(found, descending)
    }),
    { numRuns: tried(runs(5, 15)) },
  )
}, 120_000)

function byNumber(a: number, b: number): number {
  return a - b
}

/** By time, then by the number at the end of the row's id. */
function expectOrder(rows: readonly Match[], descending: boolean): void {
  const ids = rows.map(({ _rowId }) => _rowId)
  const sorted = [...ids].sort()
  expect(ids).toEqual(descending ? sorted.reverse() : sorted)
}

test('minCursor is the oldest and maxCursor the newest row of the page, whatever the sort', async () => {
  const dataset = newName()
  await ingest(service, dataset, [
    { _time: at(3), n: 1 },
    { _time: at(1), n: 2 },
    { _time: at(2), n: 3 },
  ])
  for (const order of ['_time desc', '_time asc', 'n desc', 'n asc']) {
    const { body } = await apl(service, `['${dataset}'] | sort by ${order}`)
    const ids = body.matches.map(({ _rowId }) => _rowId).sort()
    expect([order, body.status.minCursor, body.status.maxCursor]).toEqual([order, ids[0], ids.at(-1)])
  }
})

test('any row id is a cursor: exclusive, or inclusive when asked', async () => {
  const dataset = newName()
  await ingestEach(service, dataset, 5, (n) => ({ _time: at(1 + (n >> 1)), n }))
  const numbers = ({ body }: Answer) => body.matches.map(({ data }) => data.n)
  for (const door of ['apl', 'legacy'] as const) {
    const how = { door, dataset, limit: 10 }
    const all = await page({ ...how, descending: true }, {})
    const cursor = all.body.matches[2]?._rowId as string
    expect(numbers(all)).toEqual([4, 3, 2, 1, 0])
    expect(numbers(await page({ ...how, descending: true }, { cursor }))).toEqual([1, 0])
    expect(numbers(await page({ ...how, descending: true }, { cursor, includeCursor: true }))).toEqual([2, 1, 0])
    expect(numbers(await page({ ...how, descending: false }, { cursor }))).toEqual([3, 4])
    expect(numbers(await page({ ...how, descending: false }, { cursor, includeCursor: true }))).toEqual([2, 3, 4])
  }
})

test('an empty page repeats the cursor that was sent', async () => {
  const dataset = newName()
  await ingest(service, dataset, [{ n: 1 }])
  const { body } = await apl(service, `['${dataset}'] | sort by _time desc | limit 5`)
  const cursor = body.status.minCursor
  const empty = await apl(service, `['${dataset}'] | sort by _time desc | limit 5`, { cursor })
  expect(empty.body.status).toMatchObject({ minCursor: cursor, maxCursor: cursor, rowsMatched: 1 })
  expect(empty.body.matches).toEqual([])
})

test('the cursor may be a query parameter; the body wins', async () => {
  const dataset = newName()
  await ingestEach(service, dataset, 3, (n) => ({ _time: at(n), n }))
  const text = `['${dataset}'] | sort by _time asc | limit 1`
  const first = (await apl(service, text)).body.status.maxCursor
  const byParameter = await apl(service, text, {}, `tabular&cursor=${first}`)
  expect(byParameter.body.matches[0]?.data.n).toBe(1)
  const second = byParameter.body.status.maxCursor
  expect((await apl(service, text, { cursor: second }, `tabular&cursor=${first}`)).body.matches[0]?.data.n).toBe(2)
})

test('a tail by cursor sees rows that are stored later', async () => {
  const dataset = newName()
  await ingest(service, dataset, [{ n: 1 }])
  const text = `['${dataset}'] | sort by _time asc | limit 10`
  const { maxCursor } = (await apl(service, text)).body.status
  expect((await apl(service, text, { cursor: maxCursor })).body.matches).toEqual([])
  await ingest(service, dataset, [{ n: 2 }])
  expect((await apl(service, text, { cursor: maxCursor })).body.matches.map(({ data }) => data)).toEqual([{ n: 2 }])
})

test.each([
  'x',
  '0',
  '"',
  `${'z'.repeat(13)}${'0'.repeat(16)}`,
  `${'0'.repeat(13)}${'g'.repeat(16)}`,
  `${'0'.repeat(29)}0`,
  `0dfct6ww35s00' OR 1=1 --`,
])('a cursor that is no row id is refused: %s', async (cursor) => {
  const dataset = newName()
  await ingest(service, dataset, [{ n: 1 }])
  const { status, body } = await apl(service, `['${dataset}'] | sort by _time asc | limit 1`, { cursor })
  expect([status, body.code, body.message]).toEqual([400, 400, expect.stringMatching(/^the cursor .* cannot be read/)])
})

test('a query that cannot be paged says so when it gets a cursor', async () => {
  const dataset = newName()
  await ingest(service, dataset, [{ n: 1 }])
  const cursor = (await apl(service, `['${dataset}']`)).body.status.minCursor
  for (const rest of ['| sort by n asc', '| summarize count()']) {
    const { status, body } = await apl(service, `['${dataset}'] ${rest}`, { cursor })
    expect([status, body.detail?.errorType, body.message]).toEqual([400, 'unsupported', expect.stringContaining('sort by _time')])
  }
})

describe('rowsMatched', () => {
  const half = { flag: true, limit: 3, descending: false }
  const flagged = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ _time: at(from + n), flag: n % 2 === 0 }))

  test.each(['apl', 'legacy'] as const)('is left out on request where it would have to be counted (%s)', async (door) => {
    const dataset = newName()
    await ingest(service, dataset, flagged(0, 20))
    const counted = await page({ ...half, door, dataset }, {})
    const uncounted = await page({ ...half, door, dataset }, { countMatches: false })
    expect(counted.body.status.rowsMatched).toBe(10)
    expect(uncounted.body.status).not.toHaveProperty('rowsMatched')
    expect(uncounted.body.matches).toEqual(counted.body.matches)
    // A page that holds all there is says so for nothing.
    const whole = await page({ ...half, door, dataset, limit: 11 }, { countMatches: false })
    expect(whole.body.status.rowsMatched).toBe(10)
  })

  test.each(['apl', 'legacy'] as const)('a row is examined once, however often it was read (%s)', async (door) => {
    const dataset = newName()
    await ingest(service, dataset, flagged(0, 20))
    for (const limit of [3, 100]) {
      const { status } = (await page({ ...half, door, dataset, limit }, {})).body
      expect([status.rowsExamined, status.rowsMatched]).toEqual([20, 10])
    }
  })

  test('is left out by a query parameter too; the body wins, and what is neither true nor false is refused', async () => {
    const dataset = newName()
    await ingest(service, dataset, flagged(0, 20))
    const text = `['${dataset}'] | where flag | limit 3`
    expect((await apl(service, text, {}, 'legacy&countMatches=false')).body.status).not.toHaveProperty('rowsMatched')
    expect((await apl(service, text, {}, 'legacy&countMatches=true')).body.status.rowsMatched).toBe(10)
    expect((await apl(service, text, { countMatches: true }, 'legacy&countMatches=false')).body.status.rowsMatched).toBe(10)
    const odd = await apl(service, text, {}, 'legacy&countMatches=no')
    expect([odd.status, odd.body.message]).toEqual([400, 'countMatches must be true or false, got "no"'])
    expect((await apl(service, text, { countMatches: 'no' })).status).toBe(422)
  })

  test('stays right on the pages after the first, also once there are more', async () => {
    const dataset = newName()
    await ingest(service, dataset, flagged(0, 20))
    const how: Walk = { ...half, door: 'apl', dataset }
    const first = await page(how, {})
    const cursor = first.body.status.maxCursor
    const second = await page(how, { cursor })
    expect([first, second].map(({ body }) => body.status.rowsMatched)).toEqual([10, 10])
    await ingest(service, dataset, flagged(100, 4))
    const third = await page(how, { cursor: second.body.status.maxCursor })
    expect(third.body.status.rowsMatched).toBe(12)
    await trim(dataset)
    expect((await page(how, { cursor })).body.status.rowsMatched).toBe(0)
  })

  test('of groups it is there whenever it costs nothing', async () => {
    const dataset = newName()
    await ingest(service, dataset, flagged(0, 20))
    const grouped = await apl(service, `['${dataset}'] | summarize count() by flag`, { countMatches: false })
    expect(grouped.body.status.rowsMatched).toBe(20)
  })
})

/** Removes all events of a dataset. */
async function trim(dataset: string): Promise<void> {
  const { status } = await post(service, `/v2/datasets/${dataset}/trim`, { maxDuration: '1s' })
  if (status !== 200) throw new Error(`trim answered ${status}`)
}
