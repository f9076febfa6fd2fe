import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { runs } from '../../../__tests__/support/long.ts'
import { openTestRecords } from '../../../__tests__/support/records.ts'
import { readCases } from './cases.ts'
import { created, get, list, remove } from './http.ts'
import { insertAnnotations, startWithoutStore } from './in-process.ts'

const CASES = readCases<{
  spans: [title: string, time: string, endTime?: string][]
  marked: [title: string, datasets: string[], time: string][]
  accepted: [what: string, query: string][]
  refused: [query: string, parameter: string, value: string][]
}>(import.meta.url)

const service = serviceForTests()
beforeEach(async () => {
  await Promise.all((await list(service)).body.map(({ id }) => remove(service, id)))
})

const titles = async (query: string) => (await list(service, query)).body.map(({ title }) => title)

test('without parameters all annotations are listed, ascending by time, then id', async () => {
  expect((await list(service)).body).toEqual([])
  const times = ['2026-01-03', '2026-01-01', '2026-01-02', '2026-01-01', '1950-01-01', '2026-01-01']
  const all = await Promise.all(times.map((time) => created(service, { time })))
  const expected = all.sort((a, b) => (a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time < b.time ? -1 : 1))
  expect((await list(service)).body).toEqual(expected)
})

test('an annotation is as complete in the list as alone', async () => {
  const { id } = await created(service, { title: 't', description: 'd', url: 'u', time: '2026-01-01', endTime: '2026-01-02' })
  expect((await list(service)).body).toEqual([(await get(service, id)).body])
})

test('a span is listed when any part of it lies in the interval, ends included', async () => {
  await Promise.all(CASES.spans.map(([title, time, endTime]) => created(service, { title, time, endTime })))
  const touching = ['up to start', 'into', 'around', 'point at start', 'inside', 'out of', 'point at end']
  expect(await titles('?start=2026-01-10&end=2026-01-20')).toEqual(touching)
  expect(await titles('?start=2026-01-10')).toEqual([...touching, 'after'])
  expect(await titles('?end=2026-01-20')).toEqual(['before', ...touching])
})

test('of several datasets any one is enough, however they are written', async () => {
  await Promise.all(CASES.marked.map(([title, datasets, time]) => created(service, { title, datasets, time })))
  for (const query of [
    '?datasets=web,db',
    '?datasets=web&datasets=db',
    '?datasets=%20web%20,,db,',
    '?datasets=db,web&datasets=web',
  ]) {
    expect([query, await titles(query)]).toEqual([query, ['a', 'b']])
  }
  expect(await titles('?datasets=WEB')).toEqual([])
  expect(await titles('?datasets=none')).toEqual([])
  expect(await titles('?datasets=')).toEqual(['a', 'b', 'c', 'd'])
})

test.each(CASES.accepted)('%s is accepted and hides nothing', async (_, query) => {
  await created(service, { title: 'it', time: '2026-01-01' })
  expect(await titles(query)).toEqual(['it'])
})

test('a year beyond what can be stored still bounds the interval', async () => {
  await created(service, { time: '2026-01-01' })
  expect(await titles('?start=9999-01-01')).toEqual([])
  expect(await titles('?end=0001-01-02')).toEqual([])
})

test.each(CASES.refused)('%s: 422 that names the parameter and its value', async (query, parameter, value) => {
  const { status, body } = await list(service, query)
  expect(status).toBe(422)
  expect(body.message).toContain(parameter)
  expect(body.message).toContain(value)
})

test('any filter lists what an in-memory model lists', async () => {
  const instant = fc
    .integer({ min: 0, max: 12 })
    .map((day) => formatTimestamp(BigInt(Date.UTC(2026, 0, 1 + day)) * 1_000_000n + BigInt(day % 3)))
  const name: fc.Arbitrary<string> = fc.constantFrom('web', 'api', 'db', 'web-2')
  const stored: Annotation[] = []
  const span = fc.record({
    times: fc.array(instant, { minLength: 1, maxLength: 2 }),
    datasets: fc.uniqueArray(name, { minLength: 1 }),
  })
  for (const { times, datasets } of fc.sample(span, 60)) {
    const [time, endTime] = times.sort((a, b) => Number(ns(a) - ns(b)))
    stored.push(await created(service, { time, endTime, datasets }))
  }
  const filter = fc.record(
    { start: instant, end: instant, datasets: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(filter, async ({ start, end, datasets }) => {
      const query = new URLSearchParams({
        ...(start && { start }),
        ...(end && { end }),
        ...(datasets && { datasets: datasets.join() }),
      })
      const { status, body } = await list(service, `?${query}`)
      if (start && end && ns(end) < ns(start)) return expect(status).toBe(422)
      const expected = stored
        .filter((a) => !start || ns(a.endTime ?? a.time) >= ns(start))
        .filter((a) => !end || ns(a.time) <= ns(end))
        .filter((a) => !datasets || a.datasets.some((one) => datasets.includes(one)))
        .sort((a, b) => (ns(a.time) === ns(b.time) ? (a.id < b.id ? -1 : 1) : ns(a.time) < ns(b.time) ? -1 : 1))
      expect(body).toEqual(expected)
    }),
    { numRuns: runs(50, 200) },
  )
})

function ns(text: string): bigint {
  return parseTimestamp(text) ?? 0n
}

test('a list longer than a page of the store is complete and in order', async () => {
  const COUNT = 5_200
  const DAY_NS = 86_400_000_000_000n
  const first = parseTimestamp('2026-01-01') ?? 0n
  await using opened = await openTestRecords()
  await insertAnnotations(opened.records, COUNT, (n) => ({ datasets: ['long'], timeNs: first + BigInt(n % 7) * DAY_NS }))
  await using server = await startWithoutStore({ over: opened.records })
  const { body } = await list(server, '?datasets=long')
  expect(new Set(body.map(({ id }) => id)).size).toBe(COUNT)
  const keys = body.map(({ time, id }) => `${time} ${id}`)
  expect(keys).toEqual([...keys].sort())
})
