/**
 * Arrays of null beside arrays of anything else in one field: whatever came first, both are stored as they were sent.
 */
import { afterAll, expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { apl } from '../query/ask.ts'
import { send } from './send.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

const ARRAYS = [
  [],
  [null],
  [null, null],
  [[]],
  [[null]],
  [[1], [null]],
  [{}],
  [{ a: 1 }],
  [null, { a: 1 }],
  [{ a: [null] }, { a: [[1]] }],
  [[{ a: 1 }]],
  [1],
  ['x', null],
]
/** Each two of them meet in a field of their own, in either order. */
const [FIRST, SECOND] = [0, 1].map((which) =>
  Object.fromEntries(ARRAYS.flatMap((a, i) => ARRAYS.map((b, j) => [`f${i}x${j}`, [a, b][which]]))),
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

test('an array with null beside an array is refused, and costs nothing but its event', async () => {
  await using service = await startService()
  const refused = [[null, []], [[1], null], [[null], [[1]]], [{ a: [null, [1]] }]]
  const { body } = await send(service, JSON.stringify([...refused.map((l) => ({ l })), ...ARRAYS.map((l) => ({ l }))]))
  expect(body.failures.map(({ error }) => error)).toEqual(
    refused.map((_, i) => `event ${i}: the field "l": null beside an array in an array cannot be stored; leave it out`),
  )
  expect(body.ingested).toBe(ARRAYS.length)
})
