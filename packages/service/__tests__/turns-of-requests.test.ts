import { expect, test } from '@jest/globals'
import fastify from 'fastify'
import { REQUESTS_PER_TURN } from '../../runtime/src/concurrency/bounds.ts'
import { Gate } from '../../runtime/src/concurrency/gate.ts'
import { addTurnsOfRequests } from '../src/http/turns-of-requests.ts'

test('a crowd is begun in order, some in each turn of the event loop, and the health does not wait for all of it', async () => {
  await using app = fastify()
  addTurnsOfRequests(app, new Gate(REQUESTS_PER_TURN))
  const begun: string[] = []
  app.get('/healthz', async () => begun.push('health'))
  app.get('/list/:n', async ({ params }) => begun.push((params as { n: string }).n))
  await app.ready()
  const names = Array.from({ length: 200 }, (_, n) => String(n))
  const answers = [...names.map((n) => app.inject(`/list/${n}`)), app.inject('/healthz')]
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(begun.filter((name) => name !== 'health')).toEqual(names)
  expect(begun.indexOf('health')).toBeLessThan(100)
  // It begins at once where nobody waits.
  expect((await app.inject('/list/last')).statusCode).toBe(200)
})

test('of a crowd without end, those beyond the bound are refused', async () => {
  const { slots, waitingMax } = REQUESTS_PER_TURN
  await using app = fastify()
  addTurnsOfRequests(app, new Gate(REQUESTS_PER_TURN))
  app.get('/list', async () => 'listed')
  await app.ready()
  const answers = await Promise.all(Array.from({ length: slots + waitingMax + 5 }, () => app.inject('/list')))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(slots + waitingMax)
  expect(answers.at(-1)?.json()).toMatchObject({ message: expect.stringContaining('the service is busy') })
})
