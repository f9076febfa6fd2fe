/**
 * A dataset that is deleted at one service while events for it arrive at another.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'

const testOnServers = hasClickHouse && hasPostgres ? test : test.skip

testOnServers(
  'events for a dataset that is deleted elsewhere are stored, or refused in words',
  async () => {
    await using postgres = await startPostgres()
    await using clickhouse = await startClickHouse()
    const records = await postgres.createDatabase()
    const args = ['--postgres', records, '--clickhouse', clickhouse.url]
    const dirs = [mkdtempSync(join(tmpdir(), 'delete-race-')), mkdtempSync(join(tmpdir(), 'delete-race-'))]
    await using A = await startService({ dataDir: dirs[0] as string, args })
    await using B = await startService({ dataDir: dirs[1] as string, args })
    const found = new Map<number, number>()
    for (let round = 0; round < 25; round++) {
      await ask(A, 'POST', '/v1/datasets/raced/ingest', { body: [{}] })
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () => ask(B, 'POST', '/v1/datasets/raced/ingest', { body: [{ round }] })),
        ask(A, 'DELETE', '/v2/datasets/raced'),
      ])
      for (const { status } of answers) found.set(status, (found.get(status) ?? 0) + 1)
    }
    expect([...found.keys()].filter((status) => ![200, 204, 404, 503].includes(status))).toEqual([])
    expect(A.stderr + B.stderr).not.toContain('"code":"internal"')
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
  },
  240_000,
)
