/**
 * What was deleted below a stopped service is named as gone, and what a crash kept from the engine is made up for at the next start.
 */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask } from '../http.ts'
import { countEvents, ingest } from '../query/ask.ts'

const root = folderForTests('missing-parts')
const seeded = join(root, 'seeded')
const EVENTS = Array.from({ length: 200 }, (_, i) => ({ i }))

beforeAll(async () => {
  const service = await startService({ dataDir: seeded })
  for (let part = 0; part < 2; part++) {
    await ingest(service, 'web', EVENTS)
    await countEvents(service, 'web')
  }
  await service.stop()
})

function copyData(name: string): { dataDir: string } {
  const dataDir = join(root, name)
  cpSync(seeded, dataDir, { recursive: true, verbatimSymlinks: true })
  return { dataDir }
}

test('a retention that was recorded before a crash is applied to the table at the next start', async () => {
  const { dataDir } = copyData('retention')
  const database = new DatabaseSync(join(dataDir, 'records.db'))
  database.exec('update datasets set retention_days = 30')
  database.close()
  await using _service = await startService({ dataDir })
  const [file] = readdirSync(join(dataDir, 'definitions')).filter((name) => name.startsWith('events_'))
  await until('the table has the retention', () =>
    /TTL .*toIntervalDay\(30\)/.test(readFileSync(join(dataDir, 'definitions', file as string), 'utf8')),
  )
})

const IS_FILE = 'is a file, and the service keeps a folder there'
test.each([
  ['answers', IS_FILE],
  ['write-ahead', IS_FILE],
  ['records.db', 'is missing or empty, and there are events in'],
])('a start says that %s is gone, and what to do', async (name, problem) => {
  const { dataDir } = copyData(name)
  const path = join(dataDir, name)
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, '')
  await expect(startService({ dataDir })).rejects.toThrow(new RegExp(`${path} ${problem}.*from a backup`))
})

test('a table whose definition and its copy are both empty is named', async () => {
  const { dataDir } = copyData('no-definition')
  for (const directory of ['definitions', 'engine/metadata/default'])
    for (const name of readdirSync(join(dataDir, directory)))
      if (name.startsWith('events_')) truncateSync(join(dataDir, directory, name))
  await using service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'degraded', damagedDatasets: ['web'] })
})

test('the folder of the engine is for its owner alone', () => {
  expect(statSync(join(seeded, 'engine')).mode & 0o777).toBe(0o700)
})
