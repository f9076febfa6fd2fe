import { setMaxListeners } from 'node:events'
import { expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { HeldQueries } from '../../src/query/held-queries.ts'
import { ask } from '../http.ts'
import { ingest } from './ask.ts'

const service = serviceWithEvents({ web: [{ n: 1 }] })

/** What follows a dataset asks so, again and again: from when it began up to now. */
const follow = (duration: string, body: object = {}) => {
  const now = new Date()
  const range = { startTime: new Date(now.getTime() - 1).toISOString(), endTime: now.toISOString() }
  return ask(service, 'POST', `/v1/datasets/web/query?streaming-duration=${duration}`, { body: { ...range, ...body } })
}
const ofNumber = (n: number) => ({ filter: { op: '==', field: 'n', value: n } })
const numbersOf = ({ body }: { body: unknown }) =>
  (body as { matches: { data: { n: number } }[] }).matches.map(({ data }) => data.n)

test('a query without rows is answered when some are stored', async () => {
  let isAnswered = false
  const asked = follow('60s', ofNumber(2)).finally(() => {
    isAnswered = true
  })
  // What does not match leaves it waiting.
  await ingest(service, 'web', [{ n: 3 }])
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(isAnswered).toBe(false)
  await ingest(service, 'web', [{ n: 2 }])
  expect(numbersOf(await asked)).toEqual([2])
})

test('it is answered without rows once its time is over', async () => {
  const from = performance.now()
  const answer = await follow('1s', ofNumber(99))
  expect([answer.status, numbersOf(answer)]).toEqual([200, []])
  expect(performance.now() - from).toBeGreaterThan(900)
})

test('a query of a time that is over sees nothing of what comes later', async () => {
  const past = { startTime: '2020-01-01T00:00:00Z', endTime: '2020-01-02T00:00:00Z' }
  const asked = follow('1s', past)
  await ingest(service, 'web', [{ n: 4 }])
  const answer = await asked
  expect(numbersOf(answer)).toEqual([])
  expect(answer.body).toMatchObject({ request: past })
})

test.each(['soon', '-1s', '1', '1.5s'])('streaming-duration %s is refused', async (duration) => {
  const answer = await follow(duration)
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(`got "${duration}"`) } })
})

const UNTIL_LATER = { startTime: 'now', endTime: 'now+1h' }

test('a caller that goes away ends its wait', async () => {
  const isLogged = () => service.requests.some(({ status }) => status === 499)
  // One that goes before its request has arrived leaves no trace.
  for (let tries = 0; tries < 20 && !isLogged(); tries++) {
    const gone = new AbortController()
    const asked = fetch(`${service.url}/v1/datasets/web/query?streaming-duration=60s`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(UNTIL_LATER),
      signal: gone.signal,
    }).catch((error: Error) => error.name)
    await new Promise((resolve) => setTimeout(resolve, 250 * (tries + 1)))
    gone.abort()
    expect(await asked).toBe('AbortError')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  expect(isLogged()).toBe(true)
})

test('a service that stops does not wait for it', async () => {
  await using other = await startService()
  await ingest(other, 'web', [{ n: 1 }])
  const path = '/v1/datasets/web/query?streaming-duration=60s'
  const waiting = ask(other, 'POST', path, { body: UNTIL_LATER }).catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await other.stop()).toMatchObject({ exitCode: 0 })
  await waiting
})

test('as many queries as are held at most wait, and one more is refused', async () => {
  const ending = new AbortController()
  const stored = new EventTarget()
  setMaxListeners(0, stored)
  const held = new HeldQueries({ stored, tables: { isShared: false }, ending: ending.signal })
  const nothing = { rows: { count: 0 }, [Symbol.asyncDispose]: async () => undefined }
  const hold = () =>
    held.untilRows(async () => nothing, { dataset: 'web', durationMs: 60_000, signal: new AbortController().signal })
  const waiting = Array.from({ length: 256 }, hold)
  await expect(hold()).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('256 queries that wait for events run'),
  })
  ending.abort()
  expect(await Promise.all(waiting)).toHaveLength(256)
})
