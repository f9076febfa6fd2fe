/**
 * Monitors of one owner do not keep those of others waiting, and how late they run is known where none runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import {
  findOldestDue,
  insertMonitor,
  type MonitorDefinition,
  readSchedule,
} from '../../../records/src/automations/monitor-records.ts'
import { WHOLE_SHARE } from '../../../records/src/leases/shares.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { createTimer, Scheduler } from '../../src/scheduling/scheduler.ts'

test('slow runs of one owner leave a place to another', async () => {
  const begun: string[] = []
  const ending = new AbortController()
  const slow = (key: string) => ({
    key,
    owner: key.slice(0, 1),
    run: (signal: AbortSignal) => {
      begun.push(key)
      return sleep(60_000, undefined, { signal }).catch(() => undefined)
    },
  })
  const due = ['a1', 'a2', 'a3', 'a4', 'b1'].map(slow)
  const look = async () => ({ due, nextMs: Date.now() + 50 })
  const log = createLog(() => undefined)
  const scheduler = new Scheduler({ clock: createTimer(Date.now), log, widthMax: 3, widthPerOwnerMax: 2, look })
  const running = scheduler.run(ending.signal)
  await sleep(300)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  ending.abort()
  await running
})

test('many monitors that are due do not hide those of another creator, and the oldest of all is the lag', async () => {
  await using opened = await openTestRecords()
  const { records } = opened
  expect(await findOldestDue(records.read, 10_000)).toBe(10_000)
  const definition = { datasets: ['web'], intervalMinutes: 1, disabled: false } as MonitorDefinition
  await records.transaction(async (db) => {
    for (const [n, createdBy] of ['a', 'a', 'a', 'a', 'b'].entries()) {
      const state = { status: 'ok' as const, sinceMs: 0, nextRunMs: 1_000 + n }
      await insertMonitor(db, { id: `mon_${n}`, version: 1n, createdAtMs: 0, createdBy, definition, state })
    }
  })
  const { due } = await readSchedule(records.read, 10_000, WHOLE_SHARE, 3)
  expect(due.map(({ id }) => id)).toEqual(['mon_0', 'mon_4', 'mon_1'])
  expect(await findOldestDue(records.read, 10_000)).toBe(1_000)
})
