/** What a list of events asks for, and that an answer which is no longer awaited changes nothing. */
import { expect, test } from '@jest/globals'
import { type Ask, Feed } from '../../src/events/feed.ts'

const RANGE = { startMs: 0, endMs: 1 }

test('an answer that comes after the feed was closed is dropped', async () => {
  let answerWith: (answer: Awaited<ReturnType<Ask>>) => void = () => undefined
  const feed = new Feed("['web']", RANGE, () => new Promise((resolve) => (answerWith = resolve)))
  const loading = feed.loadMore()
  feed.close()
  answerWith({ matches: [], status: { minCursor: '', maxCursor: '', rowsMatched: 1, messages: [] } })
  await loading
  expect(feed.pages.value.total).toBeUndefined()
})

test('one page is asked for at a time, and a failed one again', async () => {
  let asked = 0
  const feed = new Feed("['web']", RANGE, async () => {
    asked++
    throw new Error('gone')
  })
  await Promise.all([feed.loadMore(), feed.loadMore()])
  expect([asked, String(feed.error.value)]).toEqual([1, 'Error: gone'])
  await feed.loadMore()
  expect(asked).toBe(2)
})

const row = (n: number) => ({ _time: `1970-01-01T00:00:00.${1000 + n}Z`, _sysTime: '', _rowId: String(1000 + n), data: {} })
const rows = (from: number, count: number) => Array.from({ length: count }, (_, n) => row(from - n))

test('new events are asked for down to the hundredth row, and the list starts anew where more came than that fetches', async () => {
  const asked: unknown[] = []
  let matches = rows(500, 100)
  const feed = new Feed("['web']", RANGE, async (query) => {
    asked.push(query)
    return { matches, status: { minCursor: 'a', maxCursor: 'a', rowsMatched: 7, messages: [] } }
  })
  const poll = (isReading = false) => feed.loadNewest(() => isReading)
  await poll()
  await feed.loadMore()
  matches = rows(505, 105)
  await poll()
  expect(feed.pages.value.rows.map(({ _rowId }) => _rowId)).toEqual(matches.map(({ _rowId }) => _rowId))
  expect(asked).toMatchObject([
    { apl: "['web']\n| sort by _time desc | limit 100", endTime: '1970-01-01T00:00:00.001Z' },
    { apl: "['web']\n| sort by _time desc | limit 1000", startTime: row(401)._time, endTime: 'now' },
  ])
  matches = rows(8_000, 1_000)
  await poll(true)
  expect([feed.pages.value.rows.length, feed.pages.value.waiting]).toEqual([105, 1_000])
  await poll()
  expect([feed.pages.value.rows[0]?._rowId, feed.pages.value.total, asked.length]).toEqual(['9000', 7, 5])
})
