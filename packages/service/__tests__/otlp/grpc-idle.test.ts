import { connect } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'

test('a connection without a call stays open, and ends with the service', async () => {
  const own = await startService({ args: ['--drain-seconds', '0'] })
  const session = connect(own.url)
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  // Longer than HTTP/1.1 waits for the headers of a request.
  await sleep(22_000)
  expect(session.closed).toBe(false)
  const gone = new Promise((resolve) => session.once('close', resolve))
  await own.stop()
  await gone
}, 60_000)
