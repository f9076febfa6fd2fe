/**
 * A caller that is refused and does not wait: each refusal comes later than the one before, and other callers notice nothing.
 */
import { expect, test } from '@jest/globals'
import { startService } from '../../../__tests__/support/service.ts'
import { createRefusals } from '../src/http/refusals.ts'
import { ask, tokenWith } from './http.ts'

test('refusals of a caller that does not wait as it is told come later each time, and others are answered at once', async () => {
  await using service = await startService({ args: ['--requests-per-minute-max', '3'] })
  const [greedy, patient] = [await tokenWith(service, ['query|read']), await tokenWith(service, ['query|read'])]
  const msOf = async (token: string) => {
    const startedMs = performance.now()
    const { status } = await ask(service, 'GET', '/v2/user', { token })
    return { status, ms: performance.now() - startedMs }
  }
  for (let i = 0; i < 3; i++) expect((await msOf(greedy)).status).toBe(200)
  const refused: number[] = []
  for (let i = 0; i < 7; i++) {
    const { status, ms } = await msOf(greedy)
    expect(status).toBe(429)
    refused.push(ms)
  }
  expect(refused[0]).toBeLessThan(350)
  expect(refused[4]).toBeGreaterThan(390)
  expect(refused[6]).toBeGreaterThan(690)
  for (const ms of refused) expect(ms).toBeLessThan(1_500)
  expect(await msOf(patient)).toMatchObject({ status: 200, ms: expect.any(Number) })
  expect((await msOf(patient)).ms).toBeLessThan(400)
}, 60_000)

test('a request that waited before it was refused is not held back past a second', () => {
  const refuse = createRefusals()
  const arrived = (msAgo: number) => ({ ip: '127.0.0.1', arrivedMs: performance.now() - msAgo }) as Parameters<typeof refuse>[0]
  refuse(arrived(2_000), 10)
  for (let i = 0; i < 8; i++) refuse(arrived(0), 10)
  const [fresh, waited, late] = [0, 850, 1_500].map((ms) => refuse(arrived(ms), 10))
  expect([fresh, waited !== undefined && waited > 0 && waited <= 50, late]).toEqual([700, true, 0])
})
