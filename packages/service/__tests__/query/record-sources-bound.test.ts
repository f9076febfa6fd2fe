/**
 * More annotations than one query or list of releases reads, which a test makes in the records themselves: over HTTP it would take a minute.
 */
import type { Releases } from '@deployment-annotations/contract/release'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { insertAnnotation, type StoredAnnotation } from '../../../records/src/annotations/annotation-records.ts'
import type { RecordsDatabase } from '../../../records/src/database/records.ts'
import { ask } from '../http.ts'
import { openRoom, type Room, START_MS, startDriven } from '../monitors/driven-service.ts'
import { apl, rowsOf } from './ask.ts'

/** What one query reads at most. */
const ROWS_MAX = 10_000
const DAY_NS = 86_400_000_000_000n
const startNs = BigInt(START_MS) * 1_000_000n

let room: Room
let service: Awaited<ReturnType<typeof startDriven>>
beforeAll(async () => {
  room = await openRoom()
  service = await startDriven(room, { releaseTypes: ['deploy'] })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await room?.close()
})

/** One more than is read on the first day, and one that is too long to be read with others on the second. */
function annotations(count: number, day: bigint, members: Partial<StoredAnnotation> = {}) {
  return Array.from({ length: count }, (_, at) => ({
    annotation: {
      id: `ann_${day}_${at}`,
      datasets: ['web'],
      type: 'deploy',
      timeNs: startNs + day * DAY_NS + BigInt(at),
      createdAtMs: START_MS,
      createdBy: 'tok_test',
      ...members,
    },
  }))
}

async function insertAll(db: RecordsDatabase, list: readonly { annotation: StoredAnnotation }[]): Promise<void> {
  for (const { annotation } of list) await insertAnnotation(db, annotation)
}

const dayOf = (day: number) => ({
  startTime: new Date(START_MS + day * 86_400_000).toISOString(),
  endTime: new Date(START_MS + (day + 1) * 86_400_000).toISOString(),
})

test('as many annotations as are read at most are read whole; one more is an error that says what to do', async () => {
  await room.records.transaction((db) => insertAll(db, annotations(ROWS_MAX, 0n)))
  const whole = await apl(service, '_annotations | summarize n = count(), ids = dcount(id), last = max(_time)', dayOf(0))
  expect(rowsOf(whole.body)).toEqual([{ n: ROWS_MAX, ids: ROWS_MAX, last: '2026-01-31T12:00:00.000009999Z' }])
  await room.records.transaction((db) => insertAll(db, annotations(1, 0n, { id: 'ann_more' })))
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
    `The newest 500 of ${ROWS_MAX} releases are listed; all are counted.`,
    `Only the last ${ROWS_MAX} annotations of this time were searched.`,
  ])
  expect(body.releases[0]?.annotation.time).toBe('2026-01-31T12:00:00.000009999Z')
})

test('long annotations are bounded by their text', async () => {
  const text = '😀'.repeat(500)
  const long = { title: text.slice(0, 512), description: text, url: text }
  await room.records.transaction((db) => insertAll(db, annotations(3_500, 1n, long)))
  const { status, body } = await apl(service, '_annotations | count', dayOf(1))
  expect([status, body.message]).toEqual([432, expect.stringContaining('more than 8 MiB of annotations')])
})
