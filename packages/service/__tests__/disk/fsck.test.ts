/**
 * `annotation-service fsck` on data directories that were damaged by hand: what is wrong is named with what to do, what loses nothing is
 * repaired, and the catalog is made again from the tables of events.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { countEvents } from '../query/ask.ts'

const root = folderForTests('fsck')
let seeded: string

beforeAll(async () => {
  seeded = join(root, 'seeded')
  const service = await startService({ dataDir: seeded })
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'web', description: 'of a shop' } })
  for (const dataset of ['web', 'api']) {
    const body = Array.from({ length: 200 }, (_, i) => ({ i, 'a.b': 'x', nested: { took: 1.5 }, ok: true, labels: { key: 'v' } }))
    await ask(service, 'POST', `/v1/datasets/${dataset}/ingest`, { body })
  }
  const integration = { name: 'shop', platform: 'github', datasets: ['web'], type: 'deploy', secret: 'a secret of the test' }
  await ask(service, 'POST', '/v2/integrations', { body: integration })
  await service.stop()
})

function copyData(name: string): string {
  execFileSync('cp', ['-a', seeded, join(root, name)])
  return join(root, name)
}

const fsck = (dataDir: string, ...flags: string[]) => runServiceCommand(['fsck', '--data', dataDir, ...flags])

const fieldsOf = async (service: RunningService, dataset: string) =>
  (await ask<{ name: string; type: string }[]>(service, 'GET', `/v2/datasets/${dataset}/fields`)).body
    .map(({ name, type }) => `${name}: ${type}`)
    .sort()

test('what is whole is said to be, and nothing is changed', async () => {
  const dataDir = copyData('whole')
  const before = readFileSync(join(dataDir, 'records.db'))
  expect(await fsck(dataDir)).toEqual({ exitCode: 0, stdout: 'nothing is damaged or unknown\n', stderr: '' })
  expect(readFileSync(join(dataDir, 'records.db')).equals(before)).toBe(true)
})

test('everything that is damaged or unknown is named with what to do', async () => {
  const dataDir = copyData('damaged')
  const part = readdirSync(join(dataDir, 'engine'), { recursive: true, encoding: 'utf8' }).find((path) =>
    /^data\/default\/events_\w+\/all_\d+_\d+_\d+\/data\.bin$/.test(path),
  ) as string
  const bytes = readFileSync(join(dataDir, 'engine', part))
  bytes[100] = (bytes[100] as number) ^ 1
  writeFileSync(join(dataDir, 'engine', part), bytes)
  rmSync(join(dataDir, 'write-ahead'), { recursive: true })
  const { exitCode, stdout } = await fsck(dataDir)
  expect(exitCode).toBe(1)
  for (const named of [/write-ahead: .*missing/, /dataset "(web|api)" .* is damaged: .*[Cc]hecksum/])
    expect(stdout).toMatch(named)
  expect(stdout).toContain('2 found')
})

test('what SQLite finds wrong in the file of the records is told by the check, the health, the metrics and the log', async () => {
  const dataDir = copyData('record')
  const file = join(dataDir, 'records.db')
  const database = new DatabaseSync(file)
  database.exec("insert into settings (name, value) values ('of the test', 'x')")
  database.close()
  const bytes = readFileSync(file)
  bytes[bytes.lastIndexOf('of the test')] = 'O'.charCodeAt(0)
  writeFileSync(file, bytes)
  const problem = /row \d+ missing from index sqlite_autoindex_settings_1/
  const found = await fsck(dataDir)
  expect([found.exitCode, found.stdout]).toEqual([1, expect.stringMatching(problem)])
  expect(found.stdout).toMatch(/^found {2}\S+\/records\.db: .*\n {7}restore it from a backup/m)
  await using service = await startService({ dataDir })
  const { body } = await ask<{ parts: object[] }>(service, 'GET', '/healthz')
  expect(body.parts).toContainEqual({ name: 'integrity', status: 'degraded', message: 'the file of the records is damaged' })
  expect((await ask<string>(service, 'GET', '/metrics')).body).toMatch(/annotation_service_missing\{kind="records"\} [1-9]/)
  expect(service.stderr).toMatch(problem)
  expect(service.stderr).toContain(`"path":${JSON.stringify(file)}`)
})

test('a file of the records that is no database is told by the check', async () => {
  const dataDir = copyData('no-database')
  writeFileSync(join(dataDir, 'records.db'), 'no database at all'.repeat(1_000))
  const { exitCode, stdout } = await fsck(dataDir)
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringMatching(/records\.db: file is not a database\n +restore it from a backup/),
  ])
})

test('a repair restores what has a copy, and afterwards nothing is found', async () => {
  const dataDir = copyData('repair')
  const definitions = join(dataDir, 'engine/metadata/default')
  const name = readdirSync(definitions).find((one) => one.startsWith('events_')) as string
  const whole = readFileSync(join(definitions, name), 'utf8')
  truncateSync(join(definitions, name))
  const found = await fsck(dataDir)
  expect([found.exitCode, found.stdout]).toEqual([1, expect.stringMatching(/its definition could not be read.*\n.*--repair/)])
  expect(readFileSync(join(definitions, name), 'utf8')).toBe('')
  const { exitCode, stdout } = await fsck(dataDir, '--repair')
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('repaired')])
  expect(readFileSync(join(definitions, name), 'utf8')).toBe(whole)
  expect((await fsck(dataDir)).stdout).toBe('nothing is damaged or unknown\n')
})

test('the catalog is made again from the tables: names, settings, fields and events', async () => {
  const dataDir = copyData('rebuilt')
  const kept = await startService({ dataDir })
  const fields = [await fieldsOf(kept, 'web'), await fieldsOf(kept, 'api')]
  await kept.stop()
  rmSync(join(dataDir, 'records.db'))
  await expect(startService({ dataDir })).rejects.toThrow('run annotation-service fsck --rebuild-catalog')
  const { exitCode, stdout } = await fsck(dataDir, '--rebuild-catalog')
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/rebuilt {2}dataset "(web|api)"/)])
  await using service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/v2/datasets/web')).body).toMatchObject({ description: 'of a shop' })
  expect([await fieldsOf(service, 'web'), await fieldsOf(service, 'api')]).toEqual(fields)
  expect([
    await countEvents(service, 'web', '| where nested.took > 1 and ok == true'),
    await countEvents(service, 'api'),
  ]).toEqual([200, 200])
})

test('a directory that a service uses is refused', async () => {
  await using service = await startService()
  const { exitCode, stderr } = await fsck(service.dataDir)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`is in use by process ${service.pid}`)])
})
