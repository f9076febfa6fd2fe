/** The fortnight before a release: what it says of a rise, and how often the engine is asked about it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { ServiceError } from '../../../runtime/src/errors.ts'
import { created, make } from '../http.ts'
import { iso, MINUTE, roomForTests, START_MS, startDriven, until } from '../monitors/driven-service.ts'

const room = roomForTests()

const DAY = 1_440 * MINUTE
const PER_MINUTE = 20
const BURST_MINUTES = 20

/** Requests without chance. A twentieth of them fails, in a burst half, and after the release of today a quarter. */
function requests(fromMs: number, minutes: number, bursts: readonly number[]): object[] {
  return Array.from({ length: minutes * PER_MINUTE }, (_, at) => {
    const ms = fromMs + Math.floor((at * MINUTE) / PER_MINUTE)
    const isBurst = bursts.some((burstMs) => ms >= burstMs && ms < burstMs + BURST_MINUTES * MINUTE)
    const failsEvery = ms >= START_MS ? 4 : isBurst ? 2 : 20
    return { _time: iso(ms), status: at % failsEvery === 0 ? 500 : 200 }
  })
}

const timesOf = (day: number, ...minutes: number[]) => minutes.map((minute) => START_MS - day * DAY + minute * MINUTE)
/** Today, yesterday and a week ago nothing happened at these hours. */
const often = (day: number) => ([0, 1, 7].includes(day) ? [] : timesOf(day, -60 + ((day * 7) % 20), 60 + ((day * 7) % 20)))
const daily = (day: number) => timesOf(day, 0)

const RISE = 'Errors rose 4.9-fold: 5 → 25 %'

type Service = Awaited<ReturnType<typeof startDriven>>

/** Four hours of each day, and today two until the release, with what follows. */
async function ingestFortnight(service: Service, dataset: string, burstsOf: (day: number) => readonly number[]): Promise<void> {
  for (let day = 14; day >= 0; day--)
    await service.ingest(dataset, requests(START_MS - day * DAY - 120 * MINUTE, day === 0 ? 140 : 240, burstsOf(day)))
}

/** Counts what the engine is asked about whole days, and refuses it where it is told to. */
function watchDays() {
  const { reader } = room.events
  const seen = { days: 0, isRefused: false }
  const read: typeof reader.read = (statement, ...rest) => {
    const { p0, p1 } = statement.params as { p0?: string; p1?: string }
    const isDay = [p0, p1].every((time) => time?.endsWith(' 00:00:00.000000000'))
    if (isDay) seen.days++
    if (isDay && seen.isRefused) throw new ServiceError('query_too_large', 'too much to read')
    return reader.read(statement, ...rest)
  }
  return { seen, reader: { ...reader, read } }
}

/** @returns the verdict of a release of noon; whatever is posted for it is the same release */
async function judge(service: Service, dataset: string): Promise<Annotation> {
  const members = { type: 'deploy', title: `${dataset} 1.0.0`, version: '1.0.0', time: iso(START_MS) }
  const { id } = await created(service, { datasets: [dataset], ...members })
  // Time passes slowly, so that it is no later on a busy machine.
  return until(async () => {
    await sleep(200)
    room.clock.advance(1_000)
    const one = await service.wholeOf(id)
    return one.verdictDetails?.isEarly === false ? one : undefined
  }, 60_000)
}

test('what happens often is no harm, unless it was harm each time; the past is asked about once a day', async () => {
  const { seen, reader } = watchDays()
  await using service = await startDriven(room, { releaseTypes: ['deploy'], reader })
  for (const [dataset, burstsOf] of Object.entries({ often, daily, harmful: often }))
    await ingestFortnight(service, dataset, burstsOf)
  // Nobody has closed it, and so it says nothing of the days since.
  await created(service, { datasets: ['often'], type: 'incident', time: iso(START_MS - 10 * DAY), open: true })
  for (let day = 2; day <= 14; day++)
    for (const ms of often(day))
      await created(service, {
        datasets: ['harmful'],
        type: 'incident',
        time: iso(ms),
        endTime: iso(ms + BURST_MINUTES * MINUTE),
      })
  await service.pass(12)

  expect((await judge(service, 'often')).verdict).not.toBe('worse')
  const { days } = seen
  expect(days).toBe(2 * 14)
  await judge(service, 'often')
  expect(seen.days).toBe(days)
  expect((await judge(service, 'daily')).verdict).not.toBe('worse')
  expect(await judge(service, 'harmful')).toMatchObject({ verdict: 'worse', verdictDetails: { headline: RISE } })

  // A virtual field may be of another meaning now, and events may have been deleted.
  const asked = seen.days
  await make(service, '/v2/vfields', { dataset: 'often', name: 'other', expression: 'status + 1' })
  await judge(service, 'often')
  expect(seen.days).toBe(asked + days)
  room.clock.advance(DAY + MINUTE)
  await judge(service, 'often')
  // The others are looked at an hour later, too.
  expect(seen.days).toBeGreaterThanOrEqual(asked + 2 * days)
}, 300_000)

test('a past that cannot be read keeps no release from its verdict', async () => {
  const { seen, reader } = watchDays()
  seen.isRefused = true
  await using service = await startDriven(room, { releaseTypes: ['deploy'], reader })
  await ingestFortnight(service, 'refused', often)
  await service.pass(12)
  expect(await judge(service, 'refused')).toMatchObject({ verdict: 'worse', verdictDetails: { headline: RISE } })
  expect(seen.days).toBeGreaterThan(0)
}, 300_000)
