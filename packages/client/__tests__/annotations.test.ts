/**
 * The client against the real service, as a program uses it.
 */
import { expect, test } from '@jest/globals'
import { clientForTests } from '../../../__tests__/support/client.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { AuthError, ConfigError, createClient, InvalidRequestError, NotFoundError } from '../src/index.ts'

const service = serviceForTests()
const client = clientForTests(service)

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
