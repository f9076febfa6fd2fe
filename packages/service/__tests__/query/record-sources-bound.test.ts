/**
 * More annotations than one query or list of releases reads, which a test makes in the records themselves: over HTTP it would take a minute.
 */
import type { Releases } from '@deployment-annotations/contract/release'
import { expect, test } from '@jest/globals'
import { disposedAfterTests } from '../../../../__tests__/support/for-tests.ts'
import type { StoredAnnotation } from '../../../records/src/annotations/annotation-records.ts'
import { ask } from '../http.ts'
import { insertAnnotations } from '../in-process.ts'
import { roomForTests, START_MS, startDriven } from '../monitors/driven-service.ts'
import { apl, rowsOf } from './ask.ts'

/** What one query reads at most. */
const ROWS_MAX = 10_000
const DAY_NS = 86_400_000_000_000n
const startNs = BigInt(START_MS) * 1_000_000n

const room = roomForTests()
const service = disposedAfterTests(() => startDriven(room, { releaseTypes: ['deploy'] }))

/** Annotations of a day that counts from the start. */
const insertAll = (count: number, day: bigint, members: Partial<StoredAnnotation> = {}) =>
  insertAnnotations(room.records, count, (n) => ({
    id: `ann_${day}_${n}`,
    timeNs: startNs + day * DAY_NS + BigInt(n),
    ...members,
  }))

const dayOf = (day: number) => ({
  startTime: new Date(START_MS + day * 86_400_000).toISOString(),
  endTime: new Date(START_MS + (day + 1) * 86_400_000).toISOString(),
})

test('as many annotations as are read at most are read whole; one more is an error that says what to do', async () => {
  await insertAll(ROWS_MAX, 0n)
  const whole = await apl(service, '_annotations | summarize n = count(), ids = dcount(id), last = max(_time)', dayOf(0))
  expect(rowsOf(whole.body)).toEqual([{ n: ROWS_MAX, ids: ROWS_MAX, last: '2026-01-31T12:00:00.000009999Z' }])
  await insertAll(1, 0n, { id: 'ann_more' })
  const over = await apl(service, '_annotations | count', dayOf(0))
  expect([over.status, over.body.message]).toEqual([
    432,
    `['_annotations'] has more than ${ROWS_MAX} annotations in the time of the query; ask for a shorter time`,
  ])
})

test('a list of releases is of the last annotations, and says so', async () => {
  const { startTime: start, endTime: end } = dayOf(0)
  const { body } = await ask<Releases>(service, 'GET', `/v2/releases?start=${start}&end=${end}`)
  expect(body.total.deployments).toBe(ROWS_MAX)
  expect(body.notes).toEqual([
    `500 of ${ROWS_MAX} releases are listed, first those that hurt, failed or go on; all are counted.`,
    `Only the last ${ROWS_MAX} annotations of this time were searched.`,
  ])
  expect(body.releases[0]?.annotation.time).toBe('2026-01-31T12:00:00.000009999Z')
})

test('of more releases than are listed, one that failed is listed before newer ones of routine', async () => {
  await insertAll(600, 3n)
  await insertAll(1, 3n, { id: 'ann_failed', timeNs: startNs + 3n * DAY_NS, description: 'failed after 4 min' })
  const { startTime: start, endTime: end } = dayOf(3)
  const { releases, count } = (await ask<Releases>(service, 'GET', `/v2/releases?start=${start}&end=${end}`)).body
  expect([releases.length, releases.at(-1)?.annotation.id, count]).toEqual([500, 'ann_failed', 601])
})

test('long annotations are bounded by their text', async () => {
  const text = '😀'.repeat(500)
  const long = { title: text.slice(0, 512), description: text, url: text }
  await insertAll(3_500, 1n, long)
  const { status, body } = await apl(service, '_annotations | count', dayOf(1))
  expect([status, body.message]).toEqual([432, expect.stringContaining('more than 8 MiB of annotations')])
})
