/**
 * The service judges releases by itself: over real records and the real engine, with a clock that the test drives.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { Releases } from '@deployment-annotations/contract/release'
import { expect, test } from '@jest/globals'
import { ask, created, tokenWith } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven } from '../monitors/driven-service.ts'
import { apl } from '../query/ask.ts'

const room = roomForTests()

const JUDGING = { releaseTypes: ['deploy', 'release'] }
type Service = Awaited<ReturnType<typeof startDriven>>

interface Traffic {
  from: number
  minutes: number
  /** Of 200 requests a minute, every so manieth fails. */
  failsEvery?: number
  version?: string
}

/** Requests without chance: the same number each minute, with failures spread evenly. */
function requests({ from, minutes, failsEvery = 100, version = '1.0.0' }: Traffic): object[] {
  return Array.from({ length: minutes * 200 }, (_, at) => ({
    _time: iso(from + Math.floor((at * MINUTE) / 200)),
    status: at % failsEvery === 0 ? 500 : 200,
    version,
  }))
}

/** Time passes, and each minute the events of so long before arrive. */
async function live(service: Service, minutes: number, late: Readonly<Record<string, { minutes: number; untilMs?: number }>>) {
  for (let minute = 0; minute < minutes; minute++) {
    await service.pass(1)
    for (const [dataset, { minutes: ago, untilMs = Number.POSITIVE_INFINITY }] of Object.entries(late)) {
      const from = room.clock.now() - (ago + 1) * MINUTE
      if (from < untilMs) await service.ingest(dataset, requests({ from, minutes: 1 }))
    }
  }
}

const verdictsOf = (service: Service, id: string) =>
  service.lines
    .map((line) => JSON.parse(line) as { event?: string; annotationId?: string; verdict?: string })
    .flatMap(({ event, annotationId, verdict }) => (event === 'verdict' && annotationId === id ? (verdict ?? '') : []))

/** An hour as usual until now, and a release now. */
async function release(service: Service, dataset: string, members: object = {}) {
  const atMs = room.clock.now()
  await service.ingest(dataset, requests({ from: atMs - 60 * MINUTE, minutes: 60 }))
  const mark = await created(service, { datasets: [dataset], type: 'production-deploy', title: `${dataset} 1.1.0`, ...members })
  return { atMs, id: mark.id }
}

test('a release that doubles errors is worse once the time after it is over, with the version that carries it', async () => {
  await using service = await startDriven(room, JUDGING)
  const { atMs, id } = await release(service, 'shop')
  const other = await created(service, { datasets: ['shop'], type: 'maintenance' })
  await service.ingest('shop', requests({ from: atMs, minutes: 10, failsEvery: 40, version: '1.1.0' }))
  await service.pass(4)
  expect(await service.wholeOf(id)).not.toHaveProperty('verdict')
  await service.pass(7)
  const { verdict, verdictDetails } = await service.judged(id, (one) => one.verdictDetails?.isEarly === false)
  expect(verdict).toBe('worse')
  expect(verdictDetails?.headline).toMatch(/^Errors rose 2\.\d-fold: 1 → 2\.5 %$/)
  expect(verdictDetails?.series.find(({ name }) => name === 'shop errors')).toMatchObject({
    verdict: 'worse',
    before: 0.01,
    after: 0.025,
    carriers: [{ field: 'version', value: '1.1.0', before: 0 }],
    failing: { apl: expect.stringMatching(/\| where status between \(500 \.\. 599\)$/), count: 50 },
  })
  expect(verdictDetails?.windows.after).toEqual({ startTime: expect.any(String), endTime: iso(atMs + 10 * MINUTE) })

  const plain = await ask<Annotation[]>(service, 'GET', '/v2/annotations?datasets=shop')
  expect(plain.body.map((one) => 'verdict' in one || 'verdictDetails' in one)).toEqual([false, false])
  const worse = await ask<Annotation[]>(service, 'GET', '/v2/annotations?datasets=shop&verdict=worse')
  expect(worse.body).toMatchObject([{ id, verdict: 'worse', verdictDetails: { headline: verdictDetails?.headline } }])
  expect((await ask(service, 'GET', '/v2/annotations?verdict=bad')).status).toBe(422)
  const range = { startTime: iso(atMs - MINUTE), endTime: iso(atMs + MINUTE) }
  const rows = await apl(service, "['_annotations'] | where datasets has 'shop' | project id, verdict", range)
  expect(rows.body.matches.map(({ data }) => data)).toEqual(expect.arrayContaining([{ id, verdict: 'worse' }, { id: other.id }]))
})

test('a token that may not query the datasets is shown no verdict', async () => {
  await using service = await startDriven(room, JUDGING)
  const { atMs, id } = await release(service, 'secret')
  await service.ingest('secret', requests({ from: atMs, minutes: 10 }))
  await service.pass(11)
  await service.judged(id)
  const token = await tokenWith(service, ['annotations|read'])
  const shown = await ask<Annotation>(service, 'GET', withAllMembers(`/v2/annotations/${id}`), { token })
  expect(shown.body).toMatchObject({ id, createdBy: expect.any(String) })
  expect(shown.body).not.toHaveProperty('verdict')
  expect((await ask(service, 'GET', '/v2/annotations?verdict=same', { token })).status).toBe(403)
})

test('a service that goes away is said before the time after it is over, and said again when it is', async () => {
  await using service = await startDriven(room, JUDGING)
  const { id } = await release(service, 'gone')
  // Of what has just arrived it is known how late it comes.
  await live(service, 4, { gone: { minutes: 0 } })
  await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { time: iso(room.clock.now()) } })
  await service.pass(6)
  const early = await service.judged(id)
  expect(early).toMatchObject({ verdict: 'gone', verdictDetails: { isEarly: true } })
  await service.pass(5)
  const full = await service.judged(id, (one) => one.verdictDetails?.isEarly === false)
  expect(full.verdict).toBe('gone')
})

test('events that come late are judged, too, and a release of which there is nothing new is judged no more', async () => {
  await using service = await startDriven(room, JUDGING)
  const { atMs, id } = await release(service, 'late')
  await service.ingest('late', requests({ from: atMs, minutes: 10 }))
  await service.pass(11)
  expect((await service.judged(id)).verdict).toBe('inconclusive')
  await service.pass(10)
  const failed = requests({ from: atMs, minutes: 10 }).map((event) => ({ ...event, status: 500 }))
  await service.ingest(
    'late',
    failed.filter((_, at) => at % 10 === 0),
  )
  await service.pass(60)
  // The look at twenty minutes may find some of it; the one at seventy finds the whole.
  const isWhole = ({ verdictDetails }: Annotation) => Date.parse(verdictDetails?.judgedAt ?? '') > atMs + 70 * MINUTE
  expect((await service.judged(id, isWhole)).verdict).toBe('worse')
  const lines = () => service.lines.filter((line) => line.includes(`"${id}"`) && line.includes('"event":"verdict"')).length
  const before = lines()
  await service.pass(60)
  room.clock.advance(30 * 60 * MINUTE)
  await service.pass(2)
  expect(lines()).toBe(before)
})

test('a release that ended while no service ran is judged by the next one, and by two services once', async () => {
  const first = await startDriven(room, JUDGING)
  const { atMs, id } = await release(first, 'restart')
  await first.ingest('restart', requests({ from: atMs, minutes: 10, failsEvery: 20 }))
  await first.stop()
  room.clock.advance(12 * MINUTE)
  await using second = await startDriven(room, JUDGING)
  await using third = await startDriven(room, JUDGING)
  expect((await second.judged(id)).verdict).toBe('worse')
  await second.pass(2)
  const lines = [...second.lines, ...third.lines].filter((line) => line.includes(`"${id}"`) && line.includes('"verdict"'))
  expect(lines).toHaveLength(1)
})

test('a release that gets another time loses its verdict, and is judged anew', async () => {
  await using service = await startDriven(room, JUDGING)
  const { atMs, id } = await release(service, 'moved')
  await service.ingest('moved', requests({ from: atMs, minutes: 10, failsEvery: 20 }))
  await service.pass(11)
  expect((await service.judged(id)).verdict).toBe('worse')
  await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { title: 'moved 1.1.1' } })
  expect(await service.wholeOf(id)).toMatchObject({ verdict: 'worse' })
  await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { time: iso(atMs - 30 * MINUTE) } })
  expect(await service.wholeOf(id)).not.toHaveProperty('verdict')
  await service.pass(2)
  expect((await service.judged(id)).verdict).toBe('inconclusive')
})

test('what grows slowly is told an hour later, unless another release came soon after', async () => {
  await using service = await startDriven(room, JUDGING)
  const atMs = room.clock.now()
  /** Latencies without chance, but with a minute that differs from the next; from `fromMs` on they double in a hundred minutes. */
  const requestsOf = (fromMs: number) =>
    Array.from({ length: 180 * 20 }, (_, at) => {
      const ms = atMs - 120 * MINUTE + at * 3_000
      const grown = 1 + Math.max(0, ms - fromMs) / (100 * MINUTE)
      return { _time: iso(ms), status: 200, duration_ms: (40 + ((at * 7) % 20) + (Math.floor(at / 20) % 3)) * grown }
    })
  for (const name of ['leaking', 'shared']) await service.ingest(name, requestsOf(atMs))
  await service.ingest('steady', requestsOf(atMs + 120 * MINUTE))
  // What goes away after twenty minutes did not go with the release.
  await service.ingest('ending', requestsOf(atMs + 120 * MINUTE).slice(0, 140 * 20))
  const mark = async (dataset: string, afterMinutes = 0) =>
    created(service, {
      datasets: [dataset],
      type: 'production-deploy',
      title: `${dataset} 2.0.${afterMinutes}`,
      time: iso(atMs + afterMinutes * MINUTE),
    })
  const [leaking, steady, ending, first] = [
    await mark('leaking'),
    await mark('steady'),
    await mark('ending'),
    await mark('shared'),
  ]
  await mark('shared', 15)
  await created(service, { datasets: ['leaking'], type: 'staging-deploy', title: 'leaking 3', time: iso(atMs + 15 * MINUTE) })
  await service.pass(11)
  expect((await service.judged(leaking.id, (one) => one.verdictDetails?.isEarly === false)).verdict).not.toBe('worse')
  await service.pass(61)
  const { verdictDetails } = await service.judged(leaking.id, (one) => one.verdict === 'worse')
  expect(verdictDetails?.headline).toMatch(/^p95 crept up within the hour: .* ms/)
  expect(verdictDetails?.windows.after).toEqual({ startTime: iso(atMs), endTime: iso(atMs + 60 * MINUTE) })
  await service.pass(5)
  const isLate = ({ verdictDetails: found }: Annotation) => Date.parse(found?.judgedAt ?? '') > atMs + 70 * MINUTE
  for (const { id } of [steady, ending, first]) expect((await service.judged(id, isLate)).verdict).not.toMatch(/worse|gone/)
})

test('a bad release at the same hour yesterday, which was rolled back, excuses none today', async () => {
  await using service = await startDriven(room, JUDGING)
  const { atMs, id } = await release(service, 'twice')
  const yesterdayMs = atMs - 24 * 60 * MINUTE
  await service.ingest('twice', requests({ from: yesterdayMs - 60 * MINUTE, minutes: 60 }))
  await service.ingest('twice', requests({ from: yesterdayMs, minutes: 10, failsEvery: 12 }))
  await service.ingest('twice', requests({ from: atMs, minutes: 10, failsEvery: 25 }))
  await created(service, { datasets: ['twice'], type: 'deploy', title: 'Roll back 1.0.9', time: iso(yesterdayMs + 9 * MINUTE) })
  await service.pass(11)
  expect((await service.judged(id)).verdict).toBe('worse')
})

test('of less traffic the release is told, and not the one whose version it replaced', async () => {
  await using service = await startDriven(room, JUDGING)
  const atMs = room.clock.now() - 30 * MINUTE
  await created(service, { datasets: ['less'], type: 'deploy', title: 'less 1.0.0', time: iso(atMs - 8 * MINUTE) })
  const { id } = await created(service, { datasets: ['less'], type: 'deploy', title: 'less 1.1.0', time: iso(atMs) })
  await service.ingest('less', requests({ from: atMs - 60 * MINUTE, minutes: 60, failsEvery: 10_000 }))
  const after = requests({ from: atMs, minutes: 12, failsEvery: 10_000, version: '1.1.0' })
  await service.ingest(
    'less',
    after.filter((_, at) => at % 5 < 3),
  )
  const { verdict, verdictDetails } = await service.judged(id)
  expect({ verdict, headline: verdictDetails?.headline }).toEqual({
    verdict: 'lower',
    headline: 'Traffic fell by 40 %: 200 → 120/min',
  })
})

test('events that come minutes late are awaited: they are no outage, and an outage is told when it is known', async () => {
  await using service = await startDriven(room, JUDGING)
  const start = room.clock.now()
  const late = {
    seconds: { minutes: 0 },
    minutes: { minutes: 6 },
    ended: { minutes: 6 },
    most: { minutes: 30 },
    refilled: { minutes: 0 },
  }
  for (const [dataset, { minutes }] of Object.entries(late))
    await service.ingest(dataset, requests({ from: start - 90 * MINUTE, minutes: 90 - minutes }))
  await live(service, 5, late)
  // A backfill of what there is already, and of last week.
  await service.ingest('refilled', requests({ from: start - 40 * MINUTE, minutes: 40 }))
  await service.ingest('refilled', requests({ from: start - 7 * 24 * 60 * MINUTE, minutes: 60 }))
  const atMs = room.clock.now()
  const marks = new Map<string, string>()
  for (const dataset of Object.keys(late))
    marks.set(dataset, (await created(service, { datasets: [dataset], type: 'deploy', title: `${dataset} 2.0.0` })).id)
  await live(service, 44, { ...late, ended: { minutes: 6, untilMs: atMs } })
  const isDone = ({ verdictDetails }: Annotation) => verdictDetails?.isEarly === false && !/yet/.test(verdictDetails.headline)
  const found = (dataset: string) => service.judged(marks.get(dataset) ?? '', isDone)
  expect((await found('most')).verdictDetails?.notes.join()).toMatch(/events of most arrive 31 min late, so it was judged later/)
  expect((await found('ended')).verdict).toBe('gone')
  for (const dataset of ['seconds', 'minutes', 'most', 'refilled']) {
    await found(dataset)
    expect([dataset, ...verdictsOf(service, marks.get(dataset) ?? '')].join()).not.toMatch(/gone|worse|lower|better|higher/)
  }
  // Until then it is said why there is no verdict.
  const { id } = await created(service, { datasets: ['most'], type: 'deploy', title: 'most 2.1.0' })
  await live(service, 10, { most: { minutes: 30 } })
  const first = await service.judged(id)
  expect(first.verdictDetails?.headline).toBe('Not judged yet: events of most arrive 31 min late')
})

test('a release that is rolled back is judged when its rollback comes, by the time until then', async () => {
  await using service = await startDriven(room, JUDGING)
  const { atMs, id } = await release(service, 'short')
  await service.ingest('short', requests({ from: atMs, minutes: 6, failsEvery: 40, version: '1.1.0' }))
  await service.pass(6)
  const rollback = await created(service, { datasets: ['short'], type: 'production-deploy', title: 'Rollback of short to 1.0.0' })
  await service.ingest('short', requests({ from: atMs + 6 * MINUTE, minutes: 12 }))
  const { verdict, verdictDetails, ...rest } = await service.judged(id, (one) => one.verdictDetails?.isEarly === false)
  expect(verdict).toBe('worse')
  expect(Date.parse(verdictDetails?.judgedAt ?? '')).toBeLessThan(atMs + 9 * MINUTE)
  expect(verdictDetails).toMatchObject({
    neighbors: [{ side: 'after', isCutOff: true }],
    windows: { after: { endTime: iso(atMs + 6 * MINUTE) } },
  })
  expect(rest).not.toHaveProperty('hurtsNow')
  await service.pass(10)
  await service.judged(rollback.id, (one) => one.verdictDetails?.isEarly === false)
  expect(await service.wholeOf(id)).not.toHaveProperty('hurtsNow')
})

test('a roll-out is looked at while its versions run side by side, and told with the one that fails more often', async () => {
  await using service = await startDriven(room, JUDGING)
  const atMs = room.clock.now()
  /** A tenth of the requests go to the new version, then half, then all. */
  const rollOut = async (dataset: string, version: string, failsEvery: number) => {
    const { id } = await release(service, dataset, { time: iso(atMs) })
    for (const [at, every] of [10, 2, 1].entries()) {
      const seen = { old: 0, new: 0 }
      const events = requests({ from: atMs + at * 20 * MINUTE, minutes: 20 }).map((event, index) => {
        const isNew = index % every === 0
        const fails = ++seen[isNew ? 'new' : 'old'] % (isNew ? failsEvery : 100) === 0
        return { ...event, ...(isNew && { version }), status: fails ? 500 : 200 }
      })
      await service.ingest(dataset, events)
    }
    return id
  }
  const bad = await rollOut('bad', '1.1.0', 33)
  const good = await rollOut('good', '1.1.0', 100)
  const restarted = await rollOut('restarted', '1.0.0', 100)
  const windowOf = (from: number, until: number) => ({
    startTime: iso(atMs + from * MINUTE),
    endTime: iso(atMs + until * MINUTE),
  })
  const isUntil = (minutes: number) => (one: Annotation) =>
    one.verdictDetails?.windows.after.endTime === windowOf(0, minutes).endTime
  for (const minutes of [10, 20, 40, 60]) {
    await service.pass(minutes + 1 - (room.clock.now() - atMs) / MINUTE)
    for (const id of minutes > 20 ? [good] : [good, bad]) await service.judged(id, isUntil(minutes))
  }
  const found = await service.wholeOf(good)
  expect(found.verdictDetails).toMatchObject({ finding: 'harmless', windows: { after: windowOf(40, 60) } })
  expect(found.verdictDetails).not.toHaveProperty('isRollOut')
  expect(await service.wholeOf(bad)).toMatchObject({
    verdict: 'worse',
    verdictDetails: {
      // The clock is at no whole minute, so that some of the first requests are left out.
      headline: expect.stringMatching(/^Errors of 1\.1\.0 (?:tripled|rose [\d.]+-fold): [\d.]+ → [\d.]+ %, against 1\.0\.0$/),
      windows: { after: windowOf(10, 20) },
    },
  })
  expect(verdictsOf(service, restarted)).not.toContain('worse')
})

test('harm that ends without a release is over since then, and one that ends with a fix is fixed by it', async () => {
  await using service = await startDriven(room, JUDGING)
  /** Time passes until the annotation is like that, with the events of each minute. */
  const liveUntil = async (
    isReached: (one: Annotation) => boolean,
    { id, datasets: [dataset = ''] }: Annotation,
    failsEvery?: number,
  ) => {
    for (let minute = 0; minute < 90; minute++) {
      await service.ingest(dataset, requests({ from: room.clock.now(), minutes: 1, ...(failsEvery && { failsEvery }) }))
      await service.pass(1)
      if (isReached(await service.wholeOf(id))) break
    }
    return service.judged(id, isReached)
  }
  const headlineOf = ({ verdictDetails }: Annotation) => verdictDetails?.headline
  const isJudged = ({ verdictDetails }: Annotation) => verdictDetails?.isEarly === false
  const hurting = async (dataset: string) => {
    const { id } = await release(service, dataset)
    const bad = await liveUntil(isJudged, await service.wholeOf(id), 20)
    expect(bad).toMatchObject({ verdict: 'worse', hurtsNow: true })
    return bad
  }
  const alone = await hurting('alone')
  const over = await liveUntil(({ verdictDetails }) => verdictDetails?.overAt !== undefined, alone)
  expect(over).not.toHaveProperty('hurtsNow')
  expect(headlineOf(over)).toMatch(/^Errors rose 5-fold: 1 → 5 %\. Over after [\d hmin]+\.$/)
  const restoreMs = Date.parse(over.verdictDetails?.overAt ?? '') - Date.parse(over.time)
  const listed = await ask<Releases>(service, 'GET', '/v2/releases?datasets=alone')
  expect(listed.body.releases).toMatchObject([{ restoreMs, annotation: { verdictDetails: { headline: headlineOf(over) } } }])

  const bad = await hurting('fixed')
  const fix = await created(service, { datasets: ['fixed'], type: 'production-deploy', title: 'fixed 1.2.0' })
  const better = await liveUntil(isJudged, await service.wholeOf(fix.id))
  expect(better.verdictDetails).toMatchObject({ headline: 'Errors are back: 5 → 1 %. Fixed 1.1.0.', finding: 'restored' })
  expect(headlineOf(await service.wholeOf(bad.id))).toMatch(
    /^Errors rose 5-fold: 1 → 5 %\. Over after [\d hmin]+, fixed by 1\.2\.0\.$/,
  )
  const next = await created(service, { datasets: ['fixed'], type: 'production-deploy', title: 'fixed 1.3.0' })
  expect(headlineOf(await liveUntil(isJudged, await service.wholeOf(next.id)))).toMatch(/^No harm: (?!.*Fixed)/)
})

test('production is not blamed for staging, where events of both are in one dataset, nor a release for its twin', async () => {
  await using service = await startDriven(room, JUDGING)
  const atMs = room.clock.now() - 20 * MINUTE
  const both = (failsSince: number) =>
    requests({ from: atMs - 60 * MINUTE, minutes: 80 }).map((event, at) => {
      const isStaging = at % 12 === 5
      const fails = isStaging && Date.parse((event as { _time: string })._time) >= failsSince
      return { ...event, env: isStaging ? 'stage' : 'prod', ...(fails && { status: 500 }) }
    })
  await service.ingest('both', both(atMs - 5 * MINUTE))
  const mark = (members: object, ms: number) =>
    created(service, { datasets: ['both'], type: 'deploy', time: iso(ms), ...members })
  const staging = await mark({ title: 'both 2.0.0 to staging' }, atMs - 5 * MINUTE)
  const production = await mark({ title: 'both 2.0.0 to production' }, atMs)
  const twin = await mark({ type: 'detected-release', service: 'both', version: '2.0.0', environment: 'prod' }, atMs + 1_000)
  await service.pass(1)
  expect((await service.judged(staging.id)).verdict).toBe('worse')
  for (const { id } of [production, twin]) {
    const { verdict, verdictDetails } = await service.judged(id)
    expect({ verdict, neighbors: verdictDetails?.neighbors }).toEqual({
      verdict: expect.stringMatching(/inconclusive|same/),
      neighbors: [],
    })
  }
})

test('after an outage the newest are judged first; flags and configuration are judged, what goes on is not', async () => {
  const members = [
    { type: 'deploy' },
    { type: 'feature-flag' },
    { type: 'deploy', open: true },
    { type: 'config-change' },
    { type: 'note' },
  ]
  const start = room.clock.now()
  const marks: string[] = []
  {
    await using before = await startDriven(room)
    await before.ingest('outage', requests({ from: start - 200 * MINUTE, minutes: 200 }))
    for (const [at, member] of members.entries())
      marks.push((await created(before, { datasets: ['outage'], time: iso(start - (180 - 30 * at) * MINUTE), ...member })).id)
  }
  await using service = await startDriven(room, JUDGING)
  await service.judged(marks[0] ?? '')
  const judged = service.lines.flatMap((line) => /"event":"verdict","annotationId":"(\w+)"/.exec(line)?.[1] ?? [])
  expect(judged.filter((id) => marks.includes(id))).toEqual([marks[3], marks[1], marks[0]])
  await ask(service, 'PUT', `/v2/annotations/${marks[2]}`, { body: { endTime: iso(start - 100 * MINUTE) } })
  await service.judged(marks[2] ?? '')
  await ask(service, 'PUT', `/v2/annotations/${marks[0]}`, { body: { open: true } })
  expect(await service.wholeOf(marks[0] ?? '')).not.toHaveProperty('verdict')
})
