/**
 * Answers that are made as they are sent: whole and in order however large, at the pace of their reader, and never a part that looks
 * like the whole.
 */
import { readdirSync, readFileSync, readlinkSync, truncateSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ALWAYS, apl, ingest, legacy, rowsOf } from './ask.ts'

// One process, whose open files are looked at.
const service = serviceForTests({ args: [] })
const ROWS = 12_000
/** More than is held of the columns of one answer, so that they need several passes; of one to four bytes a character. */
const text = (n: number, column: number) => `${n}/${column} ${['x', 'é', '€', '😀'][(n + column) % 4]?.repeat(500)}`
const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString().replace('.000', '')

beforeAll(async () => {
  const events = Array.from({ length: ROWS }, (_, n) => ({
    _time: timeOf(n),
    n,
    ...(n % 3 === 0 && { third: { of: n / 3 } }),
    a: text(n, 0),
    b: text(n, 1),
  }))
  for (let from = 0; from < ROWS; from += 2_000) await ingest(service, 'large', events.slice(from, from + 2_000))
})

/** How many answers of the engine the service has open. */
function openAnswers(): string[] {
  const directory = `/proc/${service.pid}/fd`
  return readdirSync(directory)
    .map((fd) => `${directory}/${fd}`)
    .filter((path) => {
      try {
        return /answers[^/]*\/\d+ \(deleted\)$/.test(readlinkSync(path))
      } catch {
        return false
      }
    })
}

/** What the service has in memory. */
const memoryBytes = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) * 1_024

/** An answer of which nothing was read yet. */
function begin(members: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}/v1/datasets/_apl`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    })
    sent.on('response', resolve).on('error', reject)
    sent.end(JSON.stringify({ ...ALWAYS, ...members }))
  })
}

test('a large answer has every row, in columns and in matches', async () => {
  const { status, body } = await apl(service, "['large'] | sort by _time asc | limit 65000")
  expect([status, body.status.rowsMatched]).toEqual([200, ROWS])
  const numbers = Array.from({ length: ROWS }, (_, n) => n)
  const columns = Object.fromEntries(body.tables[0]?.fields.map(({ name }, at) => [name, body.tables[0]?.columns[at]]) ?? [])
  expect(columns.n).toEqual(numbers)
  expect(columns._time).toEqual(numbers.map(timeOf))
  expect(columns.a).toEqual(numbers.map((n) => text(n, 0)))
  expect(columns.b).toEqual(numbers.map((n) => text(n, 1)))
  expect(columns['third.of']).toEqual(numbers.map((n) => (n % 3 === 0 ? n / 3 : null)))
  expect(body.matches.map(({ data }) => data.n)).toEqual(numbers)
  expect(body.matches.map(({ data }) => data.a)).toEqual(columns.a)
  expect([body.status.minCursor, body.status.maxCursor]).toEqual([body.matches[0]?._rowId, body.matches.at(-1)?._rowId])
  await until('that answers are closed', () => openAnswers().length === 0)
})

test('a large table that was computed is whole too, and its bins are in order', async () => {
  const { body } = await apl(service, "['large'] | summarize n = count(), a = take_any(a) by bin(_time, 1s)")
  const times = rowsOf(body).map(({ _time }) => _time)
  expect(times).toEqual(Array.from({ length: ROWS }, (_, n) => timeOf(n)))
  expect(rowsOf(body).map(({ a }) => a)).toEqual(Array.from({ length: ROWS }, (_, n) => text(n, 0)))
  expect(rowsOf(body, '_totals').length).toBe(1)
})

test('large buckets have every group in its interval, and the same ids in the totals', async () => {
  const { body } = await legacy(service, 'large', {
    resolution: '1h',
    aggregations: [{ alias: 'n', op: 'count', field: '*' }],
    groupBy: ['n'],
  })
  const { series, totals } = body.buckets
  expect(series.map(({ startTime }) => startTime)).toEqual([0, 1, 2, 3].map((hour) => timeOf(hour * 3_600)))
  expect(series.map(({ groups }) => groups.length)).toEqual([3_600, 3_600, 3_600, 1_200])
  const ids = new Map(totals.map(({ id, group }) => [group.n, id]))
  expect(ids.size).toBe(ROWS)
  for (const { id, group } of series.flatMap(({ groups }) => groups)) expect(ids.get(group.n)).toBe(id)
})

test('an answer waits for its reader, others do not, and it is all there in the end', async () => {
  const answer = await begin({ apl: "['large'] | limit 12000" })
  await sleep(500)
  expect(openAnswers()).toHaveLength(1)
  // More than run at a time: a reader that is slow has no place in the engine.
  for (let round = 0; round < 6; round++) expect((await apl(service, "['large'] | count")).status).toBe(200)
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) text += piece
  expect(JSON.parse(text).matches).toHaveLength(ROWS)
  await until('that answers are closed', () => openAnswers().length === 0)
})

test('a caller that leaves in the middle of its answer leaves nothing behind', async () => {
  const answer = await begin({ apl: "['large'] | limit 11999" })
  answer.once('data', () => answer.destroy()).on('error', () => undefined)
  await until('the request in the log', () => service.requests.some(({ status }) => status === 499))
  await until('that answers are closed', () => openAnswers().length === 0)
  // Closed by whoever opened it, and not by Node when it happened to find it.
  expect(service.stderr).not.toContain('garbage collection')
})

test('an answer that fails in the middle is cut, so that nobody takes the part for the whole', async () => {
  const answer = await begin({ apl: "['large'] | limit 11998" })
  await until('that answers are closed', () => openAnswers().length === 1)
  for (const path of openAnswers()) truncateSync(path)
  const read = async () => {
    for await (const _ of answer);
  }
  await expect(read()).rejects.toThrow('aborted')
  await until('the request in the log', () => service.requests.some(({ status }) => status === 500))
  expect(service.stderr).toMatch(/the answer ends at \d+ of \d+ bytes/)
})

test('a value in many columns counts as often as it is sent', async () => {
  const columns = Array.from({ length: 900 }, (_, n) => `c${n} = msg`).join(', ')
  const before = memoryBytes()
  for (const source of [
    "['large'] | extend msg = substring(a, 0, 60)",
    "['large'] | summarize msg = take_any(substring(a, 0, 60)) by n",
  ]) {
    const { status, body } = await apl(service, `${source} | extend ${columns} | limit 10000`)
    expect([status, body.message]).toEqual([432, expect.stringMatching(/larger than 64 MiB; use a smaller limit/)])
  }
  expect(memoryBytes() - before).toBeLessThan(200 * 1_048_576)
  const small = await apl(service, `['large'] | extend msg = substring(a, 0, 60) | extend ${columns} | limit 100`)
  expect([small.status, rowsOf(small.body).length]).toEqual([200, 100])
})

test('groups that are more than an answer has room for are refused with what to do', async () => {
  const columns = Array.from({ length: 900 }, (_, n) => `c${n}=count()`).join(', ')
  const { status, body } = await apl(service, `['large'] | summarize ${columns} by n`)
  expect([status, body.message]).toEqual([
    432,
    'the answer has 12000 rows of 901 columns, more than the 10000000 cells that one may have; use a limit of at most 11098, or project fewer columns',
  ])
})
