/**
 * Pages of a query speak of one interval: every relative time that the service takes is sent as the instant it stood for at first.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { endOfMillisecond } from '@deployment-annotations/contract/relative-time'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Script, startScriptedService } from '../../../__tests__/support/scripted-service.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { readRange } from '../../service/src/query/query-request.ts'
import { systemClock } from '../src/clock.ts'
import { createClient } from '../src/index.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0, 123)
const NOW_NS = endOfMillisecond(NOW_MS)
const NO_ROWS: Script = { POST: () => ({ status: 200, body: '{"status":{},"tables":[],"matches":[]}' }) }

/** @returns the instant that the service reads, or `undefined` where it refuses the text */
function readByService(text: string): bigint | undefined {
  try {
    return readRange(text, text, NOW_NS).startNs
  } catch {
    return undefined
  }
}

const anyTime = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('now', 'now', 'now', 'Now', ' now', ''),
      fc.constantFrom('', ' ', '\t', '\u00a0 '),
      fc.constantFrom('-', '+', '−', ''),
      fc.constantFrom('', ' ', '  '),
      fc.oneof(fc.nat(9_999).map(String), fc.constantFrom('', '0', '007', '1.5', '999999999', '1234567890')),
      fc.constantFrom('s', 'm', 'h', 'd', 'w', 'ms', 'M', ' h', ''),
      fc.constantFrom('', '', '', ' ', '\n'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('now', '2026-01-31', '2026-01-31T12:00:00+01:00', 'now-1h30m', 'yesterday'),
)

test('what the service reads as a relative time is sent as that instant; any other text is sent as it is', async () => {
  await using service = await startScriptedService(NO_ROWS)
  const clock = { ...systemClock, now: () => NOW_MS }
  await using client = createClient({ token: 'xaat-token', baseUrl: service.url, clock })
  let frozen = 0
  await fc.assert(
    fc.asyncProperty(anyTime, async (text) => {
      await client.pages("['web']", { startTime: text, endTime: text }).next()
      const { startTime, endTime } = JSON.parse(service.requests.at(-1)?.body ?? '')
      expect(endTime).toBe(startTime)
      const isRelative = text !== '' && parseTimestamp(text) === undefined && readByService(text) !== undefined
      if (isRelative) frozen++
      if (isRelative) expect(parseTimestamp(startTime)).toBe(readByService(text))
      else expect(startTime).toBe(text)
    }),
    { numRuns: 400 },
  )
  expect(frozen).toBeGreaterThan(5)
})

test('rows that pass the start of “now - 20s” while they are read are not lost', async () => {
  await using service = await startService()
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const name = `slow-${randomUUID()}`
  const startMs = Date.now()
  // The last one is three seconds from the start of the interval, and its turn comes after more than three.
  const events = [0, 5_000, 10_000, 17_000].map((agoMs) => ({ _time: new Date(startMs - agoMs).toISOString(), agoMs }))
  await client.ingest(name, events)
  const text = `['${name}'] | sort by _time desc | limit 1`
  const seen: unknown[] = []
  for await (const { agoMs } of client.rows(text, { startTime: 'now - 20s', endTime: 'now' })) {
    seen.push(agoMs)
    await sleep(1_100)
  }
  expect(seen).toEqual([0, 5_000, 10_000, 17_000])
})
