/**
 * Monitors whose queries take long: what they hold up, and what becomes of their answers.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from '@jest/globals'
import type { Reader } from '../../../event-store/src/reading/reader.ts'
import { ask } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven, until } from './driven-service.ts'

const room = roomForTests()
const dataset = `web-${randomUUID()}`
beforeAll(async () => {
  await using service = await startDriven(room)
  await service.ingest(dataset, [{ _time: new Date(room.clock.now() - 1_000).toISOString(), status: 500 }])
})

/** The room's reader, which holds queries that say so until they are released. */
function holdingReader() {
  const held: { release: () => void; signal: AbortSignal }[] = []
  const reader: Reader = {
    async read(statement, signal) {
      if (Object.values(statement.params).includes('held')) {
        await new Promise<void>((resolve, reject) => {
          held.push({ release: resolve, signal })
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      }
      return room.events.reader.read(statement, signal)
    },
    admit: (prepare, signal, asker) => room.events.reader.admit(prepare, signal, asker),
    load: () => ({}),
    stateOf: () => undefined,
    close: async () => undefined,
  }
  return { reader, held }
}
const held = { aplQuery: `['${dataset}'] | summarize n = count(), word = max('held') | project word, n`, rangeMinutes: 600 }
const quick = { aplQuery: `['${dataset}'] | summarize count()`, rangeMinutes: 600 }

test('one that takes long is not run on top of itself, and holds up no other', async () => {
  const { reader, held: waiting } = holdingReader()
  await using service = await startDriven(room, { reader })
  const from = room.clock.now()
  const slow = await service.createMonitor(held)
  await until(async () => waiting[0])
  const other = await service.createMonitor(quick)
  await service.ranAt(other.id, from)
  for (const minute of [1, 2, 3]) {
    room.clock.advance(MINUTE)
    await service.ranAt(other.id, from + minute * MINUTE)
  }
  expect(waiting).toHaveLength(1)
  waiting[0]?.release()
  // The runs that it missed meanwhile are one.
  expect((await service.ranAt(slow.id, from)).nextRun).toBe(iso(from + MINUTE))
  await until(async () => waiting[1])
  waiting[1]?.release()
  expect((await service.ranAt(slow.id, from + 3 * MINUTE)).nextRun).toBe(iso(from + 4 * MINUTE))
  expect(waiting).toHaveLength(2)
})

test('no more than two queries of monitors are under way, and people query meanwhile', async () => {
  const { reader, held: waiting } = holdingReader()
  await using service = await startDriven(room, { reader })
  const monitors = [await service.createMonitor(held), await service.createMonitor(held), await service.createMonitor(held)]
  await until(async () => waiting[1])
  const body = { apl: quick.aplQuery, startTime: '2026-01-01', endTime: '2027-01-01' }
  expect((await ask(service, 'POST', '/v1/datasets/_apl', { body })).status).toBe(200)
  await sleep(50)
  expect(waiting).toHaveLength(2)
  waiting[0]?.release()
  await until(async () => waiting[2])
  for (const { release } of waiting) release()
  for (const { id } of monitors) await service.ranAt(id, room.clock.now())
})

test('what was asked before a change is no answer after it', async () => {
  const { reader, held: waiting } = holdingReader()
  await using service = await startDriven(room, { reader })
  const from = room.clock.now()
  const { id } = await service.createMonitor(held)
  await until(async () => waiting[0])
  room.clock.advance(1_000)
  await service.change(id, { threshold: 100 })
  waiting[0]?.release()
  await until(async () => waiting[1])
  waiting[1]?.release()
  expect(await service.ranAt(id, from + 1_000)).toMatchObject({ status: 'ok' })
  expect(service.log.map(({ status }) => status)).toEqual(['ok'])
})

test('a run that ends after its monitor was deleted leaves nothing', async () => {
  const { reader, held: waiting } = holdingReader()
  const service = await startDriven(room, { reader })
  const { id } = await service.createMonitor(held)
  await until(async () => waiting[0])
  const before = (await service.annotationsOf(dataset)).length
  await ask(service, 'DELETE', `/v2/monitors/${id}`)
  waiting[0]?.release()
  await service.stop()
  await using again = await startDriven(room)
  expect(await again.list()).toEqual([])
  expect(await again.annotationsOf(dataset)).toHaveLength(before)
})

test('a stop ends the queries under way, and the next start runs them', async () => {
  const { reader, held: waiting } = holdingReader()
  const service = await startDriven(room, { reader })
  const { id } = await service.createMonitor(held)
  const from = room.clock.now()
  await until(async () => waiting[0])
  await service.stop()
  expect(waiting[0]?.signal.aborted).toBe(true)
  expect(service.log).toEqual([])
  await using again = await startDriven(room)
  expect(await again.ranAt(id, from)).toMatchObject({ status: 'triggered' })
})
