/**
 * The client against the real service, as a program uses it.
 */
import { expect, test } from '@jest/globals'
import { clientForTests } from '../../../__tests__/support/client.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { AuthError, ConfigError, createClient, InvalidRequestError, NotFoundError } from '../src/index.ts'

const service = serviceForTests()
const client = clientForTests(service)

test('creates, gets, changes, lists and deletes', async () => {
  const created = await client.annotations.create({
    datasets: ['life'],
    type: 'deploy',
    time: '2026-01-31T12:00:00.000000001Z',
    title: 'v1',
  })
  expect(created).toEqual({
    id: expect.stringMatching(/^ann_/),
    datasets: ['life'],
    type: 'deploy',
    time: '2026-01-31T12:00:00.000000001Z',
    title: 'v1',
  })
  expect(await client.annotations.get(created.id)).toEqual(created)
  const changed = await client.annotations.change(created.id, { endTime: '2026-01-31T12:01:00Z' })
  expect(changed).toEqual({ ...created, endTime: '2026-01-31T12:01:00Z' })
  expect(await client.annotations.list({ datasets: ['life'] })).toEqual([changed])
  expect(await client.annotations.delete(created.id)).toBeUndefined()
  expect(await client.annotations.list({ datasets: ['life'] })).toEqual([])
})

test('who made an annotation, and when, is answered where all members are asked for', async () => {
  const include = 'all'
  const made = await client.annotations.create({ datasets: ['made'], type: 'deploy' }, { include })
  expect(made).toMatchObject({ createdAt: expect.any(String), createdBy: 'tok_operator' })
  expect(await client.annotations.get(made.id, { include })).toEqual(made)
  expect(await client.annotations.list({ datasets: ['made'] }, { include })).toEqual([made])
  expect(await client.annotations.get(made.id)).not.toHaveProperty('createdBy')
})

test('without a time it marks now, to the nanosecond', async () => {
  const before = Date.now()
  const { time } = await client.annotations.create({ datasets: ['now'], type: 'deploy' })
  expect(time).toMatch(/\.\d{7,9}Z$/)
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
})

test('lists the spans that touch an interval', async () => {
  const span = await client.annotations.create({
    datasets: ['spans'],
    type: 'outage',
    time: '2026-01-01T00:00:00Z',
    endTime: '2026-01-03T00:00:00Z',
  })
  const list = (start: string, end: string) => client.annotations.list({ start, end, datasets: ['spans', 'none'] })
  expect(await list('2026-01-02T00:00:00Z', '2026-01-02T03:00:00+02:00')).toEqual([span])
  expect(await list('2026-01-04T00:00:00Z', '2026-01-05T00:00:00Z')).toEqual([])
})

test('an id of any shape goes into the path as it is', async () => {
  await expect(client.annotations.get('../../healthz')).rejects.toBeInstanceOf(InvalidRequestError)
})

test('what the service refuses is an error that says what to do next by its class', async () => {
  await expect(client.annotations.get('ann_00000000000000000000000000')).rejects.toBeInstanceOf(NotFoundError)
  await expect(client.annotations.create({ datasets: [], type: 'deploy' })).rejects.toMatchObject({
    code: 'invalid-request',
    status: 422,
    method: 'POST',
    path: '/v2/annotations',
    traceId: expect.stringMatching(/./),
    attempts: 1,
    message: expect.stringMatching(/datasets/),
  })
  await using stranger = createClient({ token: 'wrong-token', baseUrl: service.url })
  await expect(stranger.annotations.list()).rejects.toBeInstanceOf(AuthError)
})

test('settings that cannot work are refused before anything is sent', () => {
  const make = (options: object) => () => createClient({ token: 't', ...options })
  expect(make({ token: '' })).toThrow(ConfigError)
  expect(make({ token: 'a b' })).toThrow(/U\+0020 at position 2/)
  expect(make({ baseUrl: 'http://example.com' })).toThrow(/allowHttp/)
  expect(make({ baseUrl: 'nonsense' })).toThrow(/"nonsense" is not an absolute URL/)
  expect(make({ timeoutMs: 0 })).toThrow(/timeoutMs/)
  expect(make({ baseUrl: 'http://example.com', allowHttp: true })).not.toThrow()
  expect(make({ baseUrl: 'http://[::1]:8787/' })).not.toThrow()
})
