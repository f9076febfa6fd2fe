import { expect, test } from '@jest/globals'
import fastify from 'fastify'
import { REQUESTS_PER_TURN } from '../../runtime/src/concurrency/bounds.ts'
import { addTurnsOfRequests, createTurns } from '../src/http/turns-of-requests.ts'

test('a crowd is begun in order, some in each turn of the event loop, and the health does not wait for all of it', async () => {
  await using app = fastify()
  addTurnsOfRequests(app, createTurns(), () => '')
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

test('callers take turns, so that one with a crowd does not keep others waiting', async () => {
  await using app = fastify()
  addTurnsOfRequests(app, createTurns(), ({ headers }) => String(headers.from))
  const begun: unknown[] = []
  app.get('/list', async ({ headers }) => begun.push(headers.from))
  await app.ready()
  const ask = (from: string) => app.inject({ url: '/list', headers: { from } })
  await Promise.all([...Array.from({ length: 200 }, () => ask('crowd')), ask('other')])
  expect(begun).toHaveLength(201)
  expect(begun.indexOf('other')).toBeLessThan(2 * REQUESTS_PER_TURN.slots)
})

test('of a crowd without end, those beyond the bound are refused', async () => {
  const { slots, waitingMax } = REQUESTS_PER_TURN
  await using app = fastify()
  addTurnsOfRequests(app, createTurns(), () => '')
  app.get('/list', async () => 'listed')
  await app.ready()
  const answers = await Promise.all(Array.from({ length: slots + waitingMax + 5 }, () => app.inject('/list')))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(slots + waitingMax)
  expect(answers.at(-1)?.json()).toMatchObject({ message: expect.stringContaining('the service is busy') })
})

test('of a crowd with bodies all are begun before most bodies are read, and then some in each turn', async () => {
  await using app = fastify()
  addTurnsOfRequests(app, createTurns(), () => '')
  const seen: string[] = []
  app.get('/list', async () => seen.push('begun'))
  app.post('/events', async () => seen.push('read'))
  await app.ready()
  const asked = Array.from({ length: 200 }, (_, n) =>
    n % 2 === 0 ? app.inject({ method: 'POST', url: '/events', payload: {} }) : app.inject('/list'),
  )
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual(asked.map(() => 200))
  expect(seen.slice(0, seen.lastIndexOf('begun')).filter((what) => what === 'read').length).toBeLessThan(25)
  expect(seen).toHaveLength(200)
})
