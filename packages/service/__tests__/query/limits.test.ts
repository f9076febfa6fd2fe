/**
 * What one query may cost, and that it costs nobody else: time, memory, size, waiting, and callers that leave.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { tokenWith } from '../http.ts'
import { apl, ingest, post } from './ask.ts'

const SECONDS_MAX = 5
const BIG = Array.from({ length: 20_000 }, (_, n) => ({ n, key: `key ${n % 100}`, text: 'x'.repeat(200) }))

const service = serviceWithEvents({ big: BIG }, { args: ['--query-seconds-max', String(SECONDS_MAX)] })

/** Pairs every event with every other and hashes each pair: four hundred million hashes, on any machine far more than the time allows. */
const SLOW = `['big'] | extend k = 1 | join kind=inner (['big'] | project k = 1, m = n) on k
| where hash_sha512(strcat(tostring(n), '-', tostring(m))) contains 'no such text' | count`

const secondsOf = async (task: () => Promise<unknown>) => {
  const from = performance.now()
  await task()
  return (performance.now() - from) / 1_000
}

test('a query that takes too long is ended, and told what to do', async () => {
  const { status, body } = await apl(service, SLOW)
  expect([status, body.code]).toEqual([504, 504])
  expect(body.message).toMatch(/took longer than 5 s and was stopped; ask for a shorter time/)
})

test('a query that needs too much memory is a 432, and told what to do', async () => {
  // With time enough: where processors are busy, it needs more of it before it has so much memory.
  await using patient = await startService({ args: ['--query-seconds-max', '100', '--query-memory-max', '100'] })
  await ingest(patient, 'big', BIG)
  const text =
    "['big'] | join kind=inner (['big'] | project key, other = strcat(text, tostring(n))) on key | summarize make_list(other, 1000000)"
  const { status, body } = await apl(patient, text)
  expect([status, body.code]).toEqual([432, 432])
  expect(body.message).toMatch(/more than 100 MiB of memory/)
})

/** @returns the nice values of the service's threads with names that match */
function niceOf(name: RegExp): Set<number> {
  const threads = `/proc/${service.pid}/task`
  const ofAll = readdirSync(threads).map((id) => readFileSync(`${threads}/${id}/stat`, 'utf8'))
  return new Set(
    ofAll
      .filter((stat) => name.test(stat.slice(stat.indexOf('(') + 1)))
      .map((stat) => Number(stat.split(') ')[1]?.split(' ')[16])),
  )
}

const testOnLinux = process.platform === 'linux' ? test : test.skip

testOnLinux('the threads of queries have a lower priority than all others', async () => {
  const slow = apl(service, SLOW)
  await sleep(1_000)
  const [own = 0] = niceOf(/^annotation-serv/)
  expect(niceOf(/^Query/)).toEqual(new Set([availableParallelism() > 1 ? 19 : Math.min(own + 5, 19)]))
  expect([own, ...niceOf(/^(?:libuv-worker|V8Worker)/)]).toEqual([own, own])
  await slow
})

test('slow queries hold up neither ingest, nor annotations, nor other queries of a few rows', async () => {
  const slow = [1, 2, 3].map(() => apl(service, SLOW))
  await sleep(300)
  const waits: number[] = []
  for (let round = 0; round < 5; round++) {
    waits.push(await secondsOf(() => ingest(service, 'small', [{ round }])))
    const annotation = { datasets: ['small'], type: 'deploy' }
    waits.push(await secondsOf(() => post(service, '/v2/annotations', annotation)))
    waits.push(await secondsOf(() => apl(service, "['small'] | limit 1")))
    waits.push(await secondsOf(() => fetch(`${service.url}/healthz`)))
  }
  // Behind a slow query it would be as long as that may take.
  expect(Math.max(...waits)).toBeLessThan(SECONDS_MAX - 0.5)
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([504, 504, 504])
})

test('the query of a caller that leaves is ended in the engine, and its place is free', async () => {
  const caller = new AbortController()
  const members = { apl: SLOW, startTime: 'now-1d', endTime: 'now' }
  const left = [1, 2, 3, 4].map(() => post(service, '/v1/datasets/_apl', members, { signal: caller.signal }).catch(String))
  await sleep(400)
  const seconds = secondsOf(() => apl(service, "['big'] | count"))
  caller.abort()
  expect(await Promise.all(left)).toEqual(Array(4).fill(expect.stringContaining('AbortError')))
  expect(await seconds).toBeLessThan(SECONDS_MAX - 2)
  expect(service.requests.filter(({ status }) => status === 499).length).toBe(4)
})

test('so many queries of a token may wait, then they are refused at once with a time to come back', async () => {
  const callers = new AbortController()
  const members = { apl: SLOW, startTime: 'now-1d', endTime: 'now' }
  const asked = Array.from({ length: 200 }, () => post(service, '/v1/datasets/_apl', members, { signal: callers.signal }))
  const refused = await Promise.any(
    asked.map(async (answer) => ((await answer).status === 429 ? answer : Promise.reject(new Error('another answer')))),
  )
  // Of others the service takes more.
  const other = { url: service.url, token: await tokenWith(service, ['query|read']) }
  expect((await apl(other, "['big'] | count")).status).toBe(200)
  callers.abort()
  await Promise.allSettled(asked)
  expect(refused.headers.get('retry-after')).toMatch(/^[15]$/)
  expect(refused.body).toEqual({
    code: 429,
    message: expect.stringMatching(/^the share of this token is used up: \d+ of its queries/),
  })
  expect((await apl(service, "['big'] | count")).status).toBe(200)
})

test('joins that would take minutes hold up neither the queries of another token nor small ones of the same', async () => {
  const callers = new AbortController()
  const members = { apl: SLOW, startTime: 'now-1d', endTime: 'now' }
  const ended: string[] = []
  const joins = Array.from({ length: 40 }, () =>
    post(service, '/v1/datasets/_apl', members, { signal: callers.signal }).then(({ status }) => ended.push(`join ${status}`)),
  )
  const small = "['big'] | where n < 10 | summarize count() by key"
  try {
    for (const token of [await tokenWith(service, ['query|read']), service.token]) {
      // While joins are being refused there may be no place to wait in: a client comes back when it is told to.
      await until('a small query is answered', async () => (await apl({ url: service.url, token }, small)).status === 200)
      ended.push('small')
    }
    // Those beyond what may wait were refused; no join was done before.
    expect(ended.filter((what) => what !== 'join 429')).toEqual(['small', 'small'])
  } finally {
    callers.abort()
    await Promise.allSettled(joins)
  }
})

test('an answer that would be too large is refused, not built', async () => {
  const wide = Array.from({ length: 90 }, (_, n) => ({ n, text: 'y'.repeat(1_000_000) }))
  for (let from = 0; from < wide.length; from += 10) await ingest(service, 'wide', wide.slice(from, from + 10))
  const { status, body } = await apl(service, "['wide']")
  expect([status, body.message]).toEqual([432, expect.stringMatching(/larger than 64 MiB; use a smaller limit/)])
  expect((await apl(service, "['wide'] | limit 3")).status).toBe(200)
})
