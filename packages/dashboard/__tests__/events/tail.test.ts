/** When the live tail asks, and that an answer which is no longer awaited changes nothing. */
import { expect, test } from '@jest/globals'
import { type Ask, Feed } from '../../src/events/feed.ts'
import { backoffMs, follow, POLL_MS, type Trouble } from '../../src/events/tail.ts'

/** @param outcomes of the polls, in turn; it ends after the last */
async function run(outcomes: (boolean | Error)[]) {
  const slept: number[] = []
  const troubles: (Trouble | undefined)[] = []
  const ended = new AbortController()
  await follow(
    {
      pollMs: POLL_MS,
      poll: async () => {
        const outcome = outcomes.shift()
        if (outcome instanceof Error) throw outcome
        return outcome ?? false
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

test('polls every two seconds, and sooner while there is more', async () => {
  expect((await run([false, true, true, false])).slept).toEqual([2_000, 200, 200, 2_000])
})

test('waits longer with every failure, says so, and takes it back', async () => {
  const error = new Error('gone')
  const { slept, troubles } = await run([error, error, error, false, error])
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

test('the tail asks for what is newer, up to now, and for what came late', async () => {
  const asked: unknown[] = []
  const feed = new Feed("['web']", RANGE, async (query) => {
    asked.push(query)
    const matches = [{ _time: '1970-01-01T00:00:00Z', _sysTime: '2026-01-01T00:00:00.123456789Z', _rowId: 'a', data: {} }]
    return { matches, status: { minCursor: 'a', maxCursor: 'a', rowsMatched: 1, messages: [] } }
  })
  await feed.loadMore()
  await feed.loadNewer(new AbortController().signal, () => false)
  expect(asked).toMatchObject([
    { apl: "['web']\n| sort by _time desc | limit 100", endTime: '1970-01-01T00:00:00.001Z' },
    { apl: "['web']\n| sort by _time asc | limit 1000", endTime: 'now', cursor: 'a' },
    { apl: "['web']\n| where _sysTime > datetime(2025-12-31T23:59:50.123Z) | sort by _time asc | limit 1000", endTime: 'now' },
  ])
  expect(feed.pages.value.rows.length).toBe(1)
})

test('late events are fetched to the last, those that were there for two looks not again', async () => {
  const asked: { apl: string; cursor?: string }[] = []
  let late = 1_000
  const feed = new Feed("['web']", RANGE, async (query) => {
    asked.push(query)
    const count = query.apl.includes('_sysTime') ? late : 1
    const row = { _time: '1970-01-01T00:00:00Z', _sysTime: '2026-01-01T00:00:00.123456789Z', data: {} }
    const matches = Array.from({ length: count }, (_, n) => ({ ...row, _rowId: `${n}` }))
    return { matches, status: { minCursor: '0', maxCursor: `${count}`, rowsMatched: 1, messages: [] } }
  })
  const poll = () => feed.loadNewer(new AbortController().signal, () => false)
  await feed.loadMore()
  expect(await poll()).toBe(true)
  late = 1
  for (let polls = 0; polls < 11; polls++) expect(await poll()).toBe(false)
  expect(
    asked.filter(({ apl }) => apl.includes('_sysTime')).map(({ apl, cursor }) => [/\((.*)\)/.exec(apl)?.[1], cursor]),
  ).toEqual([
    ['2025-12-31T23:59:50.123Z', undefined],
    ['2025-12-31T23:59:50.123Z', '1000'],
    ['2025-12-31T23:59:50.123Z', undefined],
    ['2026-01-01T00:00:00.123456789Z', undefined],
  ])
})
