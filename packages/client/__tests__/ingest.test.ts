/**
 * Ingest where the service is silent, the caller gives up, or what is sent is wrong: a loopback service that says what each test wants.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from '@jest/globals'
import { listen } from '../../../__tests__/support/listen.ts'
import { ClientError, ConfigError, createClient, IngestError } from '../src/index.ts'

const STORED = JSON.stringify({ ingested: 1, failed: 0, failures: [] })

interface Sent {
  method: string
  url: string
  key: unknown
}

async function startScripted(answer: (response: ServerResponse, tries: number) => void) {
  const sent: Sent[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request
    sent.push({ method, url, key: headers['idempotency-key'] })
    const tries = sent.length
    request.resume().once('end', () => answer(response.setHeader('content-type', 'application/json'), tries))
  })
  const listening = await listen(server)
  const client = createClient({ token: 'xaat-test', baseUrl: listening.url })
  const end = async () => {
    await client.close()
    await listening[Symbol.asyncDispose]()
  }
  return { client, sent, [Symbol.asyncDispose]: end }
}

test('a batch whose answer does not come is sent again under its key, within the budget', async () => {
  await using service = await startScripted((response, tries) => (tries > 1 ? response.end(STORED) : undefined))
  expect(await service.client.ingest('web', [{ a: 1 }], { timeoutMs: 6_000 })).toMatchObject({ ingested: 1 })
  expect(service.sent).toHaveLength(2)
  expect(new Set(service.sent.map(({ key }) => key)).size).toBe(1)
})

test('the error of a batch that was not delivered is one of the client’s, with the code and details of its cause', async () => {
  await using service = await startScripted((response) =>
    response.writeHead(403, { 'x-axiom-trace-id': 'abc' }).end('{"code":403,"message":"no"}'),
  )
  const error = await service.client.ingest('web', [{ a: 1 }]).catch((thrown: unknown) => thrown as IngestError)
  expect(error).toBeInstanceOf(IngestError)
  expect(error).toBeInstanceOf(ClientError)
  expect(error).toMatchObject({
    name: 'IngestError',
    code: 'auth',
    status: 403,
    traceId: 'abc',
    attempts: 1,
    failedBatch: { count: 1 },
    cause: { code: 'auth' },
  })
})

/** Events without end, and whether their generator was closed. */
function endless() {
  const state = { read: 0, isClosed: false }
  async function* generate() {
    try {
      for (;;) yield { n: state.read++ }
    } finally {
      state.isClosed = true
    }
  }
  return { state, events: generate() }
}

test('who aborts is told at once, and the generator is closed by then', async () => {
  await using service = await startScripted(() => undefined)
  const { state, events } = endless()
  const abort = new AbortController()
  const ingesting = service.client.ingest('web', events, { signal: abort.signal, batchEventsMax: 10 })
  ingesting.catch(() => undefined)
  while (service.sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  abort.abort(new Error('enough'))
  await expect(ingesting).rejects.toThrow('enough')
  expect(state.isClosed).toBe(true)
  expect(state.read).toBeLessThan(20)
})

test('a source that is stuck does not keep who aborts', async () => {
  await using service = await startScripted(() => undefined)
  let isClosed = false
  const stuck: AsyncIterable<object> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => {
        isClosed = true
        return { done: true, value: undefined }
      },
    }),
  }
  const abort = new AbortController()
  const ingesting = service.client.ingest('web', stuck, { signal: abort.signal, lingerMs: 600_000 })
  abort.abort(new Error('enough'))
  await expect(ingesting).rejects.toThrow('enough')
  expect([isClosed, service.sent]).toEqual([true, []])
})

test('a failure closes the generator, too', async () => {
  await using service = await startScripted((response) => response.writeHead(422).end('{"code":422,"message":"no"}'))
  const { state, events } = endless()
  await expect(service.client.ingest('web', events, { batchEventsMax: 10 })).rejects.toMatchObject({ code: 'invalid-request' })
  expect(state.isClosed).toBe(true)
})

test('no id and no name leads to another path', async () => {
  await using service = await startScripted((response) => response.end(STORED))
  const { client } = service
  for (const name of ['..', '.', '']) {
    const calls = [
      () => client.annotations.delete(name),
      () => client.annotations.get(name),
      () => client.annotations.change(name, { title: 'x' }),
      () => client.datasets.delete(name),
      () => client.datasets.trim(name, '1d'),
      () => client.datasets.fields(name),
      () => client.monitors.delete(name),
      () => client.ingest(name, [{ a: 1 }]),
      () => client.queryLegacy(name, {} as never),
    ]
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown as ClientError)
      expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('must not be empty, "." or ".."') })
      if (!(error instanceof IngestError)) expect(error).toBeInstanceOf(ConfigError)
    }
  }
  expect(service.sent).toEqual([])
  for (const name of ['../x', '%2e%2e', 'a/b', '?x', '#y', '..;', '\ud800'])
    await client.annotations.delete(name).catch((error) => expect(error).toHaveProperty('code'))
  expect(service.sent.map(({ url }) => url.replace(/^\/v2\/annotations\/[^/?#]+$/, 'one'))).toEqual(Array(7).fill('one'))
})
