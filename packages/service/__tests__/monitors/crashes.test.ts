/**
 * What a crash leaves: before and after the transactions of a trigger and of a recovery, and when transactions fail.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { dyingRecords, failingRecords } from '../../../records/__tests__/faulty-records.ts'
import { ask } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven, until } from './driven-service.ts'

const room = roomForTests()

const event = (status: number, agoMs = 1_000) => ({ _time: new Date(room.clock.now() - agoMs).toISOString(), status })

/** Stores events and, without a server that runs it, leaves a monitor of them that has triggered. */
async function triggered(dataset: string): Promise<string> {
  const service = await startDriven(room)
  await service.ingest(dataset, [event(500)])
  const { id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` })
  await service.ranAt(id, room.clock.now())
  await service.stop()
  return id
}

// The create is the first transaction, the run is the second.
test.each([
  { what: 'before the create', after: 0, isCommitted: false },
  { what: 'after the create', after: 0, isCommitted: true },
  { what: 'before the run is recorded', after: 1, isCommitted: false },
  { what: 'after the run was recorded', after: 1, isCommitted: true },
])('a trigger that dies $what is there once after a restart', async ({ after, isCommitted }) => {
  const dataset = `web-${randomUUID()}`
  {
    await using service = await startDriven(room)
    await service.ingest(dataset, [event(500), event(500, -30_000)])
  }
  const { records, dead, end } = dyingRecords(room.records, { after, isCommitted })
  const first = await startDriven(room, { records })
  const from = room.clock.now()
  const creating = first.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` }).catch(() => undefined)
  await dead
  const isCreated = after > 0 || isCommitted

  await using second = await startDriven(room)
  if (!isCreated) expect(await second.list()).toEqual([])
  const { id } = isCreated
    ? await until(async () => (await second.list())[0])
    : await second.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` })
  if (after > 0) expect(await creating).toMatchObject({ id })
  const { status, annotationId } = await second.ranAt(id, from)
  expect(status).toBe('triggered')
  expect(await second.annotationsOf(dataset)).toMatchObject([{ id: annotationId, time: iso(from) }])
  room.clock.advance(MINUTE)
  await second.ranAt(id, from + MINUTE)
  expect(await second.list()).toHaveLength(1)
  expect(await second.annotationsOf(dataset)).toHaveLength(1)
  await first.abandon(end)
})

/** Lets a server die in the next transaction after one of a triggered monitor, and starts another. */
async function dieBeside(isCommitted: boolean, act: (first: Awaited<ReturnType<typeof startDriven>>, id: string) => void) {
  const dataset = `web-${randomUUID()}`
  const from = room.clock.now()
  const id = await triggered(dataset)
  const { records, dead, end } = dyingRecords(room.records, { after: 0, isCommitted })
  const first = await startDriven(room, { records })
  act(first, id)
  await dead
  return { dataset, from, id, second: await startDriven(room), abandon: () => first.abandon(end) }
}

test.each([false, true])(
  'a recovery that dies, its transaction committed: %s, ends its span once, at its time',
  async (isCommitted) => {
    const { dataset, from, id, abandon, ...at } = await dieBeside(isCommitted, () => room.clock.advance(MINUTE))
    await using second = at.second
    await second.ranAt(id, from + MINUTE)
    expect(await second.annotationsOf(dataset)).toMatchObject([{ time: iso(from), endTime: iso(from + MINUTE) }])
    room.clock.advance(5 * MINUTE)
    expect(await second.ranAt(id, from + 6 * MINUTE)).toMatchObject({ status: 'ok', since: iso(from + MINUTE) })
    expect(await second.annotationsOf(dataset)).toMatchObject([{ time: iso(from), endTime: iso(from + MINUTE) }])
    await abandon()
  },
)

test.each([false, true])(
  'a removal that dies, its transaction committed: %s, takes the monitor and ends its span together',
  async (isCommitted) => {
    const { dataset, from, abandon, ...at } = await dieBeside(isCommitted, (first, id) => {
      room.clock.advance(1_000)
      void ask(first, 'DELETE', `/v2/monitors/${id}`).catch(() => undefined)
    })
    await using second = at.second
    expect((await second.list()).length).toBe(isCommitted ? 0 : 1)
    const [annotation] = await second.annotationsOf(dataset)
    expect(annotation?.endTime).toBe(isCommitted ? iso(from + 1_000) : undefined)
    await abandon()
  },
)

test('a run that cannot be recorded says so, leaves nothing, is tried again, and is there once in the end', async () => {
  const dataset = `web-${randomUUID()}`
  const { records, faults } = failingRecords(room.records)
  await using service = await startDriven(room, { records })
  await service.ingest(dataset, [event(500, -150_000), event(500, -30_000), event(500, -90_000), event(500, -210_000)])
  const from = room.clock.now()
  const { id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` })
  await service.ranAt(id, from)

  for (const minute of [1, 2]) {
    faults.failing = 1
    room.clock.advance(MINUTE)
    const failed = await until(async () => {
      const state = await service.stateOf(id)
      return state.status === 'error' && state.lastRun === iso(from + minute * MINUTE) ? state : undefined
    })
    expect(failed).toMatchObject({ nextRun: iso(from + (minute + 1) * MINUTE), error: expect.stringContaining('log') })
    expect((await service.list())[0]?.state).toEqual(failed)
    expect(await service.annotationsOf(dataset)).toEqual([])
  }
  room.clock.advance(MINUTE)
  const { status, annotationId } = await service.ranAt(id, from + 3 * MINUTE)
  expect(status).toBe('triggered')
  expect(await service.annotationsOf(dataset)).toMatchObject([{ id: annotationId, time: iso(from + 3 * MINUTE) }])
  expect(service.log.map(({ status }) => status)).toEqual(['ok', 'error', 'error', 'triggered'])
  const errors = service.log.filter(({ error }) => String(error).includes('no space left'))
  expect(errors.map(({ level }) => level)).toEqual(['error', 'error'])
})

test('what could not be recorded is tried again a minute later, however long the interval, and in the same grid', async () => {
  const dataset = `web-${randomUUID()}`
  const day = 1_440 * MINUTE
  const { records, faults } = failingRecords(room.records)
  await using service = await startDriven(room, { records })
  const from = room.clock.now()
  await service.ingest(dataset, [event(500, -day + MINUTE)])
  const { id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500`, intervalMinutes: 1_440 })
  await service.ranAt(id, from)
  faults.failing = 1
  room.clock.advance(day)
  await until(async () => ((await service.stateOf(id)).status === 'error' ? true : undefined))
  room.clock.advance(MINUTE - 1)
  room.clock.advance(1)
  const state = await until(async () => {
    const found = await service.stateOf(id)
    return found.status === 'error' ? undefined : found
  })
  expect(state).toMatchObject({ lastRun: iso(from + day), nextRun: iso(from + 2 * day) })
})

test('a change of a monitor whose run could not be recorded is answered by a run at once', async () => {
  const dataset = `web-${randomUUID()}`
  const { records, faults } = failingRecords(room.records)
  await using service = await startDriven(room, { records })
  await service.ingest(dataset, [event(500, 0)])
  const from = room.clock.now()
  const { id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` })
  await service.ranAt(id, from)
  faults.failing = 1
  room.clock.advance(MINUTE)
  await until(async () => ((await service.stateOf(id)).status === 'error' ? true : undefined))
  room.clock.advance(1_000)
  await service.change(id, { rangeMinutes: 2 })
  expect(await service.ranAt(id, from + MINUTE + 1_000)).toMatchObject({ status: 'triggered', lastValue: 1 })
})

test('a change or a removal that cannot be recorded leaves the monitor and its span as they were', async () => {
  const dataset = `web-${randomUUID()}`
  const from = room.clock.now()
  const id = await triggered(dataset)
  const { records, faults } = failingRecords(room.records)
  await using service = await startDriven(room, { records })
  const before = await service.list()
  const asks = [
    () => ask(service, 'PUT', `/v2/monitors/${id}`, { body: { disabled: true } }),
    () => ask(service, 'DELETE', `/v2/monitors/${id}`),
  ]
  for (const send of asks) {
    faults.failing = 1
    expect((await send()).status).toBe(500)
    expect(await service.list()).toEqual(before)
    const [annotation] = await service.annotationsOf(dataset)
    expect(annotation).not.toHaveProperty('endTime')
  }
  room.clock.advance(1_000)
  expect((await ask(service, 'DELETE', `/v2/monitors/${id}`)).status).toBe(204)
  expect(await service.list()).toEqual([])
  expect(await service.annotationsOf(dataset)).toMatchObject([{ endTime: iso(from + 1_000) }])
})

test('a restart forgets nothing of a monitor, and neither skips nor repeats a run', async () => {
  const dataset = `web-${randomUUID()}`
  const from = room.clock.now()
  const members = {
    name: 'kept “whole”\n\\',
    description: 'd',
    aplQuery: `['${dataset}'] | where status >= 500 // it's`,
    operator: 'BelowOrEqual',
    threshold: 0.1 + 0.2,
    intervalMinutes: 7,
    rangeMinutes: 525_600,
    alertOnNoData: true,
    datasets: [dataset, 'b'],
    annotationType: 'a-1',
    annotationTitle: 't',
    disabled: false,
  } as const
  let before: unknown
  {
    const service = await startDriven(room)
    await service.ingest(dataset, [event(200)])
    const { id } = await service.createMonitor({ ...members, datasets: [...members.datasets] })
    await service.ranAt(id, from)
    before = await service.list()
    expect(before).toMatchObject([{ ...members, state: { status: 'triggered', lastValue: 0 } }])
    await service.stop()
  }
  room.clock.advance(6 * MINUTE)
  await using service = await startDriven(room)
  expect(await service.list()).toEqual(before)
  room.clock.advance(MINUTE)
  const [monitor] = await service.list()
  expect(await service.ranAt(monitor?.id ?? '', from + 7 * MINUTE)).toMatchObject({ status: 'triggered', since: iso(from) })
  expect(await service.annotationsOf(dataset)).toHaveLength(1)
})
