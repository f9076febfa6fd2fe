/**
 * How streams are cut into requests, seen at the far end: bodies, headers, and what is handed back.
 */
import * as zlib from 'node:zlib'
import { expect, test } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { batchCsv, batchEvents, batchNdjson } from '../src/batches.ts'
import { ConfigError, createClient, IngestError, type Transport, type WireRequest } from '../src/index.ts'

const limits = { batchEventsMax: 3, batchCharsMax: 1_000, lingerMs: 50 }

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** A service that stores whatever comes, or answers with `status` for the request of that number. */
function startFake(failing: Record<number, number> = {}) {
  const requests: (Omit<WireRequest, 'body'> & { body: Buffer })[] = []
  const transport: Transport = {
    async send(request) {
      requests.push({ ...request, body: Buffer.from(request.body ?? '') })
      const status = failing[requests.length] ?? 200
      const result = { ingested: 1, failed: 0, failures: [], processedBytes: 10, blocksCreated: 0, walLength: 1 }
      return { status, headers: {}, text: JSON.stringify(status === 200 ? result : { code: status, message: 'no' }) }
    },
    async close() {},
  }
  const client = createClient({ token: 't', baseUrl: 'https://service.test', transport, timeoutMs: 1_000 })
  return { client, requests }
}

test('events go as lines, so many to a request, and the results are added up', async () => {
  const { client, requests } = startFake()
  const result = await client.ingest('logs', [{ a: 1 }, { a: 2n ** 64n }, { a: 'x\ny' }], {
    batchEventsMax: 2,
    compression: 'none',
  })
  expect(requests.map(({ method, url, body }) => [method, url.pathname, body.toString()])).toEqual([
    ['POST', '/v1/datasets/logs/ingest', '{"a":1}\n{"a":18446744073709551616}\n'],
    ['POST', '/v1/datasets/logs/ingest', '{"a":"x\\ny"}\n'],
  ])
  expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'idempotency-key': expect.any(String) })
  expect(result).toMatchObject({ ingested: 2, failed: 0, processedBytes: 20 })
})

test('options become parameters and headers', async () => {
  const { client, requests } = startFake()
  const options = { timestampField: 'at', timestampFormat: '2006-01-02', csvDelimiter: ';', labels: { env: 'prod é' } }
  await client.ingestCsv('a b', ['at;x\n2026-01-01;1\n'], options)
  expect(requests[0]?.url.href).toBe(
    'https://service.test/v1/datasets/a%20b/ingest?timestamp-field=at&timestamp-format=2006-01-02&csv-delimiter=%3B',
  )
  expect(requests[0]?.headers).toMatchObject({ 'content-type': 'text/csv', 'x-axiom-event-labels': '{"env":"prod \\u00e9"}' })
})

test.each([
  ['gzip', zlib.gunzipSync],
  ['zstd', zlib.zstdDecompressSync],
] as const)('a large batch is compressed with %s', async (compression, unzip) => {
  const { client, requests } = startFake()
  const events = Array.from({ length: 200 }, (_, index) => ({ index }))
  const ingesting = client.ingest('logs', events, { compression })
  // Node 20 lacks zstd.
  if (unzip === undefined) return expect(ingesting).rejects.toThrow(/zstd needs Node 22/)
  await ingesting
  expect(requests[0]?.headers['content-encoding']).toBe(compression)
  expect(unzip(requests[0]?.body ?? Buffer.alloc(0)).toString()).toBe(
    events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  )
})

test('a batch that cannot be delivered is handed back, and what comes after it is not read', async () => {
  const { client, requests } = startFake({ 2: 413 })
  let read = 0
  async function* events() {
    for (; read < 100; read++) yield { n: read }
  }
  const failure = await client
    .ingest('logs', events(), { batchEventsMax: 2, compression: 'none' })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(IngestError)
  expect(failure).toMatchObject({
    result: { ingested: 1 },
    failedBatch: { body: '{"n":2}\n{"n":3}\n', count: 2, idempotencyKey: requests[1]?.headers['idempotency-key'] },
    cause: { code: 'invalid-request', status: 413 },
    message: expect.stringMatching(/^2 events were not stored, 1 were stored before: .*413/),
  })
  expect(read).toBeLessThan(8)
})

test('a batch whose answer is lost is sent again, the same bytes under the same key', async () => {
  const { client, requests } = startFake({ 1: 502 })
  await client.ingest('logs', [{ a: 1 }])
  expect(requests).toHaveLength(2)
  expect(requests[0]?.body).toEqual(requests[1]?.body)
  expect(requests[0]?.headers).toEqual(requests[1]?.headers)
})

test('events that the service refuses are in the result', async () => {
  const failures = [{ timestamp: '2026-01-01T00:00:00Z', error: 'event 1: too deep' }]
  const transport: Transport = {
    send: async () => ({ status: 200, headers: {}, text: JSON.stringify({ ingested: 1, failed: 1, failures }) }),
    async close() {},
  }
  const client = createClient({ token: 't', baseUrl: 'https://service.test', transport })
  expect(await client.ingest('logs', [{ a: 1 }, { a: 2 }])).toMatchObject({ ingested: 1, failed: 1, failures })
})

test.each([[[1]], ['text'], [null], [{ a: () => 1, b: Symbol('x') }]])('%p is no event', async (event) => {
  const { client } = startFake()
  const ingesting = client.ingest('logs', [{ fine: true }, event as object], { batchEventsMax: 1, compression: 'none' })
  if (event !== null && typeof event === 'object' && !Array.isArray(event)) expect(await ingesting).toMatchObject({ ingested: 2 })
  else await expect(ingesting).rejects.toThrow(ConfigError)
})

test('a slow stream does not keep events waiting', async () => {
  async function* events() {
    yield { n: 1 }
    await new Promise((resolve) => setTimeout(resolve, 300))
    yield { n: 2 }
  }
  expect((await collect(batchEvents(events(), limits))).map(({ body }) => body)).toEqual(['{"n":1}\n', '{"n":2}\n'])
})

test('a line of a slow stream is complete with its line break', async () => {
  async function* text() {
    yield '{"n":1}\n'
    await new Promise((resolve) => setTimeout(resolve, 300))
    yield '{"n":2}'
  }
  const batches = await collect(batchNdjson(text(), limits))
  expect(batches.map(({ body }) => body)).toEqual(['{"n":1}\n', '{"n":2}\n'])
})

test('NDJSON is cut at line ends wherever the chunks end', async () => {
  const events = fc.array(fc.record({ s: fc.string({ unit: 'binary' }), n: fc.integer() }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(events, fc.integer({ min: 1, max: 7 }), async (list, size) => {
      const bytes = Buffer.from(list.map((event) => JSON.stringify(event)).join('\n'))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
      const batches = await collect(batchNdjson(chunks, limits))
      expect(
        batches.flatMap(({ body }) =>
          body
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ),
      ).toEqual(list)
      expect(batches.every(({ count }) => count <= 3)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('CSV is cut between records, quoted line breaks kept, and each batch has the header row', async () => {
  // A search that takes all ways through a quoted text takes forever for a few dozen characters.
  const long = 'x'.repeat(100)
  const text = `name,"a ""b"""\r\n1,"${long}\ny"\r\n2,"q""q"\r\n\r\n3,z\r\n4,last`
  expect(await collect(batchCsv([text.slice(0, 20), text.slice(20)], ',', limits))).toEqual([
    { contentType: 'text/csv', count: 3, body: `name,"a ""b"""\r\n1,"${long}\ny"\r\n2,"q""q"\r\n3,z\r\n` },
    { contentType: 'text/csv', count: 1, body: 'name,"a ""b"""\r\n4,last' },
  ])
})

test('however CSV is cut, the parser of the service finds the rows that were sent', async () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom('', '"', '""', ';', '\n', '\r\n', ' ', 'é🚀', '\uFEFFx', '-]'),
  )
  const table = fc.integer({ min: 1, max: 3 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  const form = fc.record({ end: fc.constantFrom('\n', '\r\n'), size: fc.integer({ min: 1, max: 9 }), isQuoted: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(table, form, async (rows, { end, size, isQuoted }) => {
      const write = (text: string) => (isQuoted || /[";\r\n]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
      const head = Array.from(rows[0] ?? ['a'], (_, index) => `c${index}`)
      const bytes = Buffer.from([head, ...rows].map((row) => row.map(write).join(';')).join(end))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
      const batches = await collect(batchCsv(chunks, ';', limits))
      const read = batches.flatMap(({ body }) => parse(body, { delimiter: ';' }).slice(1))
      expect(read).toEqual(rows)
      expect(batches.every(({ count }) => count <= 3)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['a quote inside of a cell', 'a,b\n1,5" pipe\n2,6" pipe\n'],
  ['text after a quote', 'a,b\n1,"x"y\n'],
  ['a quote without an end', 'a,b\n1,"2\n'],
  ['lines that end with a carriage return alone', 'a,b\r1,2\r'],
])('CSV with %s is refused before it is sent', async (_, text) => {
  const { client, requests } = startFake()
  await expect(client.ingestCsv('logs', [text])).rejects.toMatchObject({
    code: 'config',
    message: expect.stringMatching(/^the CSV cannot be read: /),
  })
  expect(requests).toEqual([])
})

test('an empty stream sends nothing', async () => {
  const { client, requests } = startFake()
  for (const result of [
    await client.ingest('logs', []),
    await client.ingestNdjson('logs', ['\n']),
    await client.ingestCsv('logs', []),
  ]) {
    expect(result).toMatchObject({ ingested: 0, failed: 0 })
  }
  expect(requests).toEqual([])
})
