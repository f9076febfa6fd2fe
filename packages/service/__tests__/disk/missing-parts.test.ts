/**
 * Parts, tables and records that were deleted below a stopped service: each is named with its dataset and how many events are gone, until
 * somebody has dealt with it. What a crash kept from the engine is made up for at the next start.
 */
import { cpSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask } from '../http.ts'
import { ALWAYS, apl, countEvents, ingest } from '../query/ask.ts'

const root = folderForTests('missing-parts')
const seeded = join(root, 'seeded')

beforeAll(async () => {
  const service = await startService({ dataDir: seeded })
  for (let part = 0; part < 2; part++) {
    await ingest(service, 'web', Array(200).fill({ part }))
    await countEvents(service, 'web')
  }
  await service.stop()
})

function copyData(name: string): { dataDir: string; table: string } {
  const dataDir = join(root, name)
  cpSync(seeded, dataDir, { recursive: true, verbatimSymlinks: true })
  const tables = join(dataDir, 'engine/data/default')
  return { dataDir, table: realpathSync(join(tables, readdirSync(tables).find((one) => one.startsWith('events_')) as string)) }
}

test.each([
  ['a part', 'all_2_2_0', 200],
  ['the table', '', 400],
])(
  '%s whose folder is gone is named with its events, by each check and start, until the manifest is made anew',
  async (_, name, rows) => {
    const { dataDir, table } = copyData(`gone-${rows}`)
    rmSync(join(table, name), { recursive: true })
    const found = await runServiceCommand(['fsck', '--data', dataDir, '--repair'])
    expect([found.exitCode, found.stdout]).toEqual([1, expect.stringMatching(new RegExp(`dataset "web" .*\\b${rows} events`))])
    for (const start of [1, 2]) {
      await using service = await startService({ dataDir })
      const { body } = await ask<{ parts: object[] }>(service, 'GET', '/healthz')
      const message = `events of 1 dataset are damaged, ${rows} are missing`
      expect(body).toMatchObject({ status: 'degraded', damagedDatasets: ['web'] })
      expect(body.parts).toContainEqual({ name: 'integrity', status: 'degraded', message })
      if (name !== '') {
        const { body: answer } = await apl(service, "['web'] | count", ALWAYS)
        const message = { code: 'lost_events', msg: expect.stringContaining(`${rows} events of the dataset "web" are lost`) }
        expect(answer.status).toMatchObject({ isPartial: false, messages: [message] })
      }
      expect(service.stderr).toMatch(new RegExp(`"event":"damaged",.*"dataset":"web",.*"rows":${rows}`))
      // New parts get the numbers of those that are gone.
      if (name !== '' && start === 1) await ingest(service, 'web', [{ more: 1 }])
      await service.stop()
    }
    rmSync(join(dataDir, 'manifest'))
    await using service = await startService({ dataDir })
    expect(service.stderr).toContain('the list of the parts of all tables is missing')
    expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: name === '' ? 'degraded' : 'ok' })
  },
)

test.each([
  ['all that it was merged from is there, and a number between is of no part', 4, 'ok'],
  ['the last of what it was merged from is not', 5, 'degraded'],
])('of a merged part that a power cut broke before it was noted, %s', async (_, last, status) => {
  const { dataDir, table } = copyData(`merged-${last}`)
  const copy = (from: string, to: string) => cpSync(join(table, from), join(table, to), { recursive: true })
  copy('all_2_2_0', 'all_4_4_0')
  copy('all_2_2_0', `all_1_${last}_1`)
  truncateSync(join(table, `all_1_${last}_1`, 'checksums.txt'), 10)
  await using service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status })
  expect(await countEvents(service, 'web')).toBe(600)
})

test('a retention that was recorded before a crash is applied to the table at the next start', async () => {
  const { dataDir } = copyData('retention')
  const database = new DatabaseSync(join(dataDir, 'records.db'))
  database.exec('update datasets set retention_days = 30')
  database.close()
  await using _service = await startService({ dataDir })
  const definitions = join(dataDir, 'definitions')
  const path = join(definitions, readdirSync(definitions).find((name) => name.startsWith('events_')) as string)
  await until('the table has the retention', () => readFileSync(path, 'utf8').includes('toIntervalDay(30)'))
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

test('a table whose definition and its copy are both empty is named, and the folder of the engine is for its owner alone', async () => {
  expect(statSync(join(seeded, 'engine')).mode & 0o777).toBe(0o700)
  const { dataDir } = copyData('no-definition')
  for (const directory of ['definitions', 'engine/metadata/default'])
    for (const name of readdirSync(join(dataDir, directory)))
      if (name.startsWith('events_')) truncateSync(join(dataDir, directory, name))
  await using service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'degraded', damagedDatasets: ['web'] })
})
