/** What the judge says where fields, units or log lines change with a release, or where one dataset has several environments. */
import { expect, test } from '@jest/globals'
import { created } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven } from '../monitors/driven-service.ts'

const room = roomForTests()

/** The events of a minute, from their number since the release; negative ones are before it. */
type World = (minute: number) => object[]

const times = (count: number, event: (at: number) => object) => Array.from({ length: count }, (_, at) => event(at))
/** 100 requests a minute without chance, of which so many fail. */
const requests = (failed: number, name: string, more: (at: number) => object = () => ({})) =>
  times(100, (at) => ({ [name]: at < failed ? 500 : 200, ...more(at) }))
const slow = (at: number) => 40 + ((at * 7) % 20)
const errorsOf = (before: number, after: number) => (minute: number) => (minute < 0 ? before : after)
const lines = (level: string, count: number) => times(count, () => ({ level }))

interface Expected {
  verdict: RegExp
  /** Of the series of errors. */
  errors?: { verdict?: string; lack?: RegExp; kind?: string }
  latency?: RegExp
  notes?: RegExp
  environment?: string
}

const WORLDS: Record<string, [World, Expected]> = {
  'renamed-status': [
    (minute) => requests(errorsOf(1, 10)(minute), minute < 0 ? 'status' : 'http_code'),
    {
      verdict: /inconclusive|same/,
      errors: { verdict: 'inconclusive', lack: /^the field status is gone since the release; http_code appeared$/ },
    },
  ],
  'renamed-both': [
    (minute) =>
      requests(1, minute < 0 ? 'status' : 'http.status_code', (at) => ({ [minute < 0 ? 'duration_ms' : 'duration']: slow(at) })),
    {
      verdict: /inconclusive|same/,
      errors: { verdict: 'inconclusive', lack: /^the field status is gone since the release; http\.status_code appeared$/ },
      latency: /^the field duration_ms is gone since the release; duration appeared$/,
    },
  ],
  'vanished-status': [
    (minute) => (minute < 0 ? requests(1, 'status') : requests(1, 'other')),
    { verdict: /inconclusive|same/, errors: { verdict: 'inconclusive', lack: /^the field status is gone since the release$/ } },
  ],
  'milliseconds-to-seconds': [
    (minute) => requests(1, 'status', (at) => ({ duration: slow(at) * (minute < 0 ? 1 : 0.001) })),
    {
      verdict: /inconclusive|same/,
      latency: /^all percentiles are 1,000 times smaller since the release, as if the unit had changed$/,
    },
  ],
  'requests-stopped': [(minute) => [...lines('debug', 30), ...(minute < 0 ? requests(1, 'status') : [])], { verdict: /gone/ }],
  'debug-off': [
    (minute) => [...requests(2, 'status'), ...lines('debug', minute < 0 ? 150 : 0)],
    { verdict: /lower/, errors: { kind: 'share' } },
  ],
  'debug-on': [
    (minute) => [...requests(errorsOf(2, 6)(minute), 'status'), ...lines('debug', minute < 0 ? 50 : 250)],
    { verdict: /worse/, errors: { verdict: 'worse', kind: 'share' } },
  ],
  'quieter-lines': [
    (minute) => [...lines('error', 2), ...lines('info', minute < 0 ? 98 : 18)],
    { verdict: /lower/, errors: { verdict: 'inconclusive', kind: 'count' } },
  ],
  'louder-lines': [
    (minute) => [...lines('error', errorsOf(2, 6)(minute)), ...lines('info', minute < 0 ? 98 : 500)],
    { verdict: /worse/, errors: { verdict: 'worse', kind: 'count' } },
  ],
  'exceptions-beside-requests': [
    (minute) => [...requests(0, 'status'), ...lines('error', errorsOf(1, 6)(minute))],
    { verdict: /worse/, errors: { verdict: 'worse', kind: 'share' } },
  ],
  'staging-breaks': [
    (minute) => [
      ...requests(1, 'status', () => ({ env: 'prod' })),
      ...times(10, (at) => ({ status: minute >= 0 && at < 6 ? 500 : 200, env: 'staging' })),
    ],
    { verdict: /inconclusive|same/, environment: 'production' },
  ],
  'staging-seen': [
    (minute) => [
      ...requests(1, 'status', () => ({ env: 'prod' })),
      ...times(10, (at) => ({ status: minute >= 0 && at < 6 ? 500 : 200, env: 'staging' })),
    ],
    { verdict: /worse/, environment: 'staging' },
  ],
  'environment-unnamed': [
    (minute) => requests(errorsOf(1, 5)(minute), 'status', () => ({ env: 'eu' })),
    { verdict: /worse/, environment: 'production' },
  ],
  orders: [
    () => times(100, (at) => ({ status: at % 2 ? 'paid' : 'open', code: 1001 + at })),
    {
      verdict: /inconclusive|same/,
      notes:
        /^Errors are not looked at: no field says what failed\. Define `failed`\. Latency is not looked at: no field says how long it took\. Define `duration_ms`$/,
    },
  ],
}

test('the judge never says the opposite of the truth where fields, lines or environments change', async () => {
  await using service = await startDriven(room, { releaseTypes: ['rollout'] })
  const atMs = room.clock.now() - 15 * MINUTE
  const marks = new Map<string, string>()
  for (const [name, [world, { environment }]] of Object.entries(WORLDS)) {
    const events = Array.from({ length: 75 }, (_, at) => at - 61).flatMap((minute) =>
      world(minute).map((event, at, all) => ({
        _time: iso(atMs + minute * MINUTE + Math.floor((at * MINUTE) / all.length)),
        ...event,
      })),
    )
    await service.ingest(name, events)
    const mark = { datasets: [name], type: 'rollout', title: '2.0.0', time: iso(atMs), ...(environment && { environment }) }
    marks.set(name, (await created(service, mark)).id)
  }
  const wrong: unknown[] = []
  for (const [name, [, expected]] of Object.entries(WORLDS)) {
    const { verdict = '', verdictDetails } = await service.judged(marks.get(name) as string)
    const { series = [], notes = [] } = verdictDetails ?? {}
    const errors = series.find((one) => one.name === `${name} errors`)
    const latencies = series.filter((one) => /p\d\d$/.test(one.name))
    const isRight =
      expected.verdict.test(verdict) &&
      (expected.errors?.verdict ?? errors?.verdict) === errors?.verdict &&
      (expected.errors?.kind ?? errors?.kind) === errors?.kind &&
      (expected.errors?.lack ?? /^/).test(errors?.lack ?? '') &&
      (!expected.latency || (latencies.length === 3 && latencies.every(({ lack }) => expected.latency?.test(lack ?? '')))) &&
      (expected.notes ?? /^/).test(notes.join())
    if (!isRight) wrong.push({ name, verdict, headline: verdictDetails?.headline, text: verdictDetails?.text, notes })
  }
  expect(wrong).toEqual([])
})
