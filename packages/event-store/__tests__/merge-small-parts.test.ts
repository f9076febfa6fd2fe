/** Small parts of a dataset at rest are merged, and no row is another for it. */
import { expect, test } from '@jest/globals'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import { ServiceError } from '../../runtime/src/errors.ts'
import { createMergeTask } from '../src/upkeep/merge-small-parts.ts'
import { asBlocks, openTestStore } from './test-store.ts'

const TABLE = 'events_aaaaaaaaaa'
const INSERTS = 7

async function openParts() {
  const opened = await openTestStore()
  const { store } = opened
  await store.create(TABLE)
  for (let insert = 0; insert < INSERTS; insert++) {
    const rows = Array.from({ length: 100 }, (_, at) => row(insert * 100 + at))
    await store.insert(TABLE, asBlocks(Buffer.from(`${rows.join('\n')}\n`)))
  }
  const read = async () => {
    const [found] = await store.engine.select<{ parts: number; rows: number; sum: number }>(
      `SELECT (SELECT toUInt32(count()) FROM system.parts WHERE active AND table = '${TABLE}') AS parts,
        toUInt32(count()) AS rows, toUInt32(sum(data.n.:Int64)) AS sum FROM ${TABLE}`,
    )
    return found
  }
  return { ...opened, read }
}

const row = (n: number) => JSON.stringify([{ n }, `2026-01-01 00:00:00.${String(n).padStart(9, '0')}`, '2026-01-01 00:00:00', n])

const ROWS = { rows: INSERTS * 100, sum: (INSERTS * 100 * (INSERTS * 100 - 1)) / 2 }

const opened = ofEachTest(openParts)

test('the parts of a dataset at rest are merged, and have the same events', async () => {
  expect(await opened.read()).toEqual({ parts: INSERTS, ...ROWS })
  await createMergeTask({ engine: opened.store.engine, quietSeconds: 0 })()
  expect(await opened.read()).toEqual({ parts: 1, ...ROWS })
})

test('a dataset that gets events is left alone, and so is one without room on its disk', async () => {
  const { engine } = opened.store
  await createMergeTask({ engine })()
  const full = () => {
    throw new ServiceError('storage_full', 'no room')
  }
  await createMergeTask({ engine, quietSeconds: 0, requireRoom: full })()
  expect(await opened.read()).toEqual({ parts: INSERTS, ...ROWS })
})

test('merging takes a twentieth of the time at most', async () => {
  let nowMs = 0
  // Each look at the clock is a second after the last, so that a merge takes one.
  const clock = () => (nowMs += 1_000)
  const task = createMergeTask({ engine: opened.store.engine, quietSeconds: 0, clock })
  await task()
  for (let insert = 0; insert < INSERTS; insert++) await opened.store.insert(TABLE, asBlocks(Buffer.from(`${row(insert)}\n`)))
  const before = await opened.read()
  nowMs += 17_000
  await task()
  expect((await opened.read())?.parts).toBe(before?.parts)
  await task()
  await task()
  // The engine may add the part of before, which is as small.
  expect((await opened.read())?.parts).toBeLessThanOrEqual(2)
})
