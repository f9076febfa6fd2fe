/**
 * Monitors of several services that share their records: each is made, changed and removed anywhere, and run once. Their clock
 * runs fast; the leases of the records go by the true one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { MONITORS_MAX } from '@deployment-annotations/contract/monitor'
import { describe, expect, test } from '@jest/globals'
import { type Place, usePlaces } from '../../../records/__tests__/places.ts'
import { listAnnotations } from '../../../records/src/annotations/annotation-lists.ts'
import { insertMonitor } from '../../../records/src/automations/monitor-records.ts'
import type { Leadership, Records } from '../../../records/src/database/records.ts'
import { Lease, SOLE_LEADERSHIP } from '../../../records/src/leases/leases.ts'
import { createLog } from '../../../runtime/src/log.ts'
import type { Evaluation } from '../../src/automations/monitors/evaluation.ts'
import { Monitors } from '../../src/automations/monitors/monitors.ts'
import { newId } from '../../src/wire/ids.ts'
import { MONITOR } from '../http.ts'
import { until } from './driven-service.ts'
import { createFastTimer } from './fast-timer.ts'

const places = usePlaces()
const MINUTE = 60_000
/** A minute takes 300 ms. */
const SPEED = 200

const members = (more: object = {}) => ({ ...MONITOR, aplQuery: "['web'] | count", datasets: ['web'], ...more })

const ALL = { limit: undefined }
/** A token that may do everything. */
const by = (id: string) => ({ id, sinceMs: 0, limit: undefined, may: () => true, require: () => undefined })

/** The world that all services see: what a query finds, and which runs asked. */
function createWorld() {
  const timer = createFastTimer(Date.now(), SPEED)
  const world = { timer, value: 0, asked: [] as { by: number; atMs: number }[], refreshed: [] as number[] }
  const start = (records: Records, by: number) => {
    const evaluation: Evaluation = {
      check: () => ({ read: ['web'], messages: [] }),
      reads: () => ['web'],
      async measure({ atMs }) {
        world.asked.push({ by, atMs })
        await sleep(1)
        return { values: [{ value: world.value }] }
      },
    }
    const monitors = new Monitors({
      records,
      evaluation,
      refresh: async () => void world.refreshed.push(by),
      clock: timer,
      log: createLog(() => undefined),
    })
    const ending = new AbortController()
    const running = monitors.run(ending.signal)
    return {
      monitors,
      async stop() {
        ending.abort()
        await running
      },
    }
  }
  return { world, start }
}

function leadershipOf(records: Records, name: string, isShared: boolean): Leadership {
  return isShared ? new Lease(records, name) : SOLE_LEADERSHIP
}

/** Three services over the same records. @param isShared whether they take turns by a lease */
async function startThree(place: Place, isShared: boolean) {
  const { world, start } = createWorld()
  const services = [place.records, await place.again(), await place.again()].map((records, by) =>
    start({ ...records, leadership: (name) => leadershipOf(records, name, isShared) }, by),
  )
  const [a, b, c] = services.map(({ monitors }) => monitors) as [Monitors, Monitors, Monitors]
  return {
    world,
    a,
    b,
    c,
    services,
    spans: () => listAnnotations(place.records.read, {}, { limit: 1_000 }),
    [Symbol.asyncDispose]: async () => void (await Promise.all(services.map(({ stop }) => stop()))),
  }
}

async function listOf(monitors: Monitors): Promise<object[]> {
  const all: object[] = []
  for await (const page of monitors.list(ALL)) all.push(...page)
  return all
}

const runsOf = async (monitors: Monitors, id: string) => (await monitors.get(id, ALL)).state.lastRunMs

describe.each(places.names)('on %s', (name) => {
  test('one that is made at one and changed at another runs once an interval, at one of them', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place, true)
    const { world, a, b, c } = three
    const { id, createdAtMs } = await b.create(members(), by('tok_b'))
    expect(await listOf(a)).toMatchObject([{ id, createdBy: 'tok_b' }])
    await until(async () => ((await runsOf(a, id)) ?? 0) >= createdAtMs + 2 * MINUTE || undefined)
    const changed = await c.change(id, { intervalMinutes: 2 }, by('tok_c'))
    const from = changed.state.nextRunMs
    await until(async () => ((await runsOf(b, id)) ?? 0) >= from + 6 * MINUTE || undefined)
    const times = world.asked.map(({ atMs }) => atMs)
    expect(new Set(times).size).toBe(times.length)
    for (const atMs of times.filter((atMs) => atMs < from)) expect((atMs - createdAtMs) % MINUTE).toBe(0)
    for (const atMs of times.filter((atMs) => atMs >= from)) expect((atMs - from) % (2 * MINUTE)).toBe(0)
    expect(new Set(world.asked.map(({ by }) => by)).size).toBe(1)
    expect(world.refreshed).toHaveLength(times.length)
    await a.remove(id, ALL)
    for (const monitors of [a, b, c]) await expect(monitors.get(id, ALL)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('where several run the same one at once, one result counts and no annotation is doubled', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place, false)
    const { world, a, b, c, spans } = three
    const { id, createdAtMs } = await a.create(members(), by('tok_a'))
    const seen: bigint[] = []
    for (let flips = 0; flips < 6; flips++) {
      world.value = 1 - world.value
      const wanted = world.value === 1 ? 'triggered' : 'ok'
      await until(async () => {
        const { state, version } = await b.get(id, ALL)
        seen.push(version)
        return state.status === wanted || undefined
      })
    }
    await c.change(id, { disabled: true }, by('tok_c'))
    const { version, state } = await a.get(id, ALL)
    const found = await spans()
    expect(found).toHaveLength(3)
    for (const [index, { timeNs, endTimeNs = 0n }] of found.entries()) {
      expect(endTimeNs).toBeGreaterThan(timeNs)
      expect(timeNs).toBeGreaterThanOrEqual(found[index - 1]?.endTimeNs ?? timeNs)
      expect((timeNs / 1_000_000n - BigInt(createdAtMs)) % BigInt(MINUTE)).toBe(0n)
    }
    // A version for each interval, and one for the change: a run that was made twice counted once.
    expect(version - 2n).toBeLessThanOrEqual(BigInt(((state.lastRunMs ?? 0) - createdAtMs) / MINUTE + 1))
    expect(new Set(world.asked.map(({ by }) => by)).size).toBeGreaterThan(1)
    expect(world.asked.length).toBeGreaterThan(Number(version - 2n))
    expect(seen).toEqual([...seen].sort((one, two) => Number(one - two)))
  })

  test('a service that ends leaves its turn to another at once, and no run is lost or doubled', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place, true)
    const { world, services, spans } = three
    world.value = 1
    const { id } = await three.c.create(members(), by('tok_c'))
    const { state: triggered } = await until(async () => {
      const found = await three.c.get(id, ALL)
      return found.state.status === 'triggered' ? found : undefined
    })
    const runner = world.asked[0]?.by ?? -1
    const from = performance.now()
    const others = services.filter((_, by) => by !== runner)
    await services[runner]?.stop()
    await until(async () => world.asked.find(({ by }) => by !== runner))
    // Tried for every 2.5 s.
    expect(performance.now() - from).toBeLessThan(5_000)
    world.value = 0
    const { state } = await until(async () => {
      const found = await others[0]?.monitors.get(id, ALL)
      return found?.state.status === 'ok' ? found : undefined
    })
    const found = await spans()
    expect(found).toMatchObject([
      { timeNs: BigInt(triggered.sinceMs) * 1_000_000n, endTimeNs: BigInt(state.sinceMs) * 1_000_000n },
    ])
  })

  test('of creates at several services at once, no more than there is room for succeed', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place, true)
    const { a, b, c } = three
    const disabled = members({ disabled: true })
    const room = 10
    const first = await a.create(disabled, by('tok_a'))
    await place.records.transaction(async (db) => {
      for (let n = 1; n < MONITORS_MAX - room; n++) await insertMonitor(db, { ...first, id: newId('monitor', first.createdAtMs) })
    })
    const last = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => ([a, b, c][n % 3] as Monitors).create(disabled, by('t'))),
    )
    const refused = last.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
    expect(refused).toHaveLength(30 - room)
    for (const error of refused)
      expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining('at most 1000') })
    expect(await listOf(b)).toHaveLength(MONITORS_MAX)
  })
})
