/**
 * The client's ingest, queries, pages and datasets against the real service: what goes in comes out, nothing else.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { clientForTests } from '../../../__tests__/support/client.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { InvalidRequestError, NotFoundError, type Row, readRows } from '../src/index.ts'

const service = serviceForTests()
const client = clientForTests(service)

const DAY = { startTime: '2026-01-31T00:00:00Z', endTime: '2026-02-01T00:00:00Z' }
const newDataset = () => `events-${randomUUID()}`

/** Event `n` of a day; ten share each instant. */
const eventAt = (n: number) => ({ _time: `2026-01-31T12:00:00.${String(Math.floor(n / 10)).padStart(9, '0')}Z`, n })
/** Stores the first events of the day. */
const ingestFirst = (name: string, count: number) => client.ingest(name, Array.from(Array(count).keys(), eventAt))

test('events are stored, and found by the next query', async () => {
  const name = newDataset()
  const events = [
    { _time: '2026-01-31T12:00:00.123456789Z', text: 'a "quote"\n', big: 2n ** 63n - 1n, nested: { list: [1, 'two', [3]] } },
    { _time: '2026-01-31T12:00:01Z', text: '🚀', big: -5, nested: { flag: true } },
  ]
  expect(await client.ingest(name, events)).toMatchObject({ ingested: 2, failed: 0, failures: [] })
  const result = await client.query(`['${name}'] | sort by _time asc`, DAY)
  expect(result.matches?.map(({ _time, data }) => ({ _time, ...data }))).toEqual(events)
  expect(result.status).toMatchObject({
    rowsMatched: 2,
    minCursor: result.matches?.[0]?._rowId,
    maxCursor: result.matches?.[1]?._rowId,
  })
})

test('one bad event does not cost its neighbors, and is told', async () => {
  const name = newDataset()
  const result = await client.ingest(name, [eventAt(1), { _time: 'never', n: 2 }, eventAt(3)])
  expect(result).toMatchObject({ ingested: 2, failed: 1, failures: [{ error: expect.stringMatching(/never/) }] })
})

test('CSV and NDJSON streams are stored in several batches', async () => {
  const name = newDataset()
  const lines = Array.from({ length: 50 }, (_, n) => JSON.stringify(eventAt(n)))
  expect(await client.ingestNdjson(name, [`${lines.join('\n')}\n`], { batchEventsMax: 7 })).toMatchObject({ ingested: 50 })
  const rows = Array.from({ length: 20 }, (_, n) => `2026-01-31T13:00:00Z,"row, ${n}\nnext"`)
  expect(await client.ingestCsv(name, [`_time,text\n${rows.join('\n')}\n`], { batchEventsMax: 6 })).toMatchObject({
    ingested: 20,
  })
  const { tables } = await client.query(`['${name}'] | summarize count()`, DAY)
  expect(tables[0]?.columns).toEqual([[70]])
})

test.each(['asc', 'desc'])('pages of a query sorted %s hold every row once, in order', async (direction) => {
  const name = newDataset()
  await ingestFirst(name, 95)
  const seen: number[] = []
  const rows = client.rows(`['${name}'] | sort by _time ${direction} | limit 7`, DAY)
  let next = await rows.next()
  for (; !next.done; next = await rows.next()) seen.push((next.value as Row & { n: number }).n)
  expect(next.value).toMatch(/^(empty-page|cursor-repeated)$/)
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 95 }, (_, n) => n))
  const instants = seen.map((n) => Math.floor(n / 10))
  expect(instants).toEqual([...instants].sort((a, b) => (direction === 'asc' ? a - b : b - a)))
})

test('the rows of an answer are read alike in whichever form it came', async () => {
  const name = newDataset()
  await client.ingest(
    name,
    [1, 2, 2].map((n) => ({ ...eventAt(n), n })),
  )
  interface Counted {
    n: number
    count: number
  }
  const counts = `['${name}'] | summarize count = count() by n | sort by n asc`
  const expected = [
    { n: 1, count: 1 },
    { n: 2, count: 2 },
  ]
  const tabular = await client.query(counts, DAY)
  expect(readRows<Counted>(tabular)).toEqual(expected)
  const legacy = await client.query(counts, { ...DAY, format: 'legacy' })
  expect([tabular.format, legacy.format]).toEqual(['tabular', 'legacy'])
  expect(readRows<Counted>(legacy)).toEqual(expected)
  const events = `['${name}'] | sort by _time asc | project _time, n`
  const inTable = readRows(await client.query(events, DAY))
  expect(inTable.map(({ n }) => n)).toEqual([1, 2, 2])
  expect(readRows(await client.query(events, { ...DAY, format: 'legacy' })).map(({ n }) => n)).toEqual([1, 2, 2])
  const one = await client.rows<Counted>(counts, DAY).next()
  expect(one.done ? undefined : one.value.count + 1).toBe(2)
})

test('pagesMax stops, and says so', async () => {
  const name = newDataset()
  await ingestFirst(name, 30)
  const pages = client.pages(`['${name}'] | sort by _time desc | limit 5`, { ...DAY, pagesMax: 2 })
  expect([(await pages.next()).done, (await pages.next()).done, await pages.next()]).toEqual([
    false,
    false,
    { done: true, value: 'pages-max' },
  ])
})

test('a page without a cursor, or of the cursor’s own row alone, is given and is the last', async () => {
  const name = newDataset()
  await client.ingest(name, [eventAt(1), eventAt(2)])
  const counts = client.rows(`['${name}'] | summarize n = count()`, DAY)
  expect([(await counts.next()).value, await counts.next()]).toEqual([{ n: 2 }, { done: true, value: 'cursor-repeated' }])
  const text = `['${name}'] | sort by _time desc | limit 5`
  const { status } = await client.query(text, DAY)
  const last = client.rows(text, { ...DAY, cursor: status.minCursor as string, includeCursor: true })
  expect([await last.next(), await last.next()]).toMatchObject([{ value: { n: 1 } }, { done: true }])
})

test('matches are counted for whoever sees the count, unless told not to', async () => {
  const name = newDataset()
  await client.ingest(name, [0, 1, 2, 3].map(eventAt))
  const text = `['${name}'] | where n < 3 | sort by _time asc | limit 1`
  expect((await client.query(text, DAY)).status.rowsMatched).toBe(3)
  expect((await client.query(text, { ...DAY, countMatches: false })).status.rowsMatched).toBeUndefined()
  const pages = client.pages(text, { ...DAY, pagesMax: 1 })
  expect((await pages.next()).value).toMatchObject({ status: { rowsMatched: 3 } })
  const rows = client.rows(text, { ...DAY, pagesMax: 1 })
  expect((await rows.next()).value).toEqual(expect.objectContaining({ n: 0 }))
})

test('the legacy query filters, orders and pages', async () => {
  const name = newDataset()
  await ingestFirst(name, 20)
  const query = { ...DAY, limit: 5, order: [{ field: '_time', desc: false }], filter: { op: '>=', field: 'n', value: 10 } }
  const first = await client.queryLegacy(name, query)
  const second = await client.queryLegacy(name, { ...query, cursor: first.status.maxCursor as string })
  expect([...first.matches, ...second.matches].map(({ data }) => data.n).sort()).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  expect(first.status.rowsMatched).toBe(10)
})

test('what is wrong with a query is told with its place', async () => {
  const name = newDataset()
  await client.ingest(name, [eventAt(1)])
  await expect(client.query(`['${name}'] | where nope == 1`, DAY)).rejects.toThrow(InvalidRequestError)
  await expect(client.query(`['${name}'] | where nope == 1`, DAY)).rejects.toThrow(/nope/)
  await expect(client.query(`['missing-${name}']`, DAY)).rejects.toThrow(NotFoundError)
})
