/** What the built step says by itself in worlds that people live in, against the real server, whose clock runs until now before it is asked. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { expect, test } from '@jest/globals'
import { type Client, createClient } from '../../packages/client/src/index.ts'
import { iso, roomForTests, startDriven } from '../../packages/service/__tests__/monitors/driven-service.ts'
import { runCompare } from '../support/run-action.ts'
import { storeTraffic } from '../support/traffic.ts'

const NOW = Math.floor(Date.now() / UNIT_MS.m) * UNIT_MS.m
const ago = (minutes: number) => NOW - minutes * UNIT_MS.m
const room = roomForTests(ago(20))
const STEADY = { failing: [0.01, 0.01] } as const

/** Each minute the events of six minutes ago arrive. */
async function arriveLate(client: Client): Promise<void> {
  await storeTraffic(client, { ...STEADY, dataset: 'late', atMs: ago(26), minutes: [60, 0] })
  for (let minute = 26; minute > 6; minute--) {
    room.clock.advance(UNIT_MS.m)
    await storeTraffic(client, { ...STEADY, dataset: 'late', atMs: ago(minute), minutes: [0, 1] })
  }
}

async function rollBack(client: Client): Promise<void> {
  await storeTraffic(client, { ...STEADY, dataset: 'short', atMs: ago(8), slower: 3, minutes: [60, 5] })
  await client.annotations.create({ datasets: ['short'], type: 'deploy', title: 'Roll back', time: iso(ago(3)) })
}

test.each([
  ['late', ago(11), arriveLate, 'inconclusive', /Only [34] min.* arrived, because events of late arrive [67] min late/],
  ['short', ago(8), rollBack, 'worse', /short 2: p95 tripled: \d+ → \d+ ms/],
] as const)('a release of a service whose world is %s', async (dataset, at, fill, verdict, says) => {
  await using service = await startDriven(room)
  await using client = createClient({ token: service.token, baseUrl: service.url })
  await fill(client)
  const { id } = await client.annotations.create({ datasets: [dataset], type: 'deploy', title: `${dataset} 2`, time: iso(at) })
  const { outputs, stdout } = await runCompare({ token: service.token, baseUrl: service.url, id, wait: '0s' })
  expect({ verdict: outputs.verdict, stdout }).toEqual({ verdict, stdout: expect.stringMatching(says) })
})
