import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { readCases } from './cases.ts'
import { ask, change, create, created, get, WHOLE } from './http.ts'

const CASES = readCases<{ times: [time: string, stored: string][] }>(import.meta.url)

const service = serviceForTests()

test('a create answers 201 with the stored annotation and its id', async () => {
  const { status, body, headers } = await create(service, WHOLE)
  expect(status).toBe(201)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body).toEqual({ id: expect.stringMatching(/^ann_[0-9a-z]{26}$/), ...WHOLE })
  expect((await get(service, body.id)).body).toEqual(body)
})

test('without a time, the time of the request is taken', async () => {
  const before = Date.now()
  const { time } = await created(service)
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 1)
  expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + 1)
})

test('members that are not set are absent from answers', async () => {
  const { body } = await create(service, { title: '', description: null, url: '', endTime: null, time: '2026-01-01T00:00:00Z' })
  expect(body).toEqual({ id: body.id, datasets: ['web'], time: '2026-01-01T00:00:00Z', type: 'deploy' })
})

test('members that the contract does not have are ignored', async () => {
  const body = await created(service, { id: 'ann_mine', color: 'red', time: '2026-01-01T00:00:00Z' })
  expect(Object.keys(body)).toEqual(['id', 'datasets', 'time', 'type'])
  expect(body.id).not.toBe('ann_mine')
})

test.each(CASES.times)('the time %s is stored as %s', async (time, stored) => {
  const { id } = await created(service, { time, endTime: time })
  expect((await get(service, id)).body).toMatchObject({ time: stored, endTime: stored })
})

test("the zero time that Go's client sends for unset times counts as not sent", async () => {
  const zero = '0001-01-01T00:00:00Z'
  const { status, body } = await create(service, { time: zero, endTime: zero })
  expect(status).toBe(201)
  expect(body.endTime).toBeUndefined()
  expect(Date.parse(body.time)).toBeGreaterThan(Date.parse('2025-01-01'))
  expect((await change(service, body.id, { title: 'x', time: zero, endTime: zero })).body).toEqual({ ...body, title: 'x' })
})

test('names of datasets are trimmed and duplicates merged', async () => {
  expect((await created(service, { datasets: ['a', ' b', 'a ', 'B'] })).datasets).toEqual(['a', 'b', 'B'])
})

test('lengths count characters, not UTF-16 units', async () => {
  const annotation = await created(service, { title: '😀'.repeat(256), description: '😀'.repeat(512), url: '😀'.repeat(512) })
  expect([...(annotation.title ?? '')]).toHaveLength(256)
  expect((await get(service, annotation.id)).body).toEqual(annotation)
})

test('a deeply nested body is judged, not choked on', async () => {
  const deep = `{"datasets":["web"],"type":"x","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await ask(service, 'POST', '/v2/annotations', { body: deep, headers: { 'idempotency-key': 'deep' } })).status).toBe(201)
  const wrong = `{"datasets":["web"],"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await ask(service, 'POST', '/v2/annotations', { body: wrong })).status).toBe(422)
})

test('a member named __proto__ gives nothing to the annotation', async () => {
  const { status } = await ask(service, 'POST', '/v2/annotations', { body: '{"__proto__":{"datasets":["web"],"type":"deploy"}}' })
  expect(status).toBe(422)
})

test('any text comes back as it was sent, created and changed', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom(
      '\\N',
      "\\'; DROP TABLE annotations; --",
      '{title:String}',
      '\t\n\r\b\f\v\0',
      '\u2028\u2029',
      ';\n\n;',
      '\\',
      "'",
      '\\\\n',
    ),
  )
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const { id } = await created(service, { title: first, description: second })
      const set = await get(service, id)
      expect([set.body.title ?? '', set.body.description ?? '']).toEqual([first, second])
      await change(service, id, { title: second, url: first })
      const changed = await get(service, id)
      expect([changed.body.title ?? '', changed.body.url ?? '']).toEqual([second, first])
    }),
    { numRuns: 60 },
  )
})
