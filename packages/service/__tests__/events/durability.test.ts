import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { runs } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask } from '../http.ts'
import { send } from './send.ts'
import { readStoredEvents } from './stored-events.ts'

const ROUNDS = runs(3, 6)
/** Events of a request: one, a few, as many as are written in columns, and with `pad` more than one insert holds (6 MiB). */
const SIZES = [1, 1, 7, 60, 500, 1_400]

interface Request {
  id: string
  body: string
  size: number
  key: string | undefined
  isAcknowledged: boolean
}

function makeRequest(id: string, size: number, isKeyed: boolean): Request {
  const pad = 'x'.repeat(size > 1_000 ? 5_000 : 40)
  const body = JSON.stringify(Array.from({ length: size }, (_, i) => ({ request: id, i, pad })))
  return { id, body, size, key: isKeyed ? id : undefined, isAcknowledged: false }
}

test('kill -9 under load: nothing acknowledged is lost, no request is torn, a repeated key stores once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ingest-kill-'))
  const requests: Request[] = []
  let open: Request[] = []
  let acknowledged = 0
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ dataDir })
    // What a kill leaves half written is not called damage.
    expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
    const again = open.filter(({ key }) => key !== undefined)
    open = []
    let isOn = true
    const post = async (request: Request) => {
      const headers: Record<string, string> = request.key === undefined ? {} : { 'idempotency-key': request.key }
      const answer = await send(service, request.body, { headers })
      expect([answer.status, answer.body.ingested]).toEqual([200, request.size])
      request.isAcknowledged = true
      acknowledged++
    }
    const worker = async (number: number) => {
      for (let i = 0; isOn; i++) {
        const size = SIZES[(number + i) % SIZES.length] as number
        const request = again.pop() ?? makeRequest(`${round}-${number}-${i}`, size, (number + i) % 2 === 0)
        if (!requests.includes(request)) requests.push(request)
        open.push(request)
        try {
          await post(request)
        } catch (error) {
          if (isOn) throw error
          return
        }
        open.splice(open.indexOf(request), 1)
      }
    }
    const working = Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)))
    // As much on a quick machine as on a slow one, and the kill at another moment each time.
    const enough = acknowledged + 4 * SIZES.length
    await until('enough answers', () => acknowledged >= enough)
    await sleep((round * 17) % 60)
    isOn = false
    await service.kill()
    await working
  }
  // One more life, in which what was open and has a key is sent again.
  const last = await startService({ dataDir })
  for (const request of open.filter(({ key }) => key !== undefined)) {
    const answer = await send(last, request.body, { headers: { 'idempotency-key': request.key as string } })
    expect([answer.status, answer.body.ingested]).toEqual([200, request.size])
    request.isAcknowledged = true
  }
  await last.stop()

  const events = readStoredEvents(dataDir).web ?? []
  const found = new Map<string, Set<number>>()
  for (const { data } of events) {
    const { request, i } = JSON.parse(data) as { request: string; i: number }
    const seen = found.get(request) ?? new Set()
    expect([request, i, seen.has(i)]).toEqual([request, i, false])
    found.set(request, seen.add(i))
  }
  const lost = requests.filter(({ id, size, isAcknowledged }) => isAcknowledged && found.get(id)?.size !== size)
  const torn = requests.filter(({ id, size }) => found.has(id) && found.get(id)?.size !== size)
  expect({ lost: lost.map(({ id }) => id), torn: torn.map(({ id }) => id) }).toEqual({ lost: [], torn: [] })
  expect(requests.filter(({ isAcknowledged }) => isAcknowledged).length).toBeGreaterThan(ROUNDS * 2)
  expect(new Set(events.map(({ row }) => row)).size).toBe(events.length)
  rmSync(dataDir, { recursive: true })
}, 300_000)
