/**
 * Marks that nobody has to send: over real records and the real engine, with a clock that the test drives.
 */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { usePlaces } from '../../../records/__tests__/places.ts'
import { listAnnotations } from '../../../records/src/annotation-lists.ts'
import { markFresh } from '../../src/automations/versions/recording.ts'
import { ask, created } from '../http.ts'
import { iso, MINUTE, openRoom, type Room, startDriven, until } from '../monitors/driven-service.ts'

let room: Room
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const WATCHING = { versionFields: ['service.version', 'version', 'release', 'commit'] }
type Service = Awaited<ReturnType<typeof startDriven>>

/** An event each five seconds. */
const events = (fromMs: number, minutes: number, members: object) =>
  Array.from({ length: minutes * 12 }, (_, at) => ({ _time: iso(fromMs + at * 5_000), ...members }))

/** Lets time pass, half a minute at a time, so that everything that is due runs when it is. */
async function pass(minutes: number): Promise<void> {
  for (let step = 0; step < minutes * 2; step++) {
    room.clock.advance(MINUTE / 2)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Time passes while the dataset gets events. */
async function live(service: Service, dataset: string, minutes: number, members: object | object[]): Promise<void> {
  const all = [members].flat().flatMap((each) => events(room.clock.now(), minutes, each))
  await service.ingest(dataset, all)
  await pass(minutes)
}

async function marksOf(service: Service, dataset: string): Promise<Annotation[]> {
  const path = `/v2/annotations?datasets=${dataset}`
  return (await ask<Annotation[]>(service, 'GET', path, { headers: { prefer: 'members=all' } })).body
}

/** The marks, once they are so. */
const marked = (service: Service, dataset: string, is: number | ((marks: Annotation[]) => boolean)) =>
  until(async () => {
    const marks = await marksOf(service, dataset)
    if (typeof is === 'number' ? marks.length === is : is(marks)) return marks
    room.clock.advance(5_000)
    return undefined
  }, 30_000)

test('a new version is marked at its first event, once with several services, and not again after a restart', async () => {
  const start = room.clock.now()
  {
    await using first = await startDriven(room, WATCHING)
    await using _second = await startDriven(room, WATCHING)
    await live(first, 'web', 3, { version: '2.14.1' })
    expect(await marksOf(first, 'web')).toEqual([])
    await live(first, 'web', 3, [{ version: '2.14.1' }, { version: 'v2.15.0' }])
    expect(await marked(first, 'web', 1)).toMatchObject([
      {
        datasets: ['web'],
        time: iso(start + 3 * MINUTE),
        type: 'seen-release',
        title: 'web v2.15.0',
        description: 'Version v2.15.0 was seen in events for the first time, after 2.14.1.',
        version: 'v2.15.0',
        createdBy: 'versions',
      },
    ])
  }
  await using again = await startDriven(room, WATCHING)
  await live(again, 'web', 3, { version: 'v2.15.0' })
  expect(await marksOf(again, 'web')).toHaveLength(1)
})

test('a version for which somebody has posted a release is not marked, and gives way to one that is posted later', async () => {
  await using service = await startDriven(room, WATCHING)
  await live(service, 'posted', 2, { release: '1.0.0' })
  await created(service, { datasets: ['posted'], type: 'deploy', title: 'posted 1.1.0' })
  await live(service, 'posted', 3, { release: '1.1.0' })
  expect((await marksOf(service, 'posted')).map(({ type }) => type)).toEqual(['deploy'])
  await live(service, 'posted', 3, { release: '1.2.0' })
  expect((await marked(service, 'posted', 2)).map(({ title }) => title)).toEqual(['posted 1.1.0', 'posted 1.2.0'])
  const late = await created(service, { datasets: ['posted'], type: 'deploy', title: 'Deploy posted v1.2.0 to production' })
  await live(service, 'posted', 3, { release: '1.2.0' })
  const left = await marked(service, 'posted', (marks) => marks.every(({ type }) => type === 'deploy'))
  expect(left.map(({ id, type }) => [id === late.id, type])).toEqual([
    [false, 'deploy'],
    [true, 'deploy'],
  ])
})

test('services and environments have versions of their own, and one release in two datasets is one mark', async () => {
  await using service = await startDriven(room, WATCHING)
  const of = (name: string, environment: string, version: string) => ({ service: { name, version }, env: environment })
  const before = [of('cart', 'production', '1.0.0'), of('cart', 'staging', '1.0.0'), of('pay', 'production', '1.0.0')]
  await live(service, 'spans', 2, before)
  await live(service, 'logs', 2, before)
  await service.ingest('logs', events(room.clock.now(), 1, of('cart', 'staging', '1.1.0')))
  await live(service, 'spans', 2, [...before, of('cart', 'staging', '1.1.0')])
  const staging = await marked(service, 'spans', 1)
  expect(staging).toMatchObject([{ title: 'cart 1.1.0', service: 'cart', environment: 'staging', version: '1.1.0' }])
  expect((await marked(service, 'logs', 1)).map(({ id }) => id)).toEqual(staging.map(({ id }) => id))
  await live(service, 'spans', 2, [...before, of('cart', 'production', '1.1.0')])
  expect((await marked(service, 'spans', 2))[1]).toMatchObject({ title: 'cart 1.1.0', environment: 'production' })
})

test('two canaries at once are two releases, and a version that is back in the place of another is a rollback', async () => {
  await using service = await startDriven(room, WATCHING)
  const [stable, one, other] = ['1.0.0', '1.1.0-a', '1.1.0-b'].map((commit) => ({ commit }))
  await live(service, 'canary', 3, stable as object)
  await live(service, 'canary', 3, [stable as object, one as object, other as object])
  expect((await marked(service, 'canary', 2)).map(({ version }) => version).sort()).toEqual(['1.1.0-a', '1.1.0-b'])
  await live(service, 'canary', 15, one as object)
  expect(await marksOf(service, 'canary')).toHaveLength(2)
  const backMs = room.clock.now()
  await live(service, 'canary', 4, stable as object)
  const [, , back, ...others] = await marked(service, 'canary', 3)
  expect(back).toMatchObject({ title: 'canary 1.0.0 (rollback)', time: iso(backMs), version: '1.0.0' })
  expect(others).toEqual([])
  const { body } = await ask<{ releases: { isRollback: boolean; undoes?: string; undoneBy?: string }[] }>(
    service,
    'GET',
    `/v2/releases?datasets=canary&end=${iso(room.clock.now())}`,
  )
  expect(body.releases[0]).toMatchObject({ isRollback: true, undoes: expect.any(String) })
  await live(service, 'canary', 20, stable as object)
  expect(await marksOf(service, 'canary')).toHaveLength(3)
})

test('events that come late move the mark to the first of them, and older versions among them are no releases', async () => {
  await using service = await startDriven(room, WATCHING)
  const start = room.clock.now()
  await live(service, 'late', 40, { version: '2.0.0' })
  await live(service, 'late', 2, { version: '2.1.0' })
  const [mark] = await marked(service, 'late', 1)
  expect(mark).toMatchObject({ title: 'late 2.1.0', time: iso(start + 40 * MINUTE) })
  await service.ingest('late', events(start + 38 * MINUTE, 1, { version: '2.1.0' }))
  await service.ingest('late', events(start - 300 * MINUTE, 1, { version: '1.9.0' }))
  await live(service, 'late', 65, { version: '2.1.0' })
  const moved = await marked(service, 'late', ([one]) => one?.time === iso(start + 38 * MINUTE))
  expect(moved).toMatchObject([{ id: mark?.id }])
})

test('what was deleted stays deleted, and a field with ever new values is no version', async () => {
  await using service = await startDriven(room, WATCHING)
  await live(service, 'kept', 2, { version: '1.0.0' })
  await live(service, 'kept', 2, { version: '1.1.0' })
  const [mark] = await marked(service, 'kept', 1)
  await ask(service, 'DELETE', `/v2/annotations/${mark?.id}`)
  await live(service, 'kept', 3, { version: '1.1.0' })
  expect(await marksOf(service, 'kept')).toEqual([])
  const start = room.clock.now()
  const builds = Array.from({ length: 30 }, (_, at) => events(start + at * MINUTE, 1, { version: `build-${at}` }))
  await service.ingest('builds', builds.flat())
  await pass(32)
  expect((await marksOf(service, 'builds')).length).toBeLessThanOrEqual(6)
})

const places = usePlaces()
describe.each(places.names)('%s', (name) => {
  test('of three services that see a version in two datasets at once, one marks it, once', async () => {
    await using place = await places.open(name)
    const services = [place.records, await place.again(), await place.again()]
    const nowMs = room.clock.now()
    const at = BigInt(nowMs) * 1_000_000n
    const seen = { service: 'cart', environment: '', version: '1.1.0', firstNs: at, lastNs: at, events: 1, minutes: [] }
    const made = await Promise.all(
      ['logs', 'spans'].flatMap((dataset) =>
        services.map((records) =>
          records.transaction((db) =>
            markFresh(db, { table: `t_${dataset}`, dataset, nowMs }, { seen, before: '1.0.0', isMade: true }),
          ),
        ),
      ),
    )
    const ids = made.filter((id) => id !== undefined)
    expect(ids).toHaveLength(2)
    const marks = await listAnnotations(place.records.read, {}, { limit: 10 })
    expect(marks.map(({ id }) => id)).toEqual([...new Set(ids)])
    expect(marks[0]?.datasets.toSorted()).toEqual(['logs', 'spans'])
  })
})
