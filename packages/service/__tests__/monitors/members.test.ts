/**
 * What each member of the hosted service's monitors does: over time, on the real engine, with a clock that the test drives.
 */
import { randomUUID } from 'node:crypto'
import type { Alert, NewMonitor } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { readCases } from '../cases.ts'
import { ask, make } from '../http.ts'
import { ingestEach } from '../query/ask.ts'
import { iso, MINUTE, roomForTests, startDriven } from './driven-service.ts'

const room = roomForTests()

const CASES = readCases<{ thresholds: [string, Partial<NewMonitor>, number[], string][] }>(import.meta.url)

const newDataset = () => `web-${randomUUID()}`
const countOf = (dataset: string) => `['${dataset}'] | summarize count()`
type Service = Awaited<ReturnType<typeof startDriven>>

/** Runs a monitor once for each item, with so many events in the range. @returns the status of each run */
async function runWith(service: Service, dataset: string, members: Partial<NewMonitor>, counts: readonly number[]) {
  await service.ingest(dataset, [{ _time: '2020-01-01T00:00:00Z' }])
  const send = (count: number) =>
    ingestEach(service, dataset, count, () => ({ _time: new Date(room.clock.now() - 1_000).toISOString() }))
  const [first = 0, ...later] = counts
  if (first > 0) await send(first)
  const from = room.clock.now()
  const { id } = await service.createMonitor({ aplQuery: countOf(dataset), threshold: 0, ...members })
  const statuses: string[] = [(await service.ranAt(id, from)).status]
  for (const [at, count] of later.entries()) {
    room.clock.advance(MINUTE - 10_000)
    if (count > 0) await send(count)
    room.clock.advance(10_000)
    statuses.push((await service.ranAt(id, from + (at + 1) * MINUTE)).status)
  }
  return { id, from, statuses: statuses.join(' ') }
}

test.each(CASES.thresholds)('runs that are beyond the threshold: %s', async (_, members, counts, expected) => {
  await using service = await startDriven(room)
  expect((await runWith(service, newDataset(), members, counts)).statuses).toBe(expected)
})

test('with notifyEveryRun each run makes an annotation, and with skipResolved none gets an end', async () => {
  await using service = await startDriven(room)
  const [every, open] = [newDataset(), newDataset()]
  const { from } = await runWith(service, every, { notifyEveryRun: true }, [1, 1, 0])
  expect(await service.annotationsOf(every)).toMatchObject([
    { time: iso(from), endTime: iso(from + MINUTE) },
    { time: iso(from + MINUTE), endTime: iso(from + 2 * MINUTE) },
  ])
  const { id, from: then } = await runWith(service, open, { skipResolved: true }, [1, 0])
  const [mark] = await service.annotationsOf(open)
  expect(mark).toEqual(expect.objectContaining({ time: iso(then) }))
  expect(mark).not.toHaveProperty('endTime')
  expect((await service.stateOf(id)).annotationId).toBeUndefined()
})

test('with secondDelay a run looks at a range that ended earlier, and marks its end', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [{ _time: new Date(room.clock.now() - 30_000).toISOString() }])
  const { id } = await service.createMonitor({ aplQuery: countOf(dataset), secondDelay: 60 })
  const from = room.clock.now()
  expect(await service.ranAt(id, from)).toMatchObject({ status: 'ok', lastValue: 0 })
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + MINUTE)).toMatchObject({ status: 'triggered', lastValue: 1 })
  expect(await service.annotationsOf(dataset)).toMatchObject([{ time: iso(from) }])
})

test('a monitor that is disabled until a time ends its span, waits, and runs again by itself', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  const { id, from } = await runWith(service, dataset, { rangeMinutes: 60 }, [1])
  const until = from + 10 * MINUTE
  const changed = await service.change(id, { disabledUntil: iso(until) })
  expect(changed.body).toMatchObject({
    disabled: false,
    disabledUntil: iso(until),
    state: { status: 'disabled', nextRun: iso(until) },
  })
  expect(await service.annotationsOf(dataset)).toMatchObject([{ endTime: iso(from) }])
  room.clock.advance(9 * MINUTE)
  expect((await service.stateOf(id)).status).toBe('disabled')
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, until)).toMatchObject({ status: 'triggered' })
  expect(await service.annotationsOf(dataset)).toHaveLength(2)
  await service.change(id, { disabledUntil: iso(until + 60 * MINUTE) })
  const unset = await service.change(id, { disabledUntil: '0001-01-01T00:00:00Z' })
  expect(unset.body).not.toHaveProperty('disabledUntil')
  expect((await service.ranAt(id, until)).status).toBe('triggered')
})

test('with notifyByGroup each group has an annotation of its own', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  const event = (host: string) => ({ _time: new Date(room.clock.now() - 1_000).toISOString(), host, region: 'eu' })
  await service.ingest(dataset, [event('a'), event('a'), event('b'), event('c'), event('c')])
  const aplQuery = `['${dataset}'] | summarize count() by bin(_time, 1m), host, region`
  const { id } = await service.createMonitor({ aplQuery, threshold: 1, notifyByGroup: true, annotationTitle: 'Busy' })
  const from = room.clock.now()
  const state = await service.ranAt(id, from)
  expect(state).toMatchObject({ status: 'triggered', lastValue: 2, groups: [{ group: 'a, eu' }, { group: 'c, eu' }] })
  room.clock.advance(MINUTE - 10_000)
  await service.ingest(dataset, [event('b'), event('b'), event('c'), event('c')])
  room.clock.advance(10_000)
  await service.ranAt(id, from + MINUTE)
  const titles = (await service.annotationsOf(dataset)).map(({ title, endTime }) => [title, endTime])
  expect(titles.sort()).toEqual([
    ['Busy: a, eu', iso(from + MINUTE)],
    ['Busy: b, eu', undefined],
    ['Busy: c, eu', undefined],
  ])
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + 2 * MINUTE)).toMatchObject({ status: 'no-data' })
  expect((await service.annotationsOf(dataset)).every(({ endTime }) => endTime !== undefined)).toBe(true)
})

test('a column that is named is the one that is compared', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [{ _time: new Date(room.clock.now() - 1_000).toISOString(), took: 7 }])
  const aplQuery = `['${dataset}'] | summarize took = max(took), n = count()`
  const { id } = await service.createMonitor({ aplQuery, columnName: 'took' })
  expect(await service.ranAt(id, room.clock.now())).toMatchObject({ lastValue: 7 })
  const refused = await service.change(id, { columnName: 'absent' })
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('no column "absent" of numbers') } })
})

test('MatchEvent annotates each event that its query finds, once, at its time', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  const at = (agoMs: number) => new Date(room.clock.now() - agoMs).toISOString()
  const first = at(30_000)
  await service.ingest(dataset, [
    { _time: first, path: '/a', status: 500 },
    { _time: at(20_000), path: '/b', status: 200 },
  ])
  const aplQuery = `['${dataset}'] | where status >= 500 | project _time, path`
  const body = { name: 'errors', type: 'MatchEvent', aplQuery, rangeMinutes: 5, annotationType: 'incident' }
  const { id } = await make(service, '/v2/monitors', body)
  const from = room.clock.now()
  expect(await service.ranAt(id, from)).toMatchObject({ status: 'triggered', lastValue: 1 })
  room.clock.advance(MINUTE - 10_000)
  // One that arrives late, before the one that was marked.
  await service.ingest(dataset, [{ _time: new Date(from - 60_000).toISOString(), path: '/late', status: 503 }])
  room.clock.advance(10_000)
  expect(await service.ranAt(id, from + MINUTE)).toMatchObject({ status: 'triggered', lastValue: 1 })
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + 2 * MINUTE)).toMatchObject({ status: 'ok', lastValue: 0 })
  expect(await service.annotationsOf(dataset)).toEqual([
    expect.objectContaining({ time: iso(from - 60_000), description: 'An event that matches\n\n    {"path":"/late"}' }),
    expect.objectContaining({ time: iso(from - 30_000), type: 'incident', title: 'errors' }),
  ])
  const { message } = (
    await ask<{ message: string }>(service, 'PUT', `/v2/monitors/${id}`, { body: { aplQuery: countOf(dataset) } })
  ).body
  expect(message).toContain('a monitor of type MatchEvent annotates events, and its query returns none')
})

test('one run annotates ten events at most, and the next run the others', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  const time = new Date(room.clock.now() - 1_000).toISOString()
  await ingestEach(service, dataset, 14, (n) => ({ _time: time, n }))
  const body = { name: 'all', type: 'MatchEvent', aplQuery: `['${dataset}']`, rangeMinutes: 5 }
  const { id } = await make(service, '/v2/monitors', body)
  const from = room.clock.now()
  expect(await service.ranAt(id, from)).toMatchObject({ lastValue: 10 })
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + MINUTE)).toMatchObject({ lastValue: 4 })
  const texts = (await service.annotationsOf(dataset)).map(({ description }) => description)
  expect(new Set(texts).size).toBe(14)
})

test('the history says when a monitor triggered and recovered, also after its annotation is gone', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  const { id, from } = await runWith(service, dataset, { name: 'busy' }, [1, 0, 1])
  const history = (startMs: number, endMs: number) =>
    ask<Alert[]>(service, 'GET', `/v2/monitors/${id}/history?startTime=${iso(startMs)}&endTime=${iso(endMs)}`)
  const [first, second] = await service.annotationsOf(dataset)
  await ask(service, 'DELETE', `/v2/annotations/${first?.id}`)
  expect((await history(from, from + 2 * MINUTE)).body).toEqual([
    { name: 'busy', checkId: first?.id, timestamp: iso(from), state: 'open' },
    { name: 'busy', checkId: first?.id, timestamp: iso(from + MINUTE), state: 'closed' },
    { name: 'busy', checkId: second?.id, timestamp: iso(from + 2 * MINUTE), state: 'open' },
  ])
  expect((await history(from + 1, from + MINUTE)).body).toHaveLength(1)
  expect((await ask<Alert[]>(service, 'GET', `/v2/monitors/${id}/history?startTime=now-1h&endTime=now`)).body).toHaveLength(3)
  const recent = '/api/internal/monitors/history?monitorIds='
  const all = (await history(from, from + 2 * MINUTE)).body
  expect((await ask(service, 'GET', `${recent}${id},%20${id},`)).body).toEqual({ [id]: all })
  for (const [ids, refused] of [
    ['', 422],
    ['mon_1', 404],
    ['x', 422],
  ] as const) {
    expect([ids, (await ask(service, 'GET', `${recent}${ids}`)).status]).toEqual([ids, refused])
  }
  expect((await ask(service, 'GET', `/v2/monitors/${id}/history`)).status).toBe(422)
  expect((await ask(service, 'GET', `/v2/monitors/mon_1/history?startTime=${iso(0)}&endTime=${iso(1)}`)).status).toBe(404)
})

test('a change with a type is the whole monitor, as the hosted service has it', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  const aplQuery = countOf(dataset)
  const members = { description: 'd', secondDelay: 9, notifyEveryRun: true, datasets: [dataset, 'b'], disabled: true }
  const { id } = await service.createMonitor({ aplQuery, ...members })
  const whole = { type: 'Threshold', name: 'n', aplQuery, operator: 'Below', threshold: 1, intervalMinutes: 2, rangeMinutes: 3 }
  const { body } = await service.change(id, whole)
  expect(body).toMatchObject({ ...whole, secondDelay: 0, notifyEveryRun: false, disabled: false, datasets: [dataset, 'b'] })
  expect(body).not.toHaveProperty('description')
})
