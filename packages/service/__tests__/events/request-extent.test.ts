import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startService } from '../../../../__tests__/support/service.ts'
import { RECEIVED_NS, readBody, SYS_TIME_NS } from '../../../event-store/__tests__/read-body.ts'
import { IngestCounts } from '../../../event-store/src/rows/ingest-counts.ts'
import { apl, rowsOf } from '../query/ask.ts'
import { send } from './send.ts'

test('the first and the last of any times are the least and the greatest number', () => {
  const times = fc.array(fc.bigInt(-(2n ** 61n), 2n ** 63n - 1n), { minLength: 1 })
  fc.assert(
    fc.property(times, (all) => {
      const counts = new IngestCounts(RECEIVED_NS)
      for (const time of all) counts.store(time)
      const { firstTimeNs, lastTimeNs } = counts.extentOf(SYS_TIME_NS)
      const sorted = all.toSorted((a, b) => (a < b ? -1 : 1))
      expect([firstTimeNs, lastTimeNs]).toEqual([String(sorted[0]), String(sorted.at(-1))])
    }),
  )
})

test('the extent of a request has the time of events without one, and leaves out what cannot be stored', async () => {
  const at = (time: string) => JSON.stringify({ _time: time })
  const body = `${at('2026-03-01T00:00:00Z')}\n{"a":1}\n${at('1960-01-01T00:00:00Z')}\n${at('1800-01-01T00:00:00Z')}\n`
  expect((await readBody(body)).extent).toEqual({
    sysTimeNs: SYS_TIME_NS,
    firstTimeNs: '-315619200000000000',
    lastTimeNs: '1772323200000000000',
    rows: 3,
  })
  expect((await readBody('{"a":1}')).extent).toMatchObject({ firstTimeNs: RECEIVED_NS, lastTimeNs: RECEIVED_NS, rows: 1 })
  expect((await readBody('[]')).extent).toEqual({
    sysTimeNs: SYS_TIME_NS,
    firstTimeNs: SYS_TIME_NS,
    lastTimeNs: SYS_TIME_NS,
    rows: 0,
  })
})

test('all rows of a request have one _sysTime that no other request has, also of a large one; _time stays the millisecond', async () => {
  await using service = await startService()
  const small = Array.from({ length: 20 }, () => '[{"size":"small"},{"size":"small"}]')
  const large = JSON.stringify(Array.from({ length: 60 }, () => ({ size: 'large', pad: 'x'.repeat(100_000) })))
  const answers = await Promise.all([...small, large, large].map((body) => send(service, body)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200))
  const { body } = await apl(service, "['web'] | summarize n = count(), times = dcount(_time), first = min(_time) by _sysTime")
  const requests = rowsOf(body)
  expect(requests.map(({ n }) => Number(n)).sort((a, b) => a - b)).toEqual([...small.map(() => 2), 60, 60])
  expect(new Set(requests.map(({ times }) => times))).toEqual(new Set([1]))
  for (const { first } of requests) expect(first).toMatch(/:\d\d(\.\d{1,3})?Z$/)
})
