/**
 * Readers that stop reading: how long a server waits for them is its own, so it is in this process.
 */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { TEST_TOKEN } from '../../../../__tests__/support/service.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { buildTestServer } from '../in-process.ts'
import { roomForTests, until } from '../monitors/driven-service.ts'
import { ingestEach } from './ask.ts'

const SILENT_MS_MAX = 2_000
const room = roomForTests()

test('one that takes nothing for a while is cut off, one that is slow is not', async () => {
  const lines: { event: string; status?: number }[] = []
  const log = createLog((line) => lines.push(JSON.parse(line)))
  const app = await buildTestServer({ ...room, log, clock: room.clock, slowClients: { answerMs: SILENT_MS_MAX } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const target = { url: `http://127.0.0.1:${port}`, token: TEST_TOKEN }
  for (let part = 0; part < 4; part++) {
    await ingestEach(target, 'large', 500, (n) => ({ n, text: 'x'.repeat(5_000) }))
  }
  /** Takes what is there at once, then waits; `pausesMax` times. */
  const read = async (pauseMs: number, pausesMax: number) => {
    const body = JSON.stringify({
      apl: "['large'] | limit 2000",
      startTime: '2000-01-01T00:00:00Z',
      endTime: '2100-01-01T00:00:00Z',
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /v1/datasets/_apl HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${TEST_TOKEN}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    let last = ''
    let pauses = 0
    socket.on('data', async (bytes) => {
      last = (last + bytes.toString('latin1')).slice(-100)
      if (pauses++ >= pausesMax) return
      socket.pause()
      await sleep(pauseMs)
      socket.resume()
    })
    await once(socket, 'close')
    return last
  }
  expect(await read(SILENT_MS_MAX / 10, 8)).toMatch(/"large":\[\]\}\}\r\n0\r\n\r\n$/)
  expect(await read(SILENT_MS_MAX * 3, 1)).not.toContain('"large":[]')
  await until(async () => lines.some(({ event, status }) => event === 'request' && status === 499) || undefined)
  await app.close()
})
