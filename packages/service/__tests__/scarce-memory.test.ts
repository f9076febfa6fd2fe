/**
 * The service where there is little memory: what is too much for it is refused, and the kernel has no reason to kill it.
 */
import { expect, test } from '@jest/globals'
import { startService } from '../../../__tests__/support/service.ts'
import { memoryArguments } from '../../event-store/src/engine/engine-memory.ts'
import { send } from './events/send.ts'
import { ask } from './http.ts'
import { makeMemoryGroup, testInMemoryGroup } from './memory-group.ts'
import { apl, ingest } from './query/ask.ts'

/** Pairs events that have a key in common, two hundred of each, and keeps all the texts: gigabytes, if it may. */
const GREEDY = `['big'] | join kind=inner (['big'] | project key, other = strcat(text, tostring(n))) on key
| summarize make_list(other, 1000000)`
const ROWS = 20_000
const ROUNDS = 4

testInMemoryGroup(
  'in 700 MB, a query that would take more is refused, whatever it may have, and events are stored meanwhile',
  async () => {
    using group = makeMemoryGroup(700)
    await using service = await startService({ ...group.start, args: ['--query-memory-max', '4096'] })
    const events = Array.from({ length: ROWS }, (_, n) => ({ n, key: `key ${n % 100}`, text: 'x'.repeat(400) }))
    await ingest(service, 'big', events)
    const sendAll = async () => {
      const statuses: number[] = []
      for (let round = 0; round < ROUNDS; round++)
        statuses.push((await send(service, JSON.stringify(events), { dataset: 'other' })).status)
      return statuses
    }
    const [statuses, ...answers] = await Promise.all([sendAll(), apl(service, GREEDY), apl(service, GREEDY)])
    for (const status of statuses) expect([200, 503]).toContain(status)
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([503, { code: 503, message: expect.stringContaining('the service has too little memory') }])
      expect(headers.get('retry-after')).toBe('1')
    }
    expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
    const acknowledged = ROWS * statuses.filter((status) => status === 200).length
    if (acknowledged > 0)
      expect((await apl(service, "['other'] | count")).body).toMatchObject({ tables: [{ columns: [[acknowledged]] }] })
  },
  300_000,
)

test('the engine leaves room for the rest of the process, and its caches leave room for queries', () => {
  const MIB = 1_048_576
  const mibOf = (name: string, bytes: number) =>
    Number(
      memoryArguments(bytes)
        .find((one) => one.startsWith(`--${name}=`))
        ?.split('=')[1],
    ) / MIB
  expect(mibOf('max_server_memory_usage', 700 * MIB)).toBe(240)
  expect(mibOf('max_server_memory_usage', 100 * MIB)).toBe(192)
  expect(mibOf('max_server_memory_usage', 16_400 * MIB)).toBe(12_800)
  expect(mibOf('mark_cache_size', 700 * MIB)).toBe(15)
  expect(mibOf('query_condition_cache_size', 16_400 * MIB)).toBe(100)
})
