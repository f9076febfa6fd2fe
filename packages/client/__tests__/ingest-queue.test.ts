/**
 * Events that are handed over without waiting: when they go out, and that whatever is not stored is reported.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import {
  type ClientError,
  createClient,
  createIngestQueue,
  IngestError,
  type IngestQueueOptions,
  type WireRequest,
} from '../src/index.ts'

/** A service that answers each request with a status and, if it stores, how many events it refuses. */
function startFake(
  answer: (body: string) => { status?: number; failed?: number } = () => ({}),
  options: IngestQueueOptions = {},
) {
  const requests: { path: string; body: string }[] = []
  const reported: ClientError[] = []
  const send = async ({ url, body }: WireRequest) => {
    const text = Buffer.from(body ?? '').toString()
    requests.push({ path: url.pathname, body: text })
    const { status = 200, failed = 0 } = answer(text)
    const failures = failed > 0 ? [{ timestamp: '2026-01-01T00:00:00Z', error: 'too deep' }] : []
    const said = status === 200 ? { ingested: text.split('\n').length - 1 - failed, failed, failures } : { message: 'no' }
    return { status, headers: {}, text: JSON.stringify(said) }
  }
  const client = createClient({ token: 'xaat-test', baseUrl: 'https://service.test', transport: { send, close: async () => {} } })
  const onError = (error: ClientError) => void reported.push(error)
  const queue = createIngestQueue(client, { compression: 'none', onError, ...options })
  return { queue, requests, reported, bodies: () => requests.map(({ body }) => body) }
}

test('what was added goes out at once with a flush, which waits until it is stored', async () => {
  const { queue, requests, reported } = startFake()
  const event = { n: 1 }
  queue.add('web', event)
  event.n = 2
  queue.add('web', [{ n: 3 }, { n: 4 }])
  queue.add('api', { n: 5 })
  expect(requests).toEqual([])
  await queue.flush()
  expect(requests).toEqual([
    { path: '/v1/datasets/web/ingest', body: '{"n":1}\n{"n":3}\n{"n":4}\n' },
    { path: '/v1/datasets/api/ingest', body: '{"n":5}\n' },
  ])
  await queue.flush()
  expect([requests.length, reported]).toEqual([2, []])
})

test('a batch goes out by itself when it has its events, its characters or its age', async () => {
  const { queue, bodies } = startFake(undefined, { batchEventsMax: 2, batchCharsMax: 30, lingerMs: 100 })
  queue.add('web', [{ n: 1 }, { n: 2 }, { n: 3 }])
  await sleep(20)
  expect(bodies()).toEqual(['{"n":1}\n{"n":2}\n'])
  queue.add('web', { text: 'x'.repeat(20) })
  await sleep(20)
  expect(bodies()).toHaveLength(2)
  await sleep(200)
  expect(bodies().slice(1)).toEqual(['{"n":3}\n', `{"text":"${'x'.repeat(20)}"}\n`])
})

test('the end of a block that uses it waits, too', async () => {
  const { queue, bodies } = startFake()
  {
    await using logs = queue
    logs.add('web', { n: 1 })
  }
  expect(bodies()).toEqual(['{"n":1}\n'])
})

test('a batch that is not delivered is reported whole, and later ones are sent', async () => {
  const { queue, reported, bodies } = startFake((body) => ({ status: body.includes('bad') ? 403 : 200 }), { batchEventsMax: 1 })
  queue.add('web', [{ bad: 1 }, { good: 1 }])
  await queue.flush()
  expect(bodies()).toEqual(['{"bad":1}\n', '{"good":1}\n'])
  expect(reported).toEqual([expect.any(IngestError)])
  expect(reported[0]).toMatchObject({ code: 'auth', failedBatch: { body: '{"bad":1}\n', count: 1 } })
})

test('what is no event, what the service refuses and what there is no room for are reported', async () => {
  const { queue, reported, bodies } = startFake((body) => ({ failed: body.includes('deep') ? 1 : 0 }), { waitingCharsMax: 30 })
  const circular: { self?: object } = {}
  circular.self = circular
  queue.add('web', [circular, 'text' as unknown as object, { deep: 1 }, { text: 'x'.repeat(30) }, { n: 1 }])
  await queue.flush()
  expect(bodies()).toEqual(['{"deep":1}\n{"n":1}\n'])
  expect(reported.map(({ code, message }) => [code, message])).toEqual([
    ['config', expect.stringMatching(/^an event cannot be written as JSON: /)],
    ['config', 'an event is not an object'],
    ['config', '1 events were not stored, 0 were stored before: 11 characters of events for "web" wait, and 30 may'],
    ['invalid-request', '1 of 2 events for "web" were refused: too deep'],
  ])
  expect(reported[2]).toMatchObject({ failedBatch: { count: 1, body: `{"text":"${'x'.repeat(30)}"}\n` } })
  queue.add('web', { text: 'x'.repeat(10) })
  await queue.flush()
  expect([bodies().length, reported.length]).toEqual([2, 4])
})

test('what throws in onError stops nothing', async () => {
  const onError = () => {
    throw new Error('the reporter is broken')
  }
  const { queue, bodies } = startFake((body) => ({ status: body.includes('bad') ? 403 : 200 }), { batchEventsMax: 1, onError })
  const shown: unknown[] = []
  const write = console.error
  console.error = (line: unknown) => void shown.push(line)
  try {
    queue.add('web', ['text' as unknown as object, { bad: 1 }, { good: 1 }])
    await queue.flush()
  } finally {
    console.error = write
  }
  expect(bodies()).toEqual(['{"bad":1}\n', '{"good":1}\n'])
  expect(shown.map(String)).toEqual(Array(2).fill('Error: the reporter is broken'))
})
