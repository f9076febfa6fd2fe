/**
 * What a crash leaves: at every write of a trigger and of a recovery, and when writes fail.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { MonitorStore } from '../../src/store/monitor-store.ts'
import type { AnnotationStore } from '../../src/store/store.ts'
import { ask } from '../http.ts'
import { iso, MINUTE, openRoom, type Room, startDriven, until } from './driven-service.ts'

let room: Room
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const event = (status: number, agoMs = 1_000) => ({ _time: new Date(room.clock.now() - agoMs).toISOString(), status })

/** What a write of either store becomes. */
type Write = <T>(write: () => Promise<T>) => Promise<T>

/** The stores of the room, their writes by way of a function. */
function withWrites(write: Write) {
  const { annotations } = room.store
  const monitors: MonitorStore = {
    load: room.store.monitors.load,
    save: (monitor) => write(() => room.store.monitors.save(monitor)),
  }
  const failing: AnnotationStore = {
    ...annotations,
    create: (...args) => write(() => annotations.create(...args)),
    change: (...args) => write(() => annotations.change(...args)),
  }
  return { monitors, annotations: failing }
}

/** Writes of a process that dies: so many are made, and no later one is; nobody learns of the last. */
function dyingAfter(writes: number) {
  let left = writes
  let die = () => {}
  const dead = new Promise<void>((resolve) => {
    die = resolve
  })
  const write: Write = async (make) => {
    if (left > 0) await make()
    if (--left <= 0) {
      die()
      return new Promise(() => {})
    }
    return undefined as never
  }
  return { write, dead }
}

// A trigger and a recovery are three writes each: the decision, the annotation, and that there is nothing left to do.
test.each([0, 1, 2, 3])('a trigger that dies after write %d is there once after a restart', async (writes) => {
  const dataset = `web-${randomUUID()}`
  {
    await using service = await startDriven(room)
    await service.ingest(dataset, [event(500), event(500, -30_000)])
  }
  const dying = dyingAfter(writes + 1)
  const first = await startDriven(room, withWrites(dying.write))
  const from = room.clock.now()
  const creating = first.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` })
  // The create is a write too.
  const { id } = writes === 0 ? { id: '' } : await creating
  await dying.dead
  void creating.catch(() => undefined)

  await using second = await startDriven(room)
  const listed = await until(async () => {
    const found = await second.list()
    return found[0]?.state.status === 'triggered' ? found : undefined
  })
  expect(listed).toHaveLength(1)
  if (id) expect(listed[0]?.id).toBe(id)
  const annotations = await until(async () => {
    const found = await second.annotationsOf(dataset)
    return found.length > 0 ? found : undefined
  })
  expect(annotations).toMatchObject([{ id: listed[0]?.state.annotationId, time: iso(from) }])
  room.clock.advance(MINUTE)
  await second.ranAt(listed[0]?.id ?? '', from + MINUTE)
  expect(await second.annotationsOf(dataset)).toHaveLength(1)
  first.abandon()
})

test.each([1, 2, 3])('a recovery that dies after write %d ends its span once, at its time', async (writes) => {
  const dataset = `web-${randomUUID()}`
  const from = room.clock.now()
  let id: string
  {
    const service = await startDriven(room)
    await service.ingest(dataset, [event(500)])
    ;({ id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` }))
    await service.ranAt(id, from)
    await until(async () => (await service.annotationsOf(dataset))[0])
    await service.stop()
  }
  const dying = dyingAfter(writes)
  const first = await startDriven(room, withWrites(dying.write))
  room.clock.advance(MINUTE)
  await dying.dead

  await using second = await startDriven(room)
  expect(await second.annotationsOf(dataset)).toMatchObject([{ time: iso(from), endTime: iso(from + MINUTE) }])
  room.clock.advance(5 * MINUTE)
  expect(await second.ranAt(id, from + 6 * MINUTE)).toMatchObject({ status: 'ok', since: iso(from + MINUTE) })
  expect(await second.annotationsOf(dataset)).toMatchObject([{ time: iso(from), endTime: iso(from + MINUTE) }])
  first.abandon()
})

test('a trigger whose writes fail says so, is tried again, and is there once in the end', async () => {
  const dataset = `web-${randomUUID()}`
  let failures = 0
  const failing: Write = async (make) => {
    if (failures-- > 0) throw new Error('no space left')
    return make()
  }
  await using service = await startDriven(room, withWrites(failing))
  await service.ingest(dataset, [event(500, -150_000), event(500, -30_000), event(500, -90_000), event(500, -210_000)])
  const from = room.clock.now()
  const { id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` })
  await service.ranAt(id, from)

  // First the decision cannot be written down, then the annotation cannot be stored.
  failures = 1
  room.clock.advance(MINUTE)
  const failed = await until(async () => {
    const state = await service.stateOf(id)
    return state.status === 'error' ? state : undefined
  })
  expect(failed).toMatchObject({
    lastRun: iso(from + MINUTE),
    nextRun: iso(from + 2 * MINUTE),
    error: expect.stringContaining('log'),
  })
  expect(await service.annotationsOf(dataset)).toEqual([])
  let writes = 0
  failures = 0
  const before = room.store.annotations.create
  room.store.annotations.create = async (...args) => {
    if (writes++ === 0) throw new Error('no space left')
    return before(...args)
  }
  room.clock.advance(MINUTE)
  await until(async () => (writes === 1 ? true : undefined))
  await until(async () => ((await service.stateOf(id)).status === 'error' ? true : undefined))
  room.clock.advance(MINUTE)
  const { annotationId } = await service.ranAt(id, from + 3 * MINUTE)
  room.store.annotations.create = before
  expect(await service.annotationsOf(dataset)).toMatchObject([{ id: annotationId, time: iso(from + 2 * MINUTE) }])
  expect(service.log.map(({ status }) => status)).toEqual(['ok', 'error', 'triggered', 'error', 'triggered'])
  const errors = service.log.filter(({ error }) => String(error).includes('no space left'))
  expect(errors.map(({ level }) => level)).toEqual(['error', 'error'])
})

test('what could not be written down is tried again a minute later, however long the interval, and in the same grid', async () => {
  const dataset = `web-${randomUUID()}`
  const day = 1_440 * MINUTE
  let failures = 0
  const failing: Write = async (make) => {
    if (failures-- > 0) throw new Error('no space left')
    return make()
  }
  const service = await startDriven(room, withWrites(failing))
  const from = room.clock.now()
  await service.ingest(dataset, [event(500, -day + MINUTE)])
  const { id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500`, intervalMinutes: 1_440 })
  await service.ranAt(id, from)
  failures = 1
  room.clock.advance(day)
  await until(async () => ((await service.stateOf(id)).status === 'error' ? true : undefined))
  room.clock.advance(MINUTE)
  const state = await until(async () => {
    const found = await service.stateOf(id)
    return found.status === 'error' ? undefined : found
  })
  expect(state).toMatchObject({ lastRun: iso(from + day), nextRun: iso(from + 2 * day) })

  // The end of a removed one, too.
  await service.change(id, { operator: 'AboveOrEqual' })
  await until(async () => (await service.annotationsOf(dataset))[0])
  const { store } = room
  const change = store.annotations.change
  store.annotations.change = async () => {
    throw new Error('no space left')
  }
  await ask(service, 'DELETE', `/v2/monitors/${id}`)
  store.annotations.change = change
  room.clock.advance(MINUTE)
  const ended = await until(async () => (await service.annotationsOf(dataset)).find(({ endTime }) => endTime !== undefined))
  expect(ended.endTime).toBe(iso(from + day + MINUTE))
  await service.stop()
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

test('a removal that dies before its span has an end sets it at the next start', async () => {
  const dataset = `web-${randomUUID()}`
  const from = room.clock.now()
  let id: string
  {
    const service = await startDriven(room)
    await service.ingest(dataset, [event(500)])
    ;({ id } = await service.createMonitor({ aplQuery: `['${dataset}'] | where status >= 500` }))
    await service.ranAt(id, from)
    await until(async () => (await service.annotationsOf(dataset))[0])
    await service.stop()
  }
  const dying = dyingAfter(1)
  const first = await startDriven(room, withWrites(dying.write))
  room.clock.advance(1_000)
  void ask(first, 'DELETE', `/v2/monitors/${id}`).catch(() => undefined)
  await dying.dead
  room.clock.advance(1_000)
  const second = await startDriven(room)
  expect(await second.list()).toEqual([])
  expect(await second.annotationsOf(dataset)).toMatchObject([{ endTime: iso(from + 1_000) }])
  first.abandon()
  await second.stop()
  expect(await room.store.monitors.load()).toEqual([])
})
