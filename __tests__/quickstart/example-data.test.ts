/**
 * The example of `npm start`: what the service says of it, by a clock that the test drives, and what a start leaves alone.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@deployment-annotations/client'
import { expect, test } from '@jest/globals'
import { MINUTE, roomForTests, startDriven, until } from '../../packages/service/__tests__/monitors/driven-service.ts'
import { startExample } from '../../scripts/quickstart/example-data.ts'
import { serviceForTests } from '../support/for-tests.ts'

const room = roomForTests()
const service = serviceForTests()

const SEND_MS = 10_000
const HARM = String.raw`^Errors rose 2\d-fold: 0\.7\d* → 14\S* %, nearly all on /checkout`
const HARMLESS = expect.not.stringMatching(/worse|gone/)
const SEARCH = { title: 'Shop 1.41.0', verdict: HARMLESS, hurtsNow: undefined }
const HURTING = [SEARCH, { title: 'Shop 1.42.0', verdict: 'worse', headline: expect.stringMatching(`${HARM}$`), hurtsNow: true }]
const HEALED = [
  SEARCH,
  {
    title: 'Shop 1.42.0',
    verdict: 'worse',
    headline: expect.stringMatching(`${HARM}\\. Over after 40 min, fixed by 1\\.42\\.1\\.$`),
    hurtsNow: undefined,
  },
  { title: 'Shop 1.42.1', verdict: 'better', headline: expect.stringMatching(/back.*Fixed 1\.42\.0\.$/), hurtsNow: undefined },
]

test('its story is told rightly 1, 5, 10 and 30 minutes after the start', async () => {
  await using driven = await startDriven(room, { releaseTypes: ['deploy', 'release'], versionFields: ['version'] })
  await using client = createClient({ token: driven.token, baseUrl: driven.url })
  const startMs = room.clock.now()
  const sendUntil = await startExample(client, startMs)
  await sendUntil?.(startMs)
  await client.annotations.create({ datasets: ['payments'], type: 'production-deploy', title: 'Payments 2.7.0' })
  const told = async (dataset: string) =>
    (await client.annotations.list({ datasets: [dataset] }, { include: 'all' })).map(
      ({ title, verdict, verdictDetails, hurtsNow }) => ({ title, verdict, headline: verdictDetails?.headline, hurtsNow }),
    )
  for (const [minute, expected] of [
    [1, HURTING],
    [5, HURTING],
    [10, HURTING],
    [30, HEALED],
  ] as const) {
    while (room.clock.now() < startMs + minute * MINUTE) {
      room.clock.advance(SEND_MS)
      await sendUntil?.(room.clock.now())
      await sleep(20)
    }
    let last: Awaited<ReturnType<typeof told>> = []
    await until(async () => {
      // The judge rests after each release, by the clock that the test drives.
      room.clock.advance(100)
      last = await told('shop')
      return last.every(({ verdict }) => verdict !== undefined) || undefined
    }, 100_000)
    expect([minute, last]).toMatchObject([minute, expected])
  }
  expect(await told('payments')).toMatchObject([{ title: 'Payments 2.7.0', verdict: HARMLESS }])
})

test('each start tells it anew, and leaves a dataset of the same name alone that is the user’s own', async () => {
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const nowMs = Date.now()
  for (const startMs of [nowMs - 24 * 60 * MINUTE, nowMs]) await (await startExample(client, startMs))?.(startMs)
  const times = (await client.annotations.list()).map(({ title, endTime = '' }) => [title, Date.parse(endTime) - nowMs])
  expect(times).toEqual([
    ['Shop 1.41.0', -147 * MINUTE],
    ['Shop 1.42.0', -26 * MINUTE],
  ])
  const count = async (startTime: string, endTime: string) =>
    (await client.query("['shop']", { startTime, endTime })).status.rowsMatched
  expect([await count('now-2d', 'now-4h'), await count('now-4h', 'now')]).toEqual([0, expect.any(Number)])
  await client.datasets.delete('shop')
  await client.ingest('shop', [{ mine: true }])
  expect(await startExample(client, nowMs)).toBeUndefined()
  expect(await count('now-2d', 'now')).toBe(1)
})
