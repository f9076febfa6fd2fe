/**
 * Arrays of anything beside arrays of anything else in one field: whatever came first, all are stored as they were sent.
 */
import { afterAll, expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { readCases } from '../cases.ts'
import { ask } from '../http.ts'
import { apl } from '../query/ask.ts'
import { send } from './send.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

const CASES = readCases<{ meeting: unknown[][]; texts: string[] }>(import.meta.url)

/** Each two of them meet in a field of their own, in either order. */
const [FIRST, SECOND] = [0, 1].map((which) =>
  Object.fromEntries(CASES.meeting.flatMap((a, i) => CASES.meeting.map((b, j) => [`f${i}x${j}`, [a, b][which]]))),
)

const events = async (service: RunningService, dataset: string) => {
  const { body } = await apl(service, `['${dataset}'] | sort by n asc`, {}, 'legacy')
  return body.matches.map(({ data }) => data)
}

const stores: [string, () => Promise<RunningService>][] = [
  ['in the process', async () => startService()],
  ['on a ClickHouse server', async () => startService({ args: ['--clickhouse', stack.use(await startClickHouse()).url] })],
]

for (const [where, start] of stores)
  (where === 'in the process' || hasClickHouse ? test : test.skip)(
    `arrays of null and others share a field, ${where}`,
    async () => {
      const service = stack.use(await start())
      const sent = [
        { n: 0, ...FIRST },
        { n: 1, ...SECOND },
      ]
      const inMaps = sent.map(({ n, ...m }) => ({ n, m }))
      await ask(service, 'POST', '/v2/datasets', { body: { name: 'map', description: '', mapFields: ['m'] } })
      for (const [dataset, requests] of [
        ['one-request', [sent]],
        ['two-requests', sent.map((event) => [event])],
        ['map', [inMaps]],
        ['map-in-two', inMaps.map((event) => [event])],
      ] as const) {
        for (const request of requests) {
          const { status, body } = await send(service, JSON.stringify(request), { dataset })
          expect([dataset, status, body.failures]).toEqual([dataset, 200, []])
        }
        expect(await events(service, dataset)).toEqual(dataset.startsWith('map') ? inMaps : sent)
      }
    },
  )

test('arrays that have null beside an array, and large integers beside decimals, are stored as they were sent, whatever came before', async () => {
  await using service = await startService()
  const lists = [...CASES.texts, ...CASES.meeting.map((array) => JSON.stringify(array))]
  const all = lists.map((l, n) => `{"n":${n},"l":${l}}`)
  for (const [dataset, events] of Object.entries({ forth: all, back: all.toReversed() })) {
    for (const event of events) expect((await send(service, event, { dataset })).body.failed).toBe(0)
    await send(service, `[${events.join()}]`, { dataset: `${dataset}-together` })
    for (const name of [dataset, `${dataset}-together`]) {
      const { text } = await apl(service, `['${name}'] | sort by n asc`, {}, 'legacy')
      expect([...text.matchAll(/"l":(.*?)(?:,"n":\d+)?\}\}/g)].map((found) => found[1])).toEqual(lists)
    }
  }
})
