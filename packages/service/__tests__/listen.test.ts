/**
 * A name that has several addresses, as `localhost` has on most machines: what is true of the first one is true of the others.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { listen } from '../src/http/listen.ts'
import { startWithoutStore } from './in-process.ts'
import { exchange } from './raw.ts'

/** Only Linux has more than one address of IPv4 on its loopback device without being told to. */
const testOnLinux = process.platform === 'linux' ? test : test.skip

testOnLinux('what no route sees is answered in the form of every error on each address', async () => {
  await using server = await startWithoutStore({ listens: false })
  const listening = await listen(server.app, { host: 'localhost', port: 0 }, async () => [
    '127.0.0.1',
    '127.0.0.2',
    '203.0.113.1',
  ])
  const url = `http://127.0.0.1:${server.port()}`
  const vectors = ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: junk', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1', 'no HTTP']
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    for (const vector of vectors) {
      const text = await exchange({ url }, `${vector}\r\nConnection: close\r\n\r\n`, undefined, address)
      expect([address, vector, text]).toEqual([
        address,
        vector,
        expect.stringMatching(/^HTTP\/1\.1 40[05] .*"code":40[05],"message":/s),
      ])
    }
  }
  const kept = exchange({ url }, 'GET /v2/user HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined, '127.0.0.2')
  const first = await exchange({ url }, 'GET /v2/user HTTP/1.1\r\nHost: localhost\r\n\r\n', '401', '127.0.0.2')
  expect(first).toMatch(/^HTTP\/1\.1 401 /)
  // A connection that is kept open does not keep the service from ending.
  await Promise.all([listening.close(), server.app.close()])
  expect(await kept).toMatch(/^HTTP\/1\.1 401 /)
  await expect(exchange({ url }, 'GET / HTTP/1.1\r\n\r\n', undefined, '127.0.0.2')).rejects.toThrow('ECONNREFUSED')
})

testOnLinux('callers who come at once need not wait for a turn of the event loop each', async () => {
  await using server = await startWithoutStore({ listens: false })
  const listening = await listen(server.app, { host: '127.0.0.1', port: 0 })
  const CALLERS = 128
  let turn = 0
  const turnsOf: number[] = []
  const accepted = new Promise<void>((resolve) => {
    server.app.server.on('connection', () => {
      turnsOf.push(turn)
      if (turnsOf.length === CALLERS) resolve()
    })
  })
  const callers = Array.from({ length: CALLERS }, () => connect(server.port(), '127.0.0.1'))
  const count = () => {
    turn++
    if (turnsOf.length < CALLERS) setImmediate(count)
  }
  setImmediate(count)
  await accepted
  // One listener would need as many turns as there are callers.
  expect(new Set(turnsOf).size).toBeLessThan(CALLERS / 2)
  await Promise.all(callers.map((caller) => once(caller.end(), 'close')))
  await Promise.all([listening.close(), server.app.close()])
})
