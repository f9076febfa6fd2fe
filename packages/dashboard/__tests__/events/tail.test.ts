/** When the live tail asks, and that an answer which is no longer awaited changes nothing. */
import { expect, test } from '@jest/globals'
import { type Ask, Feed } from '../../src/events/feed.ts'
import { backoffMs, follow, POLL_MS, type Trouble } from '../../src/events/tail.ts'

/** @param outcomes of the polls, in turn; it ends after the last */
async function run(outcomes: (Error | undefined)[]) {
  const slept: number[] = []
  const troubles: (Trouble | undefined)[] = []
  const ended = new AbortController()
  await follow(
    {
      pollMs: POLL_MS,
      poll: async () => {
        const outcome = outcomes.shift()
        if (outcome instanceof Error) throw outcome
      },
      whenVisible: async () => undefined,
      sleep: async (ms) => {
        slept.push(ms)
        if (outcomes.length === 0) ended.abort()
      },
      onTrouble: (trouble) => troubles.push(trouble),
    },
    ended.signal,
  )
  return { slept, troubles }
}

test('waits longer with every failure, says so, and takes it back', async () => {
  const error = new Error('gone')
  const { slept, troubles } = await run([error, error, error, undefined, error])
  expect(slept).toEqual([2_000, 4_000, 8_000, 2_000, 2_000])
  expect(troubles.map((trouble) => trouble?.retryMs)).toEqual([2_000, 4_000, 8_000, undefined, 2_000])
})

test('never waits for more than a minute', () => {
  expect([1, 2, 5, 6, 50].map(backoffMs)).toEqual([2_000, 4_000, 32_000, 60_000, 60_000])
})

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

test('the tail asks down to the hundredth row, and starts the list anew where more came than it fetches', async () => {
  const asked: unknown[] = []
  let matches = rows(500, 100)
  const feed = new Feed("['web']", RANGE, async (query) => {
    asked.push(query)
    return { matches, status: { minCursor: 'a', maxCursor: 'a', rowsMatched: 7, messages: [] } }
  })
  const poll = (isReading = false) => feed.loadNewest(new AbortController().signal, () => isReading)
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
  expect(feed.pages.value.rows.length).toBe(105)
  await poll()
  expect([feed.pages.value.rows[0]?._rowId, feed.pages.value.total, asked.length]).toEqual(['9000', 7, 5])
})
