/**
 * A caller that is refused and does not wait: each refusal comes later than the one before, and other callers notice nothing.
 */
import { expect, test } from '@jest/globals'
import { startService } from '../../../__tests__/support/service.ts'
import { type Client, createClient } from '../../../bench/support/client.ts'
import { createRefusals } from '../src/http/refusals.ts'
import { tokenWith } from './http.ts'

test('refusals of a caller that does not wait as it is told come later each time, and others are answered at once', async () => {
  await using service = await startService({ args: ['--requests-per-minute-max', '3'] })
  const [greedy, patient] = [await tokenWith(service, ['query|read']), await tokenWith(service, ['query|read'])]
  // Each on one connection, which `fetch` does not promise.
  const clients = new Map([greedy, patient].map((token) => [token, createClient({ url: service.url, token }, 1)]))
  const msOf = async (token: string) => await (clients.get(token) as Client).get('/v2/user')
  for (let i = 0; i < 3; i++) expect((await msOf(greedy)).status).toBe(200)
  const refused: number[] = []
  for (let i = 0; i < 7; i++) {
    const { status, ms } = await msOf(greedy)
    expect(status).toBe(429)
    refused.push(ms)
  }
  expect(refused[0]).toBeLessThan(350)
  expect(refused[4]).toBeGreaterThan(390)
  expect(refused[6]).toBeGreaterThan(590)
  for (const ms of refused) expect(ms).toBeLessThan(1_500)
  expect(await msOf(patient)).toMatchObject({ status: 200, ms: expect.any(Number) })
  expect((await msOf(patient)).ms).toBeLessThan(400)
  for (const client of clients.values()) client.close()
}, 60_000)

/** @returns a request that came so long ago on a connection */
function requestOf(socket: object, msAgo = 0) {
  return { ip: '127.0.0.1', arrivedMs: performance.now() - msAgo, raw: { socket } } as Parameters<
    ReturnType<typeof createRefusals>
  >[0]
}

test('a request that waited before it was refused is not held back past a second', () => {
  const refuse = createRefusals()
  const socket = {}
  refuse(requestOf(socket, 2_000), 10)
  for (let i = 0; i < 8; i++) refuse(requestOf(socket), 10)
  const [fresh, waited, late] = [0, 600, 1_500].map((ms) => refuse(requestOf(socket, -5 + ms), 10))
  expect([fresh, waited !== undefined && waited > 0 && waited <= 60, late]).toEqual([600, true, 0])
})

test('a connection that waits as it is told is not blamed for others of its caller, and one after the other does not help', async () => {
  const refuse = createRefusals()
  const [hasty, patient] = [{}, {}]
  expect([refuse(requestOf(hasty), 0.6), refuse(requestOf(patient), 0.6)]).toEqual([0, 0])
  await new Promise((resolve) => setTimeout(resolve, 550))
  expect([refuse(requestOf(hasty), 0.6), refuse(requestOf(hasty), 0.6)]).toEqual([50, 100])
  // Each on a connection of its own.
  const fresh = [{}, {}, {}].map((socket) => refuse(requestOf(socket), 0.6))
  expect(fresh).toEqual([200, 400, 600])
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(refuse(requestOf(patient), 0.6)).toBe(0)
})
