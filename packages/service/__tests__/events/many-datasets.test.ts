/**
 * One event each into many datasets at once, on the real service: acknowledged, seen by everybody, once, whatever happens in between.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { runs } from '../../../../__tests__/support/long.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { isShared } from '../../../../__tests__/support/shared-servers.ts'
import { listWaitingRows } from '../../../event-store/__tests__/waiting-rows.ts'
import { send } from './send.ts'

const DATASETS = Array.from({ length: 40 }, (_, number) => `many-${number}`)
const ROUNDS = runs(2, 6)

/** One event for each dataset. @returns the statuses, 0 where no answer came */
const sendAll = (service: RunningService, n: number, onAnswer = () => {}) =>
  Promise.all(
    DATASETS.map(async (dataset) => {
      try {
        const { status } = await send(service, JSON.stringify({ n, dataset }), { dataset })
        onAnswer()
        return status
      } catch {
        return 0
      }
    }),
  )

async function ask(service: RunningService, apl: string): Promise<number> {
  const response = await fetch(`${service.url}/v1/datasets/_apl?format=tabular`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apl, startTime: 'now-1h', endTime: 'now+1h' }),
  })
  const answer = (await response.json()) as { tables: [{ columns: [[number]] }] }
  if (response.status !== 200) throw new Error(JSON.stringify(answer))
  return answer.tables[0].columns[0][0]
}

const call = (service: RunningService, method: string, path: string, body?: unknown) =>
  fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const waiting = ({ dataDir }: RunningService) => listWaitingRows(join(dataDir, 'write-ahead')).length

/**
 * Sends one event for each dataset at a time until a good part of them waits in the log: on a slow machine those of the round before
 * have been emptied out of it meanwhile.
 * @returns how many events each dataset has
 */
async function sendUntilSomeWait(service: RunningService): Promise<number> {
  for (let n = 0; n < 100; n++) {
    expect(await sendAll(service, n)).toEqual(DATASETS.map(() => 200))
    if (waiting(service) > 5) return n + 1
  }
  throw new Error('in none of 100 rounds did more than five events wait in the log')
}

const testEmbedded = isShared ? test.skip : test

testEmbedded(
  'what waits in the log is seen by queries of one dataset and of many, trimmed, and deleted with its dataset',
  async () => {
    await using service = await startService()
    const each = await sendUntilSomeWait(service)
    const union = `union ${DATASETS.slice(0, 20).map((name) => `['${name}']`)} | count`
    expect(await ask(service, union)).toBe(20 * each)
    for (const dataset of DATASETS.slice(20, 30))
      expect([dataset, await ask(service, `['${dataset}'] | count`)]).toEqual([dataset, each])
    const [trimmed, deleted] = DATASETS.slice(-2) as [string, string]
    expect((await call(service, 'POST', `/v2/datasets/${trimmed}/trim`, { maxDuration: '1ns' })).status).toBe(200)
    expect((await call(service, 'DELETE', `/v2/datasets/${deleted}`)).status).toBe(204)
    expect((await send(service, '{"n":-1}', { dataset: deleted })).status).toBe(200)
    expect([await ask(service, `['${trimmed}'] | count`), await ask(service, `['${deleted}'] | count`)]).toEqual([0, 1])
  },
)

testEmbedded('the log is emptied when nobody asks', async () => {
  await using service = await startService()
  await sendUntilSomeWait(service)
  for (let i = 0; waiting(service) > 0 && i < 300; i++) await sleep(100)
  expect(waiting(service)).toBe(0)
})

testEmbedded('kill -9 at any moment: what was acknowledged is there, once', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'many-datasets-'))
  const least = new Map(DATASETS.map((dataset) => [dataset, 1]))
  let rounds = 0
  let waited = 0
  for (; rounds < ROUNDS; rounds++) {
    const service = await startService({ dataDir: folder.path })
    if (rounds === 0) await sendAll(service, -1)
    let answered = 0
    const sending = sendAll(service, rounds, () => answered++)
    while (answered < 12 + ((rounds * 9) % 28)) await sleep(1)
    await service.kill()
    for (const [index, status] of (await sending).entries()) {
      const dataset = DATASETS[index] as string
      least.set(dataset, (least.get(dataset) ?? 0) + Number(status === 200))
    }
    waited += waiting(service)
  }
  await using service = await startService({ dataDir: folder.path })
  for (const dataset of DATASETS) {
    const found = await ask(service, `['${dataset}'] | count`)
    const distinct = await ask(service, `['${dataset}'] | summarize dcount(n)`)
    expect([dataset, found >= (least.get(dataset) ?? 0)]).toEqual([dataset, true])
    expect([dataset, found]).toEqual([dataset, distinct])
  }
  expect(waited).toBeGreaterThan(0)
})
