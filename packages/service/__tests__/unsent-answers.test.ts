/**
 * Answers that nobody reads, on thousands of connections: the memory for them is bounded, over all and for each caller.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../__tests__/support/service.ts'
import { UNSENT_ANSWERS } from '../../runtime/src/concurrency/bounds.ts'
import { UnsentAnswers } from '../src/http/unsent-answers.ts'
import { ask, tokenWith, VALID } from './http.ts'

/** Answers of callers `a`, `b` and `c`, and which of them were cut off. */
function scripted() {
  const cut: string[] = []
  const counts: number[] = []
  const unsent = new UnsentAnswers({ ...UNSENT_ANSWERS, bytesMax: 100, bytesPerCallerMax: 60 }, (count) => counts.push(count))
  let nowMs = 0
  const hold = (name: string, bytes: number) => {
    const state = { bytes, taken: 0 }
    const answer = { measure: () => state.bytes, taken: () => state.taken, cut: () => cut.push(name) }
    const end = unsent.hold({ caller: name.slice(0, 1), ...answer }, nowMs)
    return { state, end }
  }
  const wait = (ms: number) => {
    nowMs += ms
  }
  const require = (caller: string) => unsent.requireRoom(caller, 0, nowMs)
  return { cut, counts, hold, wait, require }
}

const OWN = 'the share of this token is used up'
const OTHERS = 'the service is busy'

test('one caller has its share, others have the rest, and what was read leaves room', () => {
  const { hold, cut } = scripted()
  const read = hold('a1', 40)
  hold('a2', 20)
  expect(() => hold('a3', 10)).toThrow(OWN)
  hold('b1', 40)
  expect(() => hold('c1', 10)).toThrow(OTHERS)
  read.end()
  read.end()
  hold('c1', 40)
  expect(() => hold('c2', 1)).toThrow(OTHERS)
  expect(cut).toEqual([])
})

test('what nobody took anything of for a second is cut off for others, the oldest first, and no more than is needed', () => {
  const { hold, cut, counts, wait } = scripted()
  for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) hold(name, 20)
  wait(999)
  expect(() => hold('c1', 20)).toThrow(OTHERS)
  wait(1)
  hold('c1', 20)
  expect(cut).toEqual(['a1'])
  hold('c2', 40)
  expect(cut).toEqual(['a1', 'b1', 'a2'])
  // Its own, though those of others are older.
  wait(1_000)
  hold('c3', 20)
  expect(cut).toEqual(['a1', 'b1', 'a2', 'c1'])
  expect(counts).toEqual([1, 2, 1])
})

test('an answer that is made while it is sent counts with what waits of it, and is not cut off while it is taken', () => {
  const { hold, cut, wait, require } = scripted()
  const { state } = hold('a1', 20)
  const slow = hold('a2', 10)
  for (let second = 0; second < 60; second++) {
    state.taken++
    state.bytes = second % 2 === 0 ? 50 : 10
    wait(1_000)
    require('b')
  }
  expect(() => hold('a3', 40)).not.toThrow()
  expect(cut).toEqual([])
  state.bytes = 50
  wait(100)
  expect(() => hold('a4', 1)).toThrow(OWN)
  expect(cut).toEqual(['a2'])
  slow.end()
})

test('an answer that is larger than all room is sent where nothing else waits', () => {
  const { hold, require } = scripted()
  const large = hold('a1', 5_000)
  expect(() => require('a')).toThrow(OWN)
  expect(() => require('b')).toThrow(OTHERS)
  large.end()
  require('a')
  hold('a2', 60)
})

/** More than the system takes for a connection that nobody reads. */
const LIST_BYTES_MIN = 6_000_000
/** Of a list so much at least stays with the service: what the system takes for a connection counts no more. */
const UNSENT_BYTES_MIN = LIST_BYTES_MIN / 2
/** Far more than have room for their lists. */
const CONNECTIONS = 40

/** Who does not read does not notice it, but the service says it. */
function countCut({ stderr }: RunningService): number {
  const lines = stderr.split('\n').filter((line) => line.includes('"answers-cut"'))
  return lines.reduce((sum, line) => sum + (JSON.parse(line) as { count: number }).count, 0)
}

test('connections that read nothing of their lists take their share, and others are served', async () => {
  await using service = await startService()
  const datasets = Array.from({ length: 100 }, (_, n) => String(n).padStart(128, 'x'))
  const created = Array.from({ length: 480 }, () => ask(service, 'POST', '/v2/annotations', { body: { ...VALID, datasets } }))
  for (const { status } of await Promise.all(created)) expect(status).toBe(201)
  const token = await tokenWith(service, ['annotations|read'])
  const request = `GET /v2/annotations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const statuses: string[] = []
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      statuses.push(bytes.toString('latin1').slice(9, 12))
      socket.pause()
    })
    socket.write(request)
    return socket
  })
  while (statuses.length < CONNECTIONS) await sleep(20)
  // 503 is that of lists, where the machine is slow.
  expect(statuses.filter((status) => !['200', '429', '503'].includes(status))).toEqual([])
  const unread = statuses.filter((status) => status === '200').length - countCut(service)
  expect(unread).toBeLessThanOrEqual(Math.ceil(UNSENT_ANSWERS.bytesPerCallerMax / UNSENT_BYTES_MIN))
  const other = await ask<unknown[]>(service, 'GET', '/v2/annotations')
  expect([other.status, other.body.length]).toEqual([200, 480])
  expect(JSON.stringify(other.body).length).toBeGreaterThan(LIST_BYTES_MIN)
  for (const socket of sockets) socket.destroy()
  // Those that have gone leave their room.
  let status = 429
  for (; status === 429 || status === 503; await sleep(50))
    status = (await ask(service, 'GET', '/v2/annotations', { token })).status
  expect(status).toBe(200)
})
