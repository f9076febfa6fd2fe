import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { runServiceCommand } from '../../../__tests__/support/service.ts'
import { change, create, list, remove } from './http.ts'
import { startWithoutStore } from './in-process.ts'

const service = serviceForTests()

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
const countOf = async (dataset: string) => (await list(service, `?datasets=${dataset}`)).body.length

test('a repeat with the same key and content answers the first annotation, stored once', async () => {
  const first = await create(service, { datasets: ['repeat'] }, withKey('deploy-1'))
  const second = await create(service, { datasets: ['repeat'] }, withKey('deploy-1'))
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(await countOf('repeat')).toBe(1)
})

test('the same content in other words is the same content', async () => {
  const first = await create(service, { time: '2026-01-01T00:00:00Z', title: null, datasets: ['words'] }, withKey('words'))
  const second = await create(service, { time: '2026-01-01T01:00:00+01:00', datasets: ['words ', 'words'] }, withKey('words'))
  expect(second).toMatchObject({ status: 201, body: { id: first.body.id } })
})

test('the same key with other content is refused: 422', async () => {
  await create(service, { title: 'one', datasets: ['other'] }, withKey('other'))
  const { status, body } = await create(service, { title: 'two', datasets: ['other'] }, withKey('other'))
  expect(status).toBe(422)
  expect(body.message).toContain('Idempotency-Key "other"')
  expect(await countOf('other')).toBe(1)
})

test('without a key, or with other keys, equal creates are stored each', async () => {
  await create(service, { datasets: ['each'] })
  await create(service, { datasets: ['each'] })
  await create(service, { datasets: ['each'] }, withKey('each-1'))
  await create(service, { datasets: ['each'] }, withKey('each-2'))
  expect(await countOf('each')).toBe(4)
})

test('repeats that arrive at the same moment are stored once and all told the same', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(service, { datasets: ['burst'] }, withKey('burst'))))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(await countOf('burst')).toBe(1)
})

test('other content that arrives at the same moment is refused', async () => {
  const titles = ['one', 'two']
  const answers = await Promise.all(titles.map((title) => create(service, { title, datasets: ['mixed'] }, withKey('mixed'))))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  expect(await countOf('mixed')).toBe(1)
})

test('a repeat answers the annotation as it is now, and a key is forgotten with its annotation', async () => {
  const first = await create(service, {}, withKey('changed'))
  await change(service, first.body.id, { title: 'later' })
  expect((await create(service, {}, withKey('changed'))).body).toEqual({ ...first.body, title: 'later' })
  await remove(service, first.body.id)
  const again = await create(service, {}, withKey('changed'))
  expect(again.status).toBe(201)
  expect(again.body.id).not.toBe(first.body.id)
})

test('the key of another token is another key', async () => {
  const { stdout } = await runServiceCommand(['token', 'create', '--permission', 'annotations|create', '--data', service.dataDir])
  const mine = await create(service, {}, withKey('shared'))
  const theirs = await create(service, {}, { ...withKey('shared'), token: stdout.trim() })
  expect(theirs.status).toBe(201)
  expect(theirs.body.id).not.toBe(mine.body.id)
})

test('a refused create does not use up its key', async () => {
  expect((await create(service, { type: 'Wrong' }, withKey('mended'))).status).toBe(422)
  expect((await create(service, {}, withKey('mended'))).status).toBe(201)
})

test.each(['', ' ', 'x'.repeat(256), 'ünsichtbar'])('the key %j is malformed: 400', async (key) => {
  const { status, body } = await create(service, {}, withKey(key))
  expect(status).toBe(400)
  expect(body.message).toContain('Idempotency-Key must be 1 to 255 visible ASCII characters')
})

test('a key is remembered for 24 hours', async () => {
  let now = Date.UTC(2026, 0, 1)
  await using server = await startWithoutStore({ clock: () => now })
  const first = await create(server, {}, withKey('day'))
  now += 24 * 60 * 60 * 1_000
  expect((await create(server, {}, withKey('day'))).body.id).toBe(first.body.id)
  now += 1
  expect((await create(server, {}, withKey('day'))).body.id).not.toBe(first.body.id)
})
