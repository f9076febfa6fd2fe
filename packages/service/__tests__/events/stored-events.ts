/**
 * What is in the store after the service has ended: read from its files by the engine itself, in a process of its own
 * (this file is that process's program too), so that a test compares with what was kept and not with what was answered.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_24 } from '../../../../__tests__/support/service.ts'

export interface StoredEvent {
  /** Nanoseconds. */
  time: string
  row: string
  /** As the engine prints it: JSON text, numbers as they are. */
  data: string
}

/**
 * @param merged after the engine has merged all parts into one, which must change nothing
 * @returns the events of each dataset, in the order of time and row
 */
export function readStoredEvents(dataDir: string, merged = false): Record<string, StoredEvent[]> {
  const output = execFileSync(NODE_24, [fileURLToPath(import.meta.url), dataDir, merged ? 'merged' : ''], {
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  })
  return JSON.parse(output) as Record<string, StoredEvent[]>
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { openEmbeddedEngine } = await import('../../../event-store/src/embedded/embedded-engine.ts')
  const { wholeEvent } = await import('../../src/query/json-text.ts')
  const { openRecords } = await import('../../../records/src/open-records.ts')
  const { databasesOf } = await import('../../../../__tests__/support/shared-servers.ts')
  const dataDir = process.argv[2] as string
  const { ANNOTATION_SERVICE_POSTGRES: server } = await databasesOf(dataDir)
  const records = await openRecords(dataDir, server === undefined ? undefined : new URL(server))
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const found: Record<string, StoredEvent[]> = {}
  for (const { name, table_name } of await records.read
    .selectFrom('datasets')
    .select(['name', 'table_name'])
    .orderBy('name')
    .execute()) {
    if (process.argv[3] === 'merged') await engine.run('OPTIMIZE TABLE {table:Identifier} FINAL', { table: table_name })
    const rows = await engine.select<StoredEvent & { rest: string }>(
      `SELECT toString(toUnixTimestamp64Nano(_time)) AS time, toString(_row) AS row, toJSONString(data) AS data, toJSONString(rest) AS rest
FROM {table:Identifier} ORDER BY _time, _row`,
      { table: table_name },
    )
    found[name] = rows.map(({ time, row, data, rest }) => ({ time, row, data: wholeEvent(`[${data},${rest}]`) }))
  }
  await engine.close()
  await records.close()
  process.stdout.write(JSON.stringify(found))
}
