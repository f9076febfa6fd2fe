/**
 * Data of an earlier version taken over by a service whose records are in PostgreSQL, and by several that start at once over tables
 * on a ClickHouse server.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { isLong } from '../../../../__tests__/support/long.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask, asThen, seen, tablesIn } from './earlier-answers.ts'
import { unpackEarlierData } from './earlier-data.ts'
import { kill, startUnwatched } from './unwatched-start.ts'

if (!hasPostgres) console.warn('skipped: this machine has no PostgreSQL server to start')
const testOnPostgres = hasPostgres ? test : test.skip
const testOnBoth = hasPostgres && hasClickHouse ? test : test.skip

let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(() => postgres?.[Symbol.asyncDispose]())

const inPostgres = async () => ({ ANNOTATION_SERVICE_RECORDS: await postgres.createDatabase() })

testOnPostgres(
  'a data directory goes into PostgreSQL',
  async () => {
    using earlier = unpackEarlierData('version-4-killed')
    const env = await inPostgres()
    for (let round = 0; round < 2; round++) {
      await using service = await startService({ dataDir: earlier.dataDir, env })
      expect(earlier.expected).toMatchObject(await seen(service, earlier.expected, env))
      await service.stop()
    }
    expect(await tablesIn(earlier.dataDir)).toEqual(['events_…', 'records_…', 'schema_versions'])
    expect(existsSync(join(earlier.dataDir, 'tokens.json.taken-over'))).toBe(true)
  },
  120_000,
)

testOnPostgres(
  'a start into PostgreSQL that is killed is finished by the next one',
  async () => {
    using earlier = unpackEarlierData('version-4-killed')
    const env = await inPostgres()
    for (const ms of isLong ? [600, 900, 1_200, 1_500] : [600, 1_200]) {
      const child = startUnwatched(earlier.dataDir, env)
      await sleep(ms)
      await kill(child)
    }
    await using service = await startService({ dataDir: earlier.dataDir, env })
    expect(earlier.expected).toMatchObject(await seen(service, earlier.expected, env))
  },
  120_000,
)

testOnBoth(
  'of two services that start at once over one server, one takes its tables over, and both answer alike',
  async () => {
    using earlier = unpackEarlierData('version-3')
    await using server = await startClickHouse({ directory: join(earlier.dataDir, 'engine') })
    const other = mkdtempSync(join(tmpdir(), 'earlier-shared-'))
    const env = { ...(await inPostgres()), ANNOTATION_SERVICE_CLICKHOUSE: server.url }
    const [first, second] = await Promise.all([earlier.dataDir, other].map((dataDir) => startService({ dataDir, env })))
    await using stack = new AsyncDisposableStack()
    for (const service of [first, second]) {
      if (!service) throw new Error('it did not start')
      stack.use(service)
      const { annotations, datasets, monitors } = earlier.expected
      for (const [path, body] of Object.entries({ annotations, datasets, monitors })) {
        const answer = await ask(service, 'GET', `/v2/${path}`)
        expect([answer.status, asThen(path, answer.body)]).toEqual([200, body])
      }
    }
    expect([first, second].filter((service) => service?.stderr.includes('"event":"taken over"'))).toHaveLength(1)
    rmSync(other, { recursive: true, force: true })
  },
  120_000,
)
