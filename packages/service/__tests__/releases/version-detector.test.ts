/**
 * Releases that nobody has to post: over real records and the real engine, with a clock that the test drives.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describe, expect, test } from '@jest/globals'
import { usePlaces } from '../../../records/__tests__/places.ts'
import { listAnnotations } from '../../../records/src/annotations/annotation-lists.ts'
import { recordVersion } from '../../src/automations/versions/recording.ts'
import { ask, created } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven, until } from '../monitors/driven-service.ts'

const room = roomForTests()

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
  return (await ask<Annotation[]>(service, 'GET', `/v2/annotations?include=all&datasets=${dataset}`)).body
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
        type: 'detected-release',
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

test('two canaries at once are two releases, and a version that is back is none', async () => {
  await using service = await startDriven(room, WATCHING)
  const [stable, one, other] = ['1.0.0', '1.1.0-a', '1.1.0-b'].map((commit) => ({ commit }))
  await live(service, 'canary', 3, stable as object)
  await live(service, 'canary', 3, [stable as object, one as object, other as object])
  expect((await marked(service, 'canary', 2)).map(({ version }) => version).sort()).toEqual(['1.1.0-a', '1.1.0-b'])
  await live(service, 'canary', 15, one as object)
  await live(service, 'canary', 15, stable as object)
  expect(await marksOf(service, 'canary')).toHaveLength(2)
})

test('a release is detected at its first event, though it comes late, and events of the past are none', async () => {
  await using service = await startDriven(room, WATCHING)
  const hour = 60 * MINUTE
  await live(service, 'late', 3, { version: '2.0.0' })
  await live(service, 'late', 3, { version: '2.0.1' })
  await marked(service, 'late', 1)
  room.clock.advance(3 * hour)
  const start = room.clock.now()
  for (const [ms, version] of [
    [start - 30 * hour, '1.9.0'],
    [start - 29 * hour, '1.9.1'],
    [start - 2 * hour, '2.1.0'],
  ] as const)
    await service.ingest('late', events(ms, 1, { version }))
  await live(service, 'late', 3, { version: '2.1.0' })
  const found = (await marked(service, 'late', 2)).map(({ title, time }) => [title, time])
  expect(found).toContainEqual(['late 2.1.0', iso(start - 2 * hour)])
  // A rollback that names it days later is another release.
  room.clock.advance(72 * hour)
  await created(service, { datasets: ['late'], type: 'deploy', title: 'Rollback of late to 2.1.0' })
  await live(service, 'late', 3, { version: '2.2.0' })
  const all = await marked(service, 'late', (marks) => marks.some(({ version }) => version === '2.2.0'))
  expect(all.map(({ version }) => version)).toEqual(['2.0.1', '2.1.0', '2.1.0', '2.2.0'])
})

test('releases that are imported after their events take the place of those that were detected, however old they are', async () => {
  await using service = await startDriven(room, WATCHING)
  const day = 24 * 60 * MINUTE
  const start = room.clock.now()
  // Imported events, of a release a day for a week.
  const week = [7, 6, 5, 4, 3, 2, 0.5].map((days, at) => ({ ms: start - days * day, version: `1.${at}.0` }))
  for (const { ms, version } of week) await service.ingest('moved', events(ms, 2, { version }))
  await pass(2)
  await live(service, 'moved', 2, { version: '1.7.0' })
  expect((await marked(service, 'moved', 2)).map(({ title }) => title)).toEqual(['moved 1.6.0', 'moved 1.7.0'])
  // A while later the marks come, too, and one that names a version of last week.
  room.clock.advance(3 * day)
  await live(service, 'moved', 2, { version: '1.7.0' })
  for (const { ms, version } of [...week, { ms: start + MINUTE, version: '1.7.0' }])
    await created(service, { datasets: ['moved'], type: 'deploy', title: `moved ${version}`, time: iso(ms) })
  const marks = await marked(service, 'moved', (all) => all.every(({ type }) => type === 'deploy'))
  expect(marks).toHaveLength(8)
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
    const seen = { service: 'cart', environment: '', version: '1.1.0', firstNs: at, lastNs: at }
    const made = await Promise.all(
      ['logs', 'spans'].flatMap((dataset) =>
        services.map((records) =>
          records.transaction((db) =>
            recordVersion(db, { table: `t_${dataset}`, name: dataset }, seen, { previous: '1.0.0', nowMs }),
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
