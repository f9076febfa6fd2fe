/**
 * A process that gets no processor time for longer than its leases last, as on a machine that slept or has far too much to do.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { LEASE_MS } from '../../../records/src/leases/leases.ts'
import { ask } from '../http.ts'
import { apl } from '../query/ask.ts'

const COUNT = 40_000
const BODY = Buffer.from(JSON.stringify(Array.from({ length: COUNT }, (_, n) => ({ n, pad: 'x'.repeat(100) }))))
/** Some of it is stored in pieces by then. */
const HALF = BODY.length >> 1

/** Of processor time, in half a second. */
const TICKS_OF_NOTHING = 2

/** @returns the processor time of the service, in ticks of 10 ms */
function cpuTicks({ pid }: RunningService): number {
  // The name before the parenthesis may have blanks in it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Sends half of a large request. */
function begin({ url, token }: RunningService, headers: readonly string[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const lines = ['Host: localhost', `Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Connection: close']
  const head = ['POST /v1/datasets/web/ingest HTTP/1.1', ...lines, `Content-Length: ${BODY.length}`, ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(BODY.subarray(0, HALF))
  return {
    sendRest: () => socket.write(BODY.subarray(HALF)),
    async answer() {
      await until('it is answered', async () => socket.closed)
      return answer
    },
  }
}

test('after a stall that is longer than its leases, a service alone goes on with what was sent before and meanwhile', async () => {
  await using service = await startService()
  await ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{ n: 1 }] })
  const begun = [begin(service, []), begin(service, ['Idempotency-Key: k1'])]
  await until('the halves are read', async () => {
    const before = cpuTicks(service)
    await sleep(500)
    return cpuTicks(service) - before <= TICKS_OF_NOTHING
  })
  process.kill(service.pid, 'SIGSTOP')
  await sleep(LEASE_MS + 500)
  const meanwhile = Array.from({ length: 30 }, (_, n) => ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{ n }] }))
  for (const one of begun) one.sendRest()
  process.kill(service.pid, 'SIGCONT')
  for (const answer of await Promise.all(meanwhile)) expect(answer).toMatchObject({ status: 200 })
  for (const one of begun) expect(await one.answer()).toMatch(/^HTTP\/1\.1 200 /)
  const { body } = await apl(service, "['web'] | summarize n = count()")
  expect(body.tables?.[0]?.columns?.[0]).toEqual([1 + 30 + 2 * COUNT])
})
