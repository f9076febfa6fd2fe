/**
 * Several services that share their records: each monitor is made, changed and removed anywhere, and run once, and each release is judged
 * once. Their clock runs fast; the leases of the records go by the true one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { runs } from '../../../../__tests__/support/long.ts'
import { insertRow } from '../../../records/__tests__/insert-row.ts'
import { type Place, usePlaces } from '../../../records/__tests__/places.ts'
import { listAnnotations } from '../../../records/src/annotations/annotation-lists.ts'
import { insertMonitor } from '../../../records/src/automations/monitor-records.ts'
import type { Records } from '../../../records/src/database/records.ts'
import type { LeaseOptions } from '../../../records/src/leases/leases.ts'
import { DividedShare, WHOLE_SHARE } from '../../../records/src/leases/shares.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { Annotations } from '../../src/annotations/annotations.ts'
import type { Evaluation } from '../../src/automations/monitors/evaluation.ts'
import { Monitors } from '../../src/automations/monitors/monitors.ts'
import { ReleaseJudge } from '../../src/automations/releases/release-judge.ts'
import { CEILINGS } from '../../src/flags/ceilings.ts'
import { newId } from '../../src/wire/ids.ts'
import { MONITOR } from '../http.ts'
import { until } from './driven-service.ts'
import { createFastTimer } from './fast-timer.ts'

const places = usePlaces()
const MINUTE = 60_000
/** A minute takes 300 ms. */
const SPEED = 200

const [TELLING, QUIET] = ["['web'] | count", "['web'] | where false | count"]
const members = (more: object = {}) => ({ ...MONITOR, aplQuery: TELLING, datasets: ['web'], ...more })

const ALL = { limit: undefined }
/** A token that may do everything. */
const by = (id: string) => ({ id, sinceMs: 0, limit: undefined, may: () => true, require: () => undefined })

/** What the judge reads of any release: its events come so late that this alone is a verdict. */
const LATE = {
  queries: { readTable: async () => ({ table: { columns: [[5], [40 * MINUTE]] }, status: {} }) } as never,
  datasets: { find: () => ({}) } as never,
  types: ['deploy'],
}

/** The world that all services see: what a query finds, which runs asked, and which releases were judged. */
function createWorld(speed: number) {
  const timer = createFastTimer(Date.now(), speed)
  const asked: { by: number; atMs: number; lateMs: number }[] = []
  const world = { timer, value: 0, asked, refreshed: [] as number[], judged: [] as string[] }
  const start = (shared: Records, by: number, lease?: LeaseOptions) => {
    let isDead = false
    const records: Records = {
      ...shared,
      share: (work) => (lease ? new DividedShare(records, work, lease) : WHOLE_SHARE),
      transaction: (work) => (isDead ? Promise.reject(new Error('it is dead')) : shared.transaction(work)),
    }
    const evaluation: Evaluation = {
      check: () => ({ read: ['web'], messages: [] }),
      reads: () => ['web'],
      async measure({ atMs, aplQuery }) {
        asked.push({ by, atMs, lateMs: timer.now() - atMs })
        await sleep(1)
        return { values: [{ value: aplQuery === QUIET ? 0 : world.value }] }
      },
    }
    const log = createLog((line) => {
      const { event, verdict, annotationId } = JSON.parse(line)
      if (event === 'verdict' && verdict !== undefined) world.judged.push(annotationId)
    })
    const parts = { records, ceilings: { ...CEILINGS, monitors: 10 }, evaluation, clock: timer, log }
    const monitors = new Monitors({ ...parts, refresh: async () => void world.refreshed.push(by) })
    const annotations = new Annotations(records, timer.now)
    const judge = new ReleaseJudge({ ...parts, ...LATE, annotations, refresh: async () => undefined })
    const ending = new AbortController()
    const running = Promise.all([monitors.run(ending.signal), judge.run(ending.signal)])
    return {
      monitors,
      lagMs: async () => Math.max(await monitors.lagMs(), await judge.lagMs()),
      /** @param isKilled whether it can say nothing to the others */
      async stop(isKilled = false): Promise<void> {
        isDead = isKilled
        ending.abort()
        await running
      },
    }
  }
  return { world, start }
}

/** Three services over the same records. @param lease where they divide the work */
async function startThree(place: Place, lease?: LeaseOptions, speed = SPEED) {
  const { world, start } = createWorld(speed)
  const services = [place.records, await place.again(), await place.again()].map((records, by) => start(records, by, lease))
  const [a, b, c] = services.map(({ monitors }) => monitors) as [Monitors, Monitors, Monitors]
  return {
    world,
    a,
    b,
    c,
    services,
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
  test('one that is made at one and changed at another runs once an interval', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place, {})
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
    expect(world.refreshed).toHaveLength(times.length)
    await a.remove(id, ALL)
    for (const monitors of [a, b, c]) await expect(monitors.get(id, ALL)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('where several run the same one at once, one result counts and no annotation is doubled', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place)
    const { world, a, b, c } = three
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
    const found = await listAnnotations(place.records.read, {}, { limit: 1_000 })
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

  test('of creates at several services at once, no more than there is room for succeed', async () => {
    await using place = await places.open(name)
    await using three = await startThree(place, {})
    const { a, b, c } = three
    const last = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => ([a, b, c][n % 3] as Monitors).create(members({ disabled: true }), by('t'))),
    )
    expect(last.filter(({ status }) => status === 'rejected')).toHaveLength(20)
    expect(await listOf(b)).toHaveLength(10)
  })
})

/** In the long form time passes slowly: three services and their database share two processors, perhaps with others. */
const WORK_SPEED = runs(10, 1 / 3)
/** As long as a service's by the clock of the test, or twice as long, for a busy machine may take a second to renew them. */
const LEASE = { leaseMs: runs(2_000, 30_000), renewMs: runs(500, 7_500) }
const MONITORS = runs(60, 10_000)
/** Of so many monitors one has something to tell. */
const ONE_OF = 10
/** Of a minute: three times as many as 1,000 an hour. */
const RELEASES = 50

/** Monitors of nine owners, each due at a time of its own within a minute, and releases that become due from then on. */
async function fill({ records }: Place, monitors: Monitors, fromMs: number): Promise<void> {
  const definition = JSON.stringify({ name: 'all', events: [], datasets: [], types: [] })
  await records.transaction((db) => insertRow(db, 'notifiers', { id: 'ntf_1', definition }))
  const first = await monitors.create(members({ notifierIds: ['ntf_1'] }), by('t'))
  await records.transaction(async (db) => {
    for (let n = 1; n < MONITORS; n++) {
      const state = { ...first.state, nextRunMs: fromMs + Math.floor((n * MINUTE) / MONITORS) }
      const definition = { ...first.definition, aplQuery: n % ONE_OF === 0 ? TELLING : QUIET }
      await insertMonitor(db, { ...first, id: newId('monitor', fromMs), createdBy: `t${n % 9}`, definition, state })
    }
    for (let n = 0; n < RELEASES; n++) {
      const judgeAtMs = BigInt(fromMs + Math.floor((n * MINUTE) / RELEASES))
      const time_ns = (judgeAtMs - BigInt(30 * MINUTE)) * 1_000_000n
      const columns = { datasets: `["shop ${n}"]`, type: 'deploy', time_ns, until_ns: time_ns, judge_at_ms: judgeAtMs }
      await insertRow(db, 'annotations', { id: newId('annotation', fromMs), ...columns })
    }
  })
}

test('three services are never late and tell nothing twice, though one of them is killed', async () => {
  await using place = await places.open(places.names.at(-1) ?? '')
  await using three = await startThree(place, LEASE, WORK_SPEED)
  const { world, services } = three
  world.value = 1
  await fill(place, three.a, world.timer.now())
  const fromMs = world.timer.now()
  let lagMs = 0
  const reach = async (minutes: number) => {
    for (; world.timer.now() < fromMs + minutes * MINUTE; await sleep(100))
      lagMs = Math.max(lagMs, (await services[0]?.lagMs()) ?? 0)
  }
  await reach(0.6)
  // Each has had its part.
  expect(new Set(world.asked.map(({ by }) => by)).size).toBe(3)
  await services[1]?.stop(true)
  await reach(runs(1.6, 2.6))
  const told = (await place.records.read.selectFrom('outbox').select('subject').execute()).map(({ subject }) => subject)
  expect([told.length, new Set(told).size]).toEqual([MONITORS / ONE_OF, MONITORS / ONE_OF])
  expect([world.judged.length, new Set(world.judged).size]).toEqual([RELEASES, RELEASES])
  expect(Math.max(lagMs, ...world.asked.map(({ lateMs }) => lateMs))).toBeLessThan(2 * MINUTE)
}, 900_000)
