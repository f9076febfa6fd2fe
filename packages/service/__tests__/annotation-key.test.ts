import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask, CRUD, change, create, get, list, remove, tokenWith } from './http.ts'

const service = serviceForTests()

const withKey = (key: string) => ({ headers: { 'Annotation-Key': key } })
const findByKey = (key: string) => ask<Annotation[]>(service, 'GET', '/v2/annotations?datasets=none', withKey(key))

test('a second create with a key replaces what the annotation says, and keeps its id', async () => {
  const first = await create(
    service,
    { datasets: ['keyed'], title: 'try 1', url: 'https://ci/1', time: '2026-01-01T00:00:00Z', endTime: '2026-01-01T00:01:00Z' },
    withKey('run 7'),
  )
  const second = await create(service, { datasets: ['keyed'], title: 'try 2', time: '2026-01-01T01:00:00Z' }, withKey('run 7'))
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.body).toEqual({
    id: first.body.id,
    datasets: ['keyed'],
    time: '2026-01-01T01:00:00Z',
    title: 'try 2',
    type: 'deploy',
  })
  expect((await list(service, '?datasets=keyed')).body).toEqual([second.body])
})

test('the answer names the key, so that a caller knows that it was honored', async () => {
  const { headers } = await create(service, {}, withKey('named'))
  expect(headers.get('annotation-key')).toBe('named')
  expect((await create(service)).headers.get('annotation-key')).toBeNull()
})

test('creates with one key at the same moment make one annotation', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, job) => create(service, { datasets: ['matrix'], title: `job ${job}` }, withKey('matrix'))),
  )
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201])
  expect((await list(service, '?datasets=matrix')).body).toHaveLength(1)
})

test('a list with a key has its annotation alone, whatever it asks for besides', async () => {
  const { body } = await create(service, { datasets: ['listed'] }, withKey('listed'))
  const found = await findByKey('listed')
  expect([found.body, found.headers.get('annotation-key')]).toEqual([[body], 'listed'])
  expect((await findByKey('never used')).body).toEqual([])
})

test('a key is forgotten with its annotation', async () => {
  const first = await create(service, {}, withKey('gone'))
  await remove(service, first.body.id)
  expect((await findByKey('gone')).body).toEqual([])
  const second = await create(service, {}, withKey('gone'))
  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.body.id)
})

test('a key is not an Idempotency-Key', async () => {
  const keyed = await create(service, {}, withKey('same text'))
  const repeatable = await create(service, { title: 'other' }, { headers: { 'Idempotency-Key': 'same text' } })
  expect(repeatable.status).toBe(201)
  expect(repeatable.body.id).not.toBe(keyed.body.id)
})

test('an annotation with a key can be changed by its id, and found by the key after that', async () => {
  const { body } = await create(service, {}, withKey('changed'))
  const after = await change(service, body.id, { endTime: '2100-01-01T00:00:00Z' })
  expect((await findByKey('changed')).body).toEqual([after.body])
})

test('who may not change annotations may not create with a key', async () => {
  const token = await tokenWith(service, ['annotations|create'])
  const { status, body } = await create(service, {}, { ...withKey('mine'), token })
  expect([status, body.message]).toEqual([403, expect.stringContaining('annotations|update')])
  expect((await findByKey('mine')).body).toEqual([])
})

test.each(['', ' blank first', 'blank last ', 'x'.repeat(129)])('a key that cannot be kept is refused: %j', async (key) => {
  const answer = await create(service, {}, withKey(key))
  // What sends the request takes blanks around a header away; then the key is good.
  if (key.trim() !== key) expect(answer.headers.get('annotation-key')).toBe(key.trim())
  else expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('Annotation-Key must be')])
})

test('a create whose span ends before it begins changes nothing', async () => {
  const first = await create(service, { title: 'good' }, withKey('span'))
  const wrong = await create(service, { time: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' }, withKey('span'))
  expect(wrong.status).toBe(422)
  expect((await get(service, first.body.id)).body).toEqual(first.body)
})

/** @returns a token that is limited to these datasets */
const limitedTo = (...names: string[]) =>
  tokenWith(service, {
    datasetCapabilities: Object.fromEntries(names.map((name) => [name, { query: ['read'] }])),
    orgCapabilities: { annotations: CRUD },
  })

const listOf = async (key: string, token = service.token) =>
  (await ask<Annotation[]>(service, 'GET', '/v2/annotations', { ...withKey(key), token })).body

test('no answer tells a token whether a key is that of annotations which it may not see', async () => {
  const token = await limitedTo('mine')
  const secret = await create(service, { datasets: ['theirs'], title: 'theirs' }, withKey('taken'))
  const answers = []
  for (const key of ['taken', 'free']) {
    const before = await listOf(key, token)
    const first = await create(service, { datasets: ['mine'], title: 'first' }, { ...withKey(key), token })
    const second = await create(service, { datasets: ['mine'], title: 'second' }, { ...withKey(key), token })
    const after = await listOf(key, token)
    const title = (first.body.id === second.body.id && after[0]?.id === first.body.id && after[0]?.title) || 'another'
    answers.push({ before, statuses: [first.status, second.status], after: after.length, title })
  }
  expect(answers[0]).toEqual({ before: [], statuses: [201, 200], after: 1, title: 'second' })
  expect(answers[1]).toEqual(answers[0])
  expect(await listOf('taken')).toEqual([secret.body])
})

test("tokens that see each other's annotations share their keys, whatever they are limited to", async () => {
  const [narrow, wide] = [await limitedTo('a'), await limitedTo('a', 'b')]
  const ids = []
  for (const token of [narrow, wide, service.token, narrow])
    ids.push((await create(service, { datasets: ['a'] }, { ...withKey('shared'), token })).body.id)
  expect(new Set(ids).size).toBe(1)
})

test('a key that was taken makes one annotation also when the creates come at the same moment', async () => {
  const token = await limitedTo('crowded')
  await create(service, { datasets: ['theirs'] }, withKey('crowded'))
  const part = (job: number) => ({ 'Annotation-Job': JSON.stringify({ run: '1', attempt: 1, job: `${job}` }) })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, job) =>
      create(service, { datasets: ['crowded'] }, { headers: { ...withKey('crowded').headers, ...part(job) }, token }),
    ),
  )
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201])
})

test('an annotation that was moved to datasets of others leaves its key behind', async () => {
  const token = await limitedTo('left')
  await create(service, { datasets: ['theirs'] }, withKey('moved'))
  const first = await create(service, { datasets: ['left'] }, { ...withKey('moved'), token })
  await change(service, first.body.id, { datasets: ['theirs'] })
  expect(await listOf('moved', token)).toEqual([])
  const second = await create(service, { datasets: ['left'] }, { ...withKey('moved'), token })
  expect([second.status, second.body.id === first.body.id]).toEqual([201, false])
  expect((await get(service, first.body.id)).body.datasets).toEqual(['theirs'])
})
