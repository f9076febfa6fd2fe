import { connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { Response, RetryInfo, Status } from '../../../edge/src/otlp/messages.ts'
import { countEvents } from '../query/ask.ts'
import { RECORDED } from './recorded.ts'

const service = serviceForTests()

const METHODS = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
}

interface Answer {
  httpStatus: unknown
  /** The headers, and those after the message. */
  headers: Record<string, unknown>
  trailers?: Record<string, unknown>
  bytes: Buffer
}

interface Call {
  path?: string
  message: Buffer
  headers?: Record<string, string>
  to?: Pick<RunningService, 'url' | 'token'>
  isCompressed?: boolean
  prefix?: Buffer
}

/** One call over a connection of its own. */
function call({ path = METHODS.logs, message, headers, to = service, isCompressed, prefix }: Call): Promise<Answer> {
  const first = Buffer.alloc(5)
  first.writeUInt8(isCompressed ? 1 : 0)
  first.writeUInt32BE(message.length, 1)
  return new Promise((resolve, reject) => {
    const session = connect(to.url).on('error', reject)
    const sent = {
      authorization: `Bearer ${to.token}`,
      'x-axiom-dataset': 'grpc',
      te: 'trailers',
      'content-type': 'application/grpc',
    }
    const stream = session.request({ ':method': 'POST', ':path': path, ...sent, ...headers })
    const answer: Answer = { httpStatus: undefined, headers: {}, bytes: Buffer.alloc(0) }
    const take = (more: object) => Object.assign(answer.headers, more)
    stream.on('response', (more) => {
      answer.httpStatus = more[':status']
      take(more)
    })
    stream.on('trailers', (more) => {
      answer.trailers = more
      take(more)
    })
    stream.on('data', (bytes: Buffer) => {
      answer.bytes = Buffer.concat([answer.bytes, bytes])
    })
    stream.on('error', reject).on('end', () => {
      session.close()
      resolve(answer)
    })
    stream.end(Buffer.concat([prefix ?? first, message]))
  })
}

const statusOf = ({ headers }: Answer) => [headers['grpc-status'], decodeURIComponent(String(headers['grpc-message'] ?? ''))]
test.each(Object.keys(METHODS) as (keyof typeof METHODS)[])('%s are taken over gRPC on the same port', async (signal) => {
  const answer = await call({ path: METHODS[signal], message: RECORDED[signal], headers: { 'x-axiom-dataset': signal } })
  expect([answer.httpStatus, answer.headers['content-type'], answer.headers['grpc-status']]).toEqual([
    200,
    'application/grpc',
    '0',
  ])
  // No message is one of no bytes, after a prefix.
  expect(answer.bytes).toEqual(Buffer.alloc(5))
  expect(await countEvents(service, signal)).toBeGreaterThan(0)
})

test('a compressed message is read, and many calls of one connection at once', async () => {
  const gzip = { 'grpc-encoding': 'gzip', 'x-axiom-dataset': 'zipped' }
  const answer = await call({ message: gzipSync(RECORDED.logs), isCompressed: true, headers: gzip })
  expect(statusOf(answer)).toEqual(['0', ''])
  expect(await countEvents(service, 'zipped')).toBe(1)
  const several = await Promise.all(
    Array.from({ length: 40 }, () => call({ message: RECORDED.logs, headers: { 'x-axiom-dataset': 'many' } })),
  )
  expect(several.map((one) => statusOf(one)[0])).toEqual(Array.from({ length: 40 }, () => '0'))
  expect(await countEvents(service, 'many')).toBe(40)
})

test('millions of empty messages that a few bytes hold are refused by their number', async () => {
  const message = gzipSync(Buffer.alloc(16_000_000, Buffer.from([0x0a, 0])))
  const answer = await call({ message, isCompressed: true, headers: { 'grpc-encoding': 'gzip' } })
  expect(statusOf(answer)).toEqual(['8', expect.stringMatching(/^\d+ compressed bytes hold over \d+ messages; /)])
})

test.each([
  ['an error', { headers: { authorization: '' } }, '16'],
  ['an unknown method', { path: '/grpc.health.v1.Health/Check' }, '12'],
])('the status of %s stands in trailers, without which gRPC for C++ and Python sees a broken stream', async (_, how, status) => {
  const { trailers } = await call({ message: RECORDED.logs, ...how })
  expect(trailers).toMatchObject({ 'grpc-status': status })
})

test('what could not be stored is told as partial success', async () => {
  // resource_spans { scope_spans { spans { start_time_unix_nano: 2^64 - 1 } } }
  const message = Buffer.from('0a0d120b12093 9ffffffffffffffff'.replaceAll(' ', ''), 'hex')
  const answer = await call({ path: METHODS.traces, message })
  expect(statusOf(answer)).toEqual(['0', ''])
  expect(JSON.stringify(Response.decode(answer.bytes.subarray(5)))).toMatch(/1 of 1 spans were not stored/)
})

test.each([
  ['no token', { headers: { authorization: '' } }, '16', /^no token/],
  ['another token', { headers: { authorization: 'Bearer xaat-none' } }, '16', /not known here/],
  ['no dataset', { headers: { 'x-axiom-dataset': 'a/b' } }, '3', /the dataset name "a\/b"/],
  ['bytes that are no request', { message: Buffer.from([1, 2, 3]) }, '3', /not a request of OTLP/],
  ['a message that ends too early', { prefix: Buffer.from([0, 0, 1, 0, 0]) }, '3', /ends too early/],
  ['more than one message', { prefix: Buffer.from([0, 0, 0, 0, 1]) }, '3', /more than one message/],
  [
    'a compression that is not known',
    { isCompressed: true, headers: { 'grpc-encoding': 'snappy' } },
    '12',
    /"snappy" is not supported/,
  ],
  ['another method', { path: '/grpc.health.v1.Health/Check' }, '12', /no method/],
])('%s is an error of gRPC', async (_, options: Partial<Call>, code, message) => {
  const answer = await call({ message: RECORDED.logs, ...options })
  expect([answer.httpStatus, ...statusOf(answer)]).toEqual([200, code, expect.stringMatching(message)])
})

test('a message over the limit is refused before all of it is there', async () => {
  const message = Buffer.alloc(70_000_000, 1)
  expect(statusOf(await call({ message }))).toEqual(['8', expect.stringMatching(/more than 67108864 bytes/)])
}, 30_000)

test('what is refused for the load says when to send again', async () => {
  await using limited = await startService({ args: ['--requests-per-minute-max', '1'] })
  const answers = [await call({ message: RECORDED.logs, to: limited }), await call({ message: RECORDED.logs, to: limited })]
  expect(answers.map((answer) => answer.headers['grpc-status'])).toEqual(['0', '8'])
  const details = Buffer.from(String(answers[1]?.headers['grpc-status-details-bin']), 'base64')
  const [detail] = (Status.decode(details).toJSON() as { details: { typeUrl: string; value: string }[] }).details
  expect(detail?.typeUrl).toBe('type.googleapis.com/google.rpc.RetryInfo')
  const info = RetryInfo.decode(Buffer.from(String(detail?.value), 'base64')).toJSON() as {
    retryDelay: { seconds: string }
  }
  expect(Number(info.retryDelay.seconds)).toBeGreaterThan(0)
})

test('a message in pieces of a byte each ends its connection', async () => {
  const session = connect(service.url).on('error', () => undefined)
  const code = new Promise<number>((resolve) => session.once('goaway', resolve))
  const stream = session.request({
    ':method': 'POST',
    ':path': METHODS.logs,
    'content-type': 'application/grpc',
    authorization: `Bearer ${service.token}`,
    'x-axiom-dataset': 'grpc',
  })
  stream.on('error', () => undefined)
  stream.write(Buffer.from([0, 0, 1, 0, 0]))
  for (let n = 0; n < 5_000 && !session.closed; n++) {
    stream.write('x')
    await new Promise((next) => setImmediate(next))
  }
  const enhanceYourCalm = 11
  expect(await code).toBe(enhanceYourCalm)
})

test('other requests over HTTP/2 are sent back to HTTP/1.1, and the connection goes on', async () => {
  const session = connect(service.url)
  const stream = session.request({ ':path': '/healthz' })
  const error = await new Promise<Error>((resolve) => stream.on('error', resolve))
  expect(error.message).toMatch(/HTTP_1_1_REQUIRED/)
  expect(session.closed).toBe(false)
  session.close()
})

test('a preface in single bytes is one, a method that begins alike is none', async () => {
  const { hostname, port } = new URL(service.url)
  const talk = async (text: string) => {
    const socket = connectTcp(Number(port), hostname)
    let said = ''
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString('latin1')
    })
    for (const byte of text) {
      socket.write(byte)
      await sleep(5)
    }
    await sleep(300)
    socket.destroy()
    return said
  }
  // Settings are what a server says first.
  expect((await talk('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).slice(3, 5)).toBe('\x04\x00')
  expect(await talk('PRx * HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  expect(await talk('PUT / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 4\d\d /)
})
