/**
 * Monitors over time: what they find, what they mark, and what people do meanwhile.
 */

import { randomUUID } from 'node:crypto'
import type { MonitorOperator } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { findAnnotation } from '../../../records/src/annotations/annotation-records.ts'
import { findMonitor, type StoredMonitor, updateMonitor } from '../../../records/src/automations/monitor-records.ts'
import { readCases } from '../cases.ts'
import { ask } from '../http.ts'
import { ingestEach } from '../query/ask.ts'
import { iso, MINUTE, roomForTests, startDriven, until } from './driven-service.ts'

const room = roomForTests()

const newDataset = () => `web-${randomUUID()}`
const errorsOf = (dataset: string) => `['${dataset}'] | where status >= 500 | summarize count()`
/** An event so long before now. */
const event = (status: number, agoMs = 1_000) => ({ _time: new Date(room.clock.now() - agoMs).toISOString(), status })

/** A dataset with these events, and a monitor of its errors that has run for the first time. */
async function watch(service: Awaited<ReturnType<typeof startDriven>>, ...events: object[]) {
  const dataset = newDataset()
  await service.ingest(dataset, events)
  const { id } = await service.createMonitor({ aplQuery: errorsOf(dataset) })
  const from = room.clock.now()
  const { annotationId } = await service.ranAt(id, from)
  return { dataset, id, from, annotationId }
}

test('a trigger marks the charts, stays one span while it lasts, and ends with the recovery', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [event(200)])
  const { id } = await service.createMonitor({
    aplQuery: errorsOf(dataset),
    threshold: 1.5,
    annotationType: 'incident',
    annotationTitle: 'Errors',
    datasets: [dataset, 'other'],
  })
  const from = room.clock.now()
  expect(await service.ranAt(id, from)).toEqual({
    status: 'ok',
    since: iso(from),
    lastRun: iso(from),
    nextRun: iso(from + MINUTE),
    lastValue: 0,
  })

  const annotationIds = new Set<string | undefined>()
  for (const minute of [1, 2, 3]) {
    room.clock.advance(MINUTE - 10_000)
    await service.ingest(dataset, [event(500), event(503), event(200)])
    room.clock.advance(10_000)
    const state = await service.ranAt(id, from + minute * MINUTE)
    expect(state).toMatchObject({ status: 'triggered', since: iso(from + MINUTE), lastValue: 2 })
    annotationIds.add(state.annotationId)
  }
  const [annotationId, ...otherIds] = annotationIds
  expect(otherIds).toEqual([])
  const [open, ...others] = await service.annotationsOf(dataset)
  expect(others).toEqual([])
  expect(open).toEqual({
    id: annotationId,
    datasets: [dataset, 'other'],
    type: 'incident',
    title: 'Errors',
    description: `2 is above 1.5, over 1 minute\n\n    ${errorsOf(dataset)}`,
    time: iso(from + MINUTE),
  })
  const stored = await findAnnotation(room.records.read, annotationId ?? '')
  expect(stored).toMatchObject({ open: true })

  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + 4 * MINUTE)).toEqual({
    status: 'ok',
    since: iso(from + 4 * MINUTE),
    lastRun: iso(from + 4 * MINUTE),
    nextRun: iso(from + 5 * MINUTE),
    lastValue: 0,
  })
  await until(async () => (await service.annotationsOf(dataset))[0]?.endTime)
  expect(await service.annotationsOf(dataset)).toEqual([{ ...open, endTime: iso(from + 4 * MINUTE) }])
  // Quiet runs are not in the log.
  expect(service.log.map(({ status, value, error }) => [status, value, error])).toEqual([
    ['ok', 0, undefined],
    ['triggered', 2, undefined],
    ['ok', 0, undefined],
  ])
})

const THRESHOLDS = readCases<[operator: MonitorOperator, threshold: number, status: string, lastValue: number][]>(import.meta.url)

test.each(THRESHOLDS)('of groups with 1 and 4, %s %d is %s, for %d', async (operator, threshold, status, lastValue) => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await ingestEach(service, dataset, 5, (n) => event(n === 0 ? 500 : 503))
  const { id } = await service.createMonitor({
    aplQuery: `['${dataset}'] | summarize n = count() by status`,
    operator,
    threshold,
  })
  expect(await service.ranAt(id, room.clock.now())).toMatchObject({ status, lastValue })
})

test('of several columns the last one with numbers counts, time bins and rows count too, and rows are not limited', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await ingestEach(service, dataset, 2_000, (n) => event(n % 2 === 0 ? 200 : 500))
  const measured = async (aplQuery: string) => {
    const { id } = await service.createMonitor({ aplQuery })
    return (await service.ranAt(id, room.clock.now())).lastValue
  }
  expect(await measured(`['${dataset}'] | where status == 500`)).toBe(1_000)
  expect(await measured(`['${dataset}'] | where status == 500 | limit 3`)).toBe(1_000)
  expect(await measured(`['${dataset}'] | where status == 501`)).toBe(0)
  expect(await measured(`['${dataset}'] | summarize count() by bin(_time, 1m), status`)).toBe(1_000)
  expect(
    await measured(
      `['${dataset}'] | summarize all = count(), bad = countif(status >= 500) | extend share = 100.0 * bad / all, word = 'x'`,
    ),
  ).toBe(50)
})

test('nothing to compare is no data: it triggers only where it is told to, and ends a span otherwise', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [{ ...event(200), took: 5 }])
  const slow = `['${dataset}'] | summarize avg(took)`
  const quiet = await service.createMonitor({ aplQuery: slow })
  const alert = await service.createMonitor({ aplQuery: slow, alertOnNoData: true, threshold: 9, annotationTitle: 'Silence' })
  const from = room.clock.now()
  expect(await service.ranAt(quiet.id, from)).toMatchObject({ status: 'triggered', lastValue: 5 })
  expect(await service.ranAt(alert.id, from)).toMatchObject({ status: 'ok', lastValue: 5 })
  room.clock.advance(5 * MINUTE)
  const [ended, begun] = [await service.ranAt(quiet.id, from + 5 * MINUTE), await service.ranAt(alert.id, from + 5 * MINUTE)]
  expect(ended.status).toBe('no-data')
  expect(ended).not.toHaveProperty('lastValue')
  expect(begun.status).toBe('triggered')
  const annotations = await until(async () => {
    const found = await service.annotationsOf(dataset)
    return found.length === 2 && found[0]?.endTime ? found : undefined
  })
  expect(annotations).toMatchObject([
    { endTime: iso(from + 5 * MINUTE) },
    { title: 'Silence', description: `No data over 1 minute\n\n    ${slow}` },
  ])
})

test('after a pause it runs once, in its grid', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [event(200)])
  const { id } = await service.createMonitor({ aplQuery: errorsOf(dataset), intervalMinutes: 5 })
  const from = room.clock.now()
  await service.ranAt(id, from)
  room.clock.advance(5 * MINUTE - 1)
  room.clock.advance(1)
  await service.ranAt(id, from + 5 * MINUTE)
  room.clock.advance(24 * 60 * MINUTE + 17_000)
  expect(await service.ranAt(id, from + (24 * 60 + 5) * MINUTE)).toMatchObject({ nextRun: iso(from + (24 * 60 + 10) * MINUTE) })
})

test('a clock that is set back does not stop a monitor, and no span ends before it begins', async () => {
  await using service = await startDriven(room)
  const { dataset, id, from } = await watch(service, event(500))
  room.clock.advance(-60 * MINUTE)
  expect(await service.ranAt(id, from - 60 * MINUTE)).toMatchObject({ status: 'ok' })
  await until(async () => (await service.annotationsOf(dataset))[0]?.endTime)
  expect(await service.annotationsOf(dataset)).toMatchObject([{ time: iso(from), endTime: iso(from) }])
  room.clock.advance(60 * MINUTE)
})

test('a query that fails says so, keeps the span, does not stop the others, and recovers', async () => {
  await using service = await startDriven(room)
  const [dataset, late] = [newDataset(), newDataset()]
  await service.ingest(dataset, [event(500)])
  const broken = await service.createMonitor({ aplQuery: `['${late}'] | where status >= 500`, name: 'before its data' })
  const other = await service.createMonitor({ aplQuery: errorsOf(dataset) })
  expect(broken.datasets).toEqual([late])
  const from = room.clock.now()
  expect(await service.ranAt(broken.id, from)).toMatchObject({
    status: 'error',
    error: expect.stringContaining(`"${late}" not found`),
  })
  expect(await service.ranAt(other.id, from)).toMatchObject({ status: 'triggered' })
  await service.ingest(late, [event(500, -30_000)])
  room.clock.advance(MINUTE)
  const { annotationId } = await service.ranAt(broken.id, from + MINUTE)
  expect(annotationId).toBeDefined()
  expect(await service.ranAt(other.id, from + MINUTE)).toMatchObject({ status: 'ok' })

  await ask(service, 'DELETE', `/v2/datasets/${late}`)
  room.clock.advance(MINUTE)
  expect(await service.ranAt(broken.id, from + 2 * MINUTE)).toMatchObject({ status: 'error', annotationId })
  await service.ingest(late, [event(500)])
  room.clock.advance(30_000)
  await service.ingest(late, [event(500)])
  room.clock.advance(30_000)
  expect(await service.ranAt(broken.id, from + 3 * MINUTE)).toMatchObject({ status: 'triggered', annotationId })
  const [open, ...others] = await service.annotationsOf(late)
  expect([open?.endTime, others]).toEqual([undefined, []])
  const failures = service.log.filter(({ monitorId, status }) => monitorId === broken.id && status === 'error')
  expect(failures).toEqual([
    expect.objectContaining({ level: 'warn', name: 'before its data', error: `dataset "${late}" not found` }),
    expect.objectContaining({ level: 'warn', name: 'before its data', error: `dataset "${late}" not found` }),
  ])
})

test('an annotation that a person deleted is not created again, and its missing end is no error', async () => {
  await using service = await startDriven(room)
  const { dataset, id, from, annotationId } = await watch(service, event(500), event(500, -30_000))
  await until(async () => (await service.annotationsOf(dataset))[0])
  await ask(service, 'DELETE', `/v2/annotations/${annotationId}`)
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + MINUTE)).toMatchObject({ status: 'triggered', annotationId })
  room.clock.advance(MINUTE)
  expect(await service.ranAt(id, from + 2 * MINUTE)).toMatchObject({ status: 'ok' })
  await until(async () => service.log.find(({ message }) => message === `${annotationId} was deleted, so its span is not closed`))
  expect(await service.annotationsOf(dataset)).toEqual([])
})

test('an end that a person set is kept, and a start that a person moved does no harm', async () => {
  await using service = await startDriven(room)
  const [ended, moved] = [await watch(service, event(500)), await watch(service, event(500))]
  const { from } = moved
  for (const { dataset } of [ended, moved]) await until(async () => (await service.annotationsOf(dataset))[0])
  await ask(service, 'PUT', `/v2/annotations/${ended.annotationId}`, { body: { endTime: iso(from + 1_000) } })
  await ask(service, 'PUT', `/v2/annotations/${moved.annotationId}`, { body: { time: iso(from + 60 * MINUTE) } })
  for (const minute of [1, 2]) {
    // The second run begins when what the first one decided is done.
    room.clock.advance(MINUTE)
    for (const { id } of [ended, moved]) await service.ranAt(id, from + minute * MINUTE)
  }
  expect((await service.annotationsOf(ended.dataset))[0]?.endTime).toBe(iso(from + 1_000))
  expect((await service.annotationsOf(moved.dataset))[0]?.endTime).toBe(iso(from + 60 * MINUTE))
})

test('disabling or deleting a monitor ends its span, and enabling it runs it at once', async () => {
  await using service = await startDriven(room)
  const { dataset, id, from } = await watch(service, event(500), event(500, -90_000))
  room.clock.advance(10_000)
  const disabled = await service.change(id, { disabled: true })
  expect(disabled.body.state).toEqual({ status: 'disabled', since: iso(from + 10_000), lastRun: iso(from) })
  expect(await service.annotationsOf(dataset)).toMatchObject([{ endTime: iso(from + 10_000) }])
  room.clock.advance(110_000)

  expect((await service.change(id, { disabled: false })).body.state).toMatchObject({ nextRun: iso(from + 2 * MINUTE) })
  expect(await service.ranAt(id, from + 2 * MINUTE)).toMatchObject({ status: 'triggered' })
  await until(async () => (await service.annotationsOf(dataset))[1])
  room.clock.advance(1_000)
  expect((await ask(service, 'DELETE', `/v2/monitors/${id}`)).status).toBe(204)
  expect(await service.annotationsOf(dataset)).toMatchObject([
    { endTime: iso(from + 10_000) },
    { endTime: iso(from + 2 * MINUTE + 1_000) },
  ])
  expect((await ask(service, 'GET', `/v2/monitors/${id}`)).status).toBe(404)
})

test('a change while triggered is judged at once, and the open span keeps its words', async () => {
  await using service = await startDriven(room)
  const { dataset, id, from, annotationId } = await watch(service, event(500), event(500))
  room.clock.advance(1_000)
  const renamed = await service.change(id, { name: 'renamed', annotationType: 'other' })
  expect(renamed.body.state).toMatchObject({ status: 'triggered', annotationId, nextRun: iso(from + MINUTE) })
  await service.change(id, { threshold: 1 })
  expect(await service.ranAt(id, from + 1_000)).toMatchObject({ status: 'triggered', annotationId, lastValue: 2 })
  room.clock.advance(1_000)
  await service.change(id, { threshold: 2 })
  expect(await service.ranAt(id, from + 2_000)).toMatchObject({ status: 'ok', nextRun: iso(from + 2_000 + MINUTE) })
  await until(async () => (await service.annotationsOf(dataset))[0]?.endTime)
  expect(await service.annotationsOf(dataset)).toMatchObject([
    { id: annotationId, title: 'errors', type: 'monitor', time: iso(from), endTime: iso(from + 2_000) },
  ])
})

test.each(['\n', '\r', '\r\n'])('no line of a query leaves the block of code that shows it: %j', async (end) => {
  await using service = await startDriven(room)
  const dataset = `web-${randomUUID()}`
  await service.ingest(dataset, [{ status: 500, _time: iso(room.clock.now() - 1_000) }])
  const aplQuery = `['${dataset}'] // note${end}// <b>${end}// [here](https://example.com)${end}| where status >= 500`
  await service.createMonitor({ aplQuery })
  const { description = '' } = await until(async () => (await service.annotationsOf(dataset))[0])
  const code = description.split('\n\n').slice(1).join('\n\n')
  for (const line of code.split(/[\r\n]/)) expect(line).toMatch(/^ {4}/)
})

test('a long query is cut in the description', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [event(500)])
  const { id } = await service.createMonitor({ aplQuery: `${errorsOf(dataset)} // ${'🚀'.repeat(1_000)}` })
  await service.ranAt(id, room.clock.now())
  const [annotation] = await until(async () => {
    const found = await service.annotationsOf(dataset)
    return found.length > 0 ? found : undefined
  })
  expect([...(annotation?.description ?? '')]).toHaveLength(512)
})

test('bin_auto is the whole range of a monitor, and the state says so from the start', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [event(500, 50_000), event(500, 20_000), event(500)])
  const by = `['${dataset}'] | where status >= 500 | summarize count() by bin_auto(_time)`
  const { id, state } = await service.createMonitor({ aplQuery: by, threshold: 2 })
  expect(state.messages).toEqual([expect.stringMatching(/^bin_auto\(\)/)])
  expect(await service.ranAt(id, room.clock.now())).toMatchObject({ lastValue: 3, messages: state.messages })
})

test('a monitor from before quotients had decimals says that its own has, until somebody changes it', async () => {
  await using service = await startDriven(room)
  const dataset = newDataset()
  await service.ingest(dataset, [{ ...event(500), a: 7, b: 2, c: 2.5 }])
  const messagesOf = async (aplQuery: string) => {
    const { id, state } = await service.createMonitor({ aplQuery: `['${dataset}'] | summarize ${aplQuery}` })
    const { messages } = await service.ranAt(id, room.clock.now())
    const monitor = (await findMonitor(room.records.read, id)) as StoredMonitor
    const { knowsDecimals: _, ...definition } = monitor.definition
    await room.records.transaction((db) => updateMonitor(db, monitor, { definition }))
    room.clock.advance(MINUTE)
    const { messages: older } = await service.ranAt(id, room.clock.now())
    await service.change(id, { name: 'Looked at' })
    room.clock.advance(MINUTE)
    return [state.messages, messages, older, (await service.ranAt(id, room.clock.now())).messages]
  }
  expect(await messagesOf('max(a / b)')).toEqual([undefined, undefined, [expect.stringMatching(/^a quotient of/)], undefined])
  expect(await messagesOf('max(a / c), 100 * countif(a > 1) / count()')).toEqual([undefined, undefined, undefined, undefined])
})
