/**
 * Large and slow requests beside each other, and bodies that are small and much work.
 */
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { ask } from '../http.ts'
import { apl } from '../query/ask.ts'
import { send } from './send.ts'

const service = serviceForTests()

const EVENT = `${JSON.stringify({ text: 'x'.repeat(200) })}\n`
const MIB = 1_048_576

/** Sends the beginning of a large request, and nothing more. */
async function begin(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = ['POST /v1/ingest/slow HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${service.token}`]
  socket.write([...head, 'Content-Type: application/x-ndjson', `Content-Length: ${100 * MIB}`, '', ''].join('\r\n'))
  await new Promise<void>((resolve) => socket.write(EVENT.repeat(12_000), () => resolve()))
  return socket
}

test('large requests that wait for their senders hold no place of others', async () => {
  const slow = await Promise.all(Array.from({ length: 12 }, begin))
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => send(service, EVENT.repeat(20_000), { dataset: `fast-${i}` })),
  )
  expect(answers.map(({ status, body }) => [status, body.ingested])).toEqual(answers.map(() => [200, 20_000]))
  for (const socket of slow) socket.destroy()
  expect((await ask(service, 'GET', '/v2/datasets/slow')).status).toBe(404)
})

test('a CSV of more columns than a dataset may have fields is taken', async () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')
  const answer = await send(service, `${names}\n${names}\n`, { dataset: 'wide', type: 'text/csv' })
  expect(answer).toMatchObject({ status: 200, body: { ingested: 1, failed: 0 } })
  const { body } = await apl(service, "wide | where c0 == 'c0' | project c1, last = c9999")
  expect(body.matches).toMatchObject([{ data: { c1: 'c1', last: 'c9999' } }])
})

describe('small bodies that would be much work are refused before it is done', () => {
  test('three million events in 35 kB of gzip', async () => {
    const body = gzipSync(Buffer.alloc(9_000_000, '{}\n'), { level: 9 })
    const answer = await send(service, body, { dataset: 'bombs', headers: { 'content-encoding': 'gzip' } })
    expect(answer).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining(`${body.length} compressed bytes hold over`) },
    })
  })

  test('what compresses well, and has no more events than are accepted, is stored', async () => {
    const body = gzipSync(EVENT.repeat(15_000))
    const answer = await send(service, body, { dataset: 'repeated', headers: { 'content-encoding': 'gzip' } })
    expect(answer).toMatchObject({ status: 200, body: { ingested: 15_000 } })
  })

  test('two million empty lines', async () => {
    const lines = '\n'.repeat(2_000_000)
    const answers = ['', 'a', 'a,b'].map((names) => send(service, names + lines, { dataset: 'blank', type: 'text/csv' }))
    expect(await Promise.all(answers)).toMatchObject([
      { status: 400, body: { message: 'line 1: it is blank and names no columns' } },
      { status: 413, body: { message: 'line 20002: over 20000 lines are blank; nothing was stored' } },
      { status: 200, body: { ingested: 0, failed: 0 } },
    ])
  })
})
