import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'
import { soon } from '../../../runtime/__tests__/concurrency/tasks.ts'
import { tokenWith } from '../http.ts'
import { RECORDED } from './recorded.ts'

const DRAIN_S = 3

const isGone = (session: ClientHttp2Session) => new Promise<number>((resolve) => session.once('close', () => resolve(Date.now())))

function openCall(session: ClientHttp2Session, token: string) {
  return session.request({
    ':method': 'POST',
    ':path': '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
    authorization: `Bearer ${token}`,
    'x-axiom-dataset': 'grpc',
    'content-type': 'application/grpc',
  })
}

/** @returns the status of a call */
function callLogs(session: ClientHttp2Session, token: string): Promise<unknown> {
  const stream = openCall(session, token)
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(RECORDED.logs.length, 1)
  stream.end(Buffer.concat([prefix, RECORDED.logs]))
  return new Promise((resolve, reject) => {
    stream.once('trailers', (trailers) => resolve(trailers['grpc-status']))
    stream.once('error', reject).resume()
  })
}

test('a connection without a call stays open, and is closed when the service drains, in which new ones have a call each', async () => {
  const own = await startService({ args: ['--drain-seconds', String(DRAIN_S)] })
  const session = connect(own.url)
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  // Longer than HTTP/1.1 waits for the headers of a request.
  await sleep(22_000)
  expect(session.closed).toBe(false)
  const gone = isGone(session)
  const ended = own.stop()
  const closedMs = await gone
  const late = connect(own.url)
  const lateGone = isGone(late)
  expect(await callLogs(late, own.token)).toBe('0')
  const lateClosedMs = await lateGone
  expect(await ended).toEqual({ exitCode: 0, signal: null })
  // Neither waited until the drain was over.
  expect([Date.now() - closedMs, Date.now() - lateClosedMs].every((ms) => ms > 1_000)).toBe(true)
  expect(own.stderr).not.toContain('Warning')
}, 60_000)

test('many calls that do not end take a part of the memory that was sent', async () => {
  await using own = await startService()
  const residentMib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${own.pid}/status`, 'utf8'))?.[1]) / 1_024
  const [connections, calls, bytes] = [60, 16, 245_760]
  const before = residentMib()
  const sessions = Array.from({ length: connections }, () => connect(own.url).on('error', () => undefined))
  for (const session of sessions) {
    for (let n = 0; n < calls; n++) {
      const stream = openCall(session, own.token)
      const prefix = Buffer.alloc(5)
      // More is announced than ever comes.
      prefix.writeUInt32BE(5_000_000, 1)
      stream.on('error', () => undefined).resume()
      stream.write(Buffer.concat([prefix, Buffer.alloc(bytes, 'x')]))
    }
  }
  const sentMib = (connections * calls * bytes) / 1_048_576
  for (let i = 0; i < 10; i++) {
    await sleep(300)
    expect((residentMib() - before) / sentMib).toBeLessThan(0.65)
  }
  for (const session of sessions) session.destroy()
}, 60_000)

test('one token has so many calls under way on all its connections, and others have room', async () => {
  await using own = await startService()
  const refused: number[] = []
  const sessions = Array.from({ length: 100 }, () => connect(own.url).on('error', () => undefined))
  for (const session of sessions) {
    for (let n = 0; n < 3; n++) {
      // However many blanks are before the token.
      const stream = openCall(session, `${' '.repeat(n)}${own.token}`)
      stream.on('error', () => undefined).once('close', () => refused.push(stream.rstCode ?? 0))
      stream.resume().write(Buffer.from([0, 0, 1, 0, 0]))
    }
  }
  await soon(() => refused.length >= 300 - 256)
  expect([...new Set(refused)]).toEqual([constants.NGHTTP2_REFUSED_STREAM])
  const other = connect(own.url)
  expect(await callLogs(other, await tokenWith(own, ['ingest|create']))).toBe('0')
  for (const session of [...sessions, other]) session.destroy()
}, 60_000)
