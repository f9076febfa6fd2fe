/**
 * All transports, over real sockets: what comes back, what is known where nothing does, and that nothing is left behind.
 */
import { createServer as createTlsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { generate } from 'selfsigned'
import { freePort } from '../../../__tests__/support/free-port.ts'
import { listen } from '../../../__tests__/support/listen.ts'
import { type Script, startScriptedService } from '../../../__tests__/support/scripted-service.ts'
import { createFetchTransport } from '../src/fetch.ts'
import { type ClientError, createClient } from '../src/index.ts'
import { createNodeTransport } from '../src/node-transport.ts'
import type { Transport, WireReply, WireRequest } from '../src/transport.ts'
import { WireError } from '../src/transport.ts'
import { createUndiciTransport } from '../src/undici.ts'

const TRANSPORTS: [string, (origin: URL) => Transport][] = [
  ['undici', (origin) => createUndiciTransport(origin, {})],
  ['node', createNodeTransport],
  ['fetch', createFetchTransport],
]

const reply = (text: string) => text.replaceAll('\n', '\r\n')
const OK = reply('HTTP/1.1 200 OK\ncontent-length: 2\nX-Two: a\nx-two: b\n\n{}')

/** A server that does something with each connection once a request has come. */
async function startServer(answer: (socket: Socket, request: string) => void) {
  const server = createServer((socket) => {
    let request = ''
    socket.on('data', (chunk) => {
      request += String(chunk)
      if (!request.endsWith('\r\n\r\nbody')) return
      answer(socket, request)
      request = ''
    })
  })
  const listening = await listen(server)
  return { ...listening, url: new URL('/path?q=1', listening.url) }
}

function ask(transport: Transport, url: URL, more: Partial<WireRequest> = {}): Promise<WireReply> {
  const { signal } = new AbortController()
  return transport.send({ method: 'POST', url, headers: { 'x-mine': '1' }, body: 'body', signal, replyBytesMax: 1_000, ...more })
}

describe.each(TRANSPORTS)('%s', (_, open) => {
  const withTransport = async <T>(url: URL, work: (transport: Transport) => Promise<T>): Promise<T> => {
    const transport = open(url)
    try {
      return await work(transport)
    } finally {
      await transport.close()
    }
  }
  /** @returns what is known of a request that got no reply */
  const failure = (url: URL, more: Partial<WireRequest> = {}) =>
    withTransport(url, (transport) => ask(transport, url, more)).then(
      () => {
        throw new Error('there was a reply')
      },
      (error: unknown) => error as WireError,
    )

  test('a request goes out as it is, and its reply comes back whole', async () => {
    const requests: string[] = []
    await using server = await startServer((socket, request) => {
      requests.push(request)
      socket.write(OK)
    })
    await withTransport(server.url, async (transport) => {
      for (const _ of [1, 2]) {
        const { status, headers, text } = await ask(transport, server.url)
        expect([status, text, String(headers['x-two']).split(/, ?/)]).toEqual([200, '{}', ['a', 'b']])
      }
    })
    expect(requests[0]).toMatch(/^POST \/path\?q=1 HTTP\/1\.1\r\n/)
    expect(requests[0]).toMatch(/\r\nx-mine: 1\r\n/)
    expect(requests[0]).toMatch(/\r\ncontent-length: 4\r\n/i)
    expect(requests).toHaveLength(2)
  })

  test('a redirect is a reply like others', async () => {
    await using server = await startServer((socket) =>
      socket.write(reply('HTTP/1.1 307 No\nlocation: /x\ncontent-length: 0\n\n')),
    )
    const { status, headers } = await withTransport(server.url, (transport) => ask(transport, server.url))
    expect([status, headers.location]).toEqual([307, '/x'])
  })

  test.each<[string, (socket: Socket) => void]>([
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['a connection that is closed', (socket) => socket.end()],
    ['a reply that is cut', (socket) => socket.end(reply('HTTP/1.1 200 OK\ncontent-length: 50\n\n{'))],
    ['chunks that are cut', (socket) => socket.end(reply('HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n5\n{"id"\n'))],
    ['bytes that are not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['a giant header', (socket) => socket.write(reply(`HTTP/1.1 200 OK\nx: ${'y'.repeat(100_000)}\n\n`))],
    ['a reply that is too long', (socket) => socket.write(reply(`HTTP/1.1 200 OK\n\n${'y'.repeat(2_000)}`))],
  ])('%s: no reply, and the request may have taken effect', async (_, act) => {
    await using server = await startServer(act)
    const error = await failure(server.url)
    expect(error).toBeInstanceOf(WireError)
    expect(error.sent).toBe(true)
  })

  test.each([
    ['is whole', 500, 200],
    ['is given up beyond the bytes that were asked for', 100_000, 'ERR_REPLY_TOO_LONG'],
  ])('a reply, compressed if the transport asks for that, %s', async (_, length, expected) => {
    const text = 'y'.repeat(length)
    await using server = await startServer((socket, request) => {
      const isZipped = /\r\naccept-encoding: .*gzip/i.test(request)
      const body = isZipped ? gzipSync(text) : Buffer.from(text)
      socket.write(reply(`HTTP/1.1 200 OK\n${isZipped ? 'content-encoding: gzip\n' : ''}content-length: ${body.length}\n\n`))
      socket.write(body)
    })
    const got = await withTransport(server.url, (transport) => ask(transport, server.url)).catch((error: WireError) => error)
    if (got instanceof WireError) expect(got.cause).toMatchObject({ code: expected })
    else expect([got.status, got.text]).toEqual([expected, text])
  })

  test('what is under way ends with the transport', async () => {
    await using server = await startServer(() => undefined)
    const transport = open(server.url)
    const asking = ask(transport, server.url)
    asking.catch(() => undefined)
    while (server.sockets.size === 0) await sleep(5)
    await transport.close()
    await expect(asking).rejects.toBeInstanceOf(WireError)
  })

  test('a client over it repeats, waits as it is told, and follows only redirects of its own service', async () => {
    const script: Script = {
      GET: (count, { path }) => {
        if (path === '/moved') return { status: 200, body: '[]' }
        if (count === 1) return { status: 429, headers: { 'retry-after': '1' } }
        return { status: 307, headers: { location: count === 2 ? '/moved' : 'http://127.0.0.2:1/stolen' } }
      },
    }
    await using service = await startScriptedService(script)
    await using client = createClient({ token: 'xaat-secret-token', baseUrl: service.url, transport: open })
    const waits: number[] = []
    expect(await client.annotations.list({}, { onRetry: (_, waitMs) => waits.push(waitMs) })).toEqual([])
    expect([service.requests.map(({ path }) => path), waits]).toEqual([['/v2/annotations', '/v2/annotations', '/moved'], [1_000]])
    await expect(client.annotations.list()).rejects.toMatchObject({ code: 'redirect', status: 307 })
    expect(service.requests).toHaveLength(4)
  })

  test('a client over it shows the token in no error, whoever echoes it', async () => {
    const token = 'xaat-secret-token'
    const echo = ({ headers }: { headers: object }) => JSON.stringify({ message: `no: ${JSON.stringify(headers)}` })
    await using service = await startScriptedService({ GET: (_, request) => ({ status: 403, body: echo(request) }) })
    await using client = createClient({ token, baseUrl: service.url, transport: open })
    const error = await client.annotations.list().catch((thrown: unknown) => thrown as ClientError)
    expect(error).toMatchObject({ code: 'auth', message: expect.stringContaining('Bearer ***') })
    expect(JSON.stringify([error, String(error)])).not.toContain('secret-token')
  })

  test('where nothing listens, nothing was sent', async () => {
    const error = await failure(new URL(`http://127.0.0.1:${await freePort()}/`))
    expect([error.sent, (error.cause as { code?: string }).code]).toEqual([false, 'ECONNREFUSED'])
  })

  test('the signal ends a request under way, with its reason, and the connection', async () => {
    await using server = await startServer(() => undefined)
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 100)
    const error = await failure(server.url, { signal: controller.signal })
    expect([error.sent, (error.cause as Error).message]).toEqual([true, 'enough'])
    // The fetch of Node 20 opens another connection at once, which nothing is sent over.
    const [used] = server.sockets
    for (let waited = 0; waited < 100 && !used?.destroyed; waited++) await sleep(20)
    expect(used?.destroyed).toBe(true)
    const late = await failure(server.url, { signal: AbortSignal.abort(new Error('before')) })
    expect((late.cause as Error).message).toBe('before')
  })

  test('a certificate that is not trusted: nothing was sent', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], { keySize: 2048 })
    let requests = 0
    const secure = createTlsServer({ key, cert }, (_, answer) => {
      requests++
      answer.end()
    })
    await using server = await listen(secure)
    const error = await failure(new URL(server.url))
    expect([error.sent, requests, (error.cause as { code?: string }).code]).toEqual([false, 0, 'DEPTH_ZERO_SELF_SIGNED_CERT'])
  })
})
