/**
 * Rate limits: per token, and per address for tokens that are not known.
 */
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { runServiceCommand, startService } from '../../../__tests__/support/service.ts'
import { ServiceError } from '../../runtime/src/errors.ts'
import { type Answer, ask, tokenWith } from './http.ts'

const WRONG_TOKENS_MAX = 60

const service = serviceForTests({ args: ['--requests-per-minute-max', '5'] })

test('a token that asks too often is told when to ask again, and others are not held up', async () => {
  const other = await tokenWith(service, ['annotations|read'])
  const answers: Answer[] = []
  for (let i = 0; i < 7; i++) answers.push(await ask(service, 'GET', '/v2/annotations', { token: other }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
  const [first, last] = [answers[0], answers[6]]
  expect([1, 6].map((i) => answers[i - 1]?.headers.get('x-ratelimit-remaining'))).toEqual(['4', '0'])
  expect(first?.headers.get('x-ratelimit-limit')).toBe('5')
  expect(first?.headers.get('x-ratelimit-scope')).toBe('token')
  const resetS = Number(last?.headers.get('x-ratelimit-reset')) - Date.now() / 1_000
  expect(resetS).toBeGreaterThan(0)
  expect(resetS).toBeLessThanOrEqual(61)
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(last?.body).toEqual({ code: 429, message: expect.stringContaining('rate limit exceeded') })
  expect((await ask(service, 'GET', '/v2/annotations')).status).toBe(200)
})

test('on loopback there is no limit unless it is asked for', async () => {
  await using free = await startService()
  const { status, headers } = await ask(free, 'GET', '/v2/annotations')
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null])
})

test('who is wrong about the token again and again is slowed, and who is right is not', async () => {
  await using guessed = await startService()
  const statuses: number[] = []
  for (let i = 0; i < WRONG_TOKENS_MAX + 2; i++)
    statuses.push((await ask(guessed, 'GET', '/v2/annotations', { token: `xapt-wrong-${i}` })).status)
  expect(statuses).toEqual([...Array(WRONG_TOKENS_MAX).fill(401), 429, 429])
  const { headers } = await ask(guessed, 'GET', '/v2/annotations', { token: 'xapt-wrong' })
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await ask(guessed, 'GET', '/v2/annotations')).status).toBe(200)
})

test.each(['a', 'password', 'xapt-1', 'xapt-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1212121212121212121212'])(
  'the operator’s token %j is refused at the start, and not shown',
  async (token) => {
    const { exitCode, stderr } = await runServiceCommand(['--port', '0'], { ANNOTATION_SERVICE_TOKEN: token })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('the token is easy to guess') })
    if (token.length > 1) expect(stderr).not.toContain(token)
  },
)

test.each(['rate_limited', 'overloaded', 'unavailable', 'storage_full'] as const)('%s says when to try again', (code) => {
  expect(Number(new ServiceError(code, 'x').headers['retry-after'])).toBeGreaterThan(0)
})
