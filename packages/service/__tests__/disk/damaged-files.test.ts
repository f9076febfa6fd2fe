/**
 * Files of the engine that it could not read, made by hand, each for a dataset of its own: what has a copy is whole again after
 * the next start, what has none is moved aside and named, and everything else works.
 */
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Health } from '@deployment-annotations/contract/health'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { until } from '../monitors/driven-service.ts'
import { apl } from '../query/ask.ts'

const DATASETS = ['empty', 'cut', 'cut-at-a-line', 'zeros', 'missing', 'version', 'mutation', 'part', 'whole'] as const
type Name = (typeof DATASETS)[number]

const root = folderForTests('damaged-files')
let seeded: string
const tables = new Map<string, string>()

beforeAll(async () => {
  seeded = join(root, 'seeded')
  const service = await startService({ dataDir: seeded })
  for (const name of DATASETS) {
    const before = new Set(readdirSync(join(seeded, 'definitions')))
    expect((await ask(service, 'POST', '/v2/datasets', { body: { name, retentionDays: 36_500 } })).status).toBe(200)
    const file = readdirSync(join(seeded, 'definitions')).find((one) => !before.has(one)) as string
    tables.set(name, file.replace('.sql', ''))
    await ask(service, 'POST', `/v1/datasets/${name}/ingest`, { body: [{ of: name }] })
  }
  await service.stop()
})

/** A copy of the data to be damaged. */
function copyData(name: string) {
  const dataDir = join(root, name)
  cpSync(seeded, dataDir, { recursive: true, verbatimSymlinks: true })
  const definition = (dataset: Name) => join(dataDir, 'engine/metadata/default', `${tables.get(dataset)}.sql`)
  const data = (dataset: Name) => realpathSync(join(dataDir, 'engine/data/default', tables.get(dataset) as string))
  return { dataDir, definition, data }
}

/** What a full disk, a power cut or a slip of the hand may leave of definitions. */
function damageDefinitions({ definition }: ReturnType<typeof copyData>): void {
  const text = readFileSync(definition('cut'), 'utf8')
  truncateSync(definition('empty'))
  truncateSync(definition('cut'), Math.floor(text.length / 2))
  truncateSync(definition('cut-at-a-line'), text.indexOf('\nSETTINGS') + 1)
  writeFileSync(definition('zeros'), Buffer.alloc(text.length))
  rmSync(definition('missing'))
}

const countOf = (service: RunningService, dataset: string) => apl(service, `['${dataset}'] | count`)

const damagedOf = async (service: RunningService) => (await ask<Health>(service, 'GET', '/healthz')).body.damagedDatasets

const linesOf = (service: RunningService, event: string) =>
  service.stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter((line) => line.event === event)

/** What docs/data.md says to do about a table that was moved aside. */
function bringBack(dataDir: string, dataset: Name): void {
  const table = tables.get(dataset) as string
  const aside = join(dataDir, 'damaged', table)
  const uuid = readdirSync(aside).find((name) => name !== `${table}.sql`) as string
  const other = readFileSync(join(dataDir, 'definitions', `${tables.get('whole')}.sql`), 'utf8')
  const definition = other.replace(/^(ATTACH TABLE _ UUID) '[^']*'/, `$1 '${uuid}'`).replace(/\nTTL .*/, '')
  writeFileSync(join(dataDir, 'engine/metadata/default', `${table}.sql`), definition)
  cpSync(join(aside, uuid), join(dataDir, 'engine/store', uuid.slice(0, 3), uuid), { recursive: true })
}

test('what has a copy is restored, and said so in the log', async () => {
  const copy = copyData('with-copies')
  const { dataDir, data } = copy
  damageDefinitions(copy)
  truncateSync(join(data('version'), 'format_version.txt'))
  writeFileSync(join(data('mutation'), 'mutation_9.txt'), '')
  // A table that was being made when the disk was full, and never acknowledged.
  const halfMade = join(dataDir, 'engine/metadata/default/events_00112233445566778899.sql')
  writeFileSync(halfMade, '')

  const service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
  for (const name of DATASETS) {
    expect([name, (await countOf(service, name)).body.tables]).toMatchObject([name, [{ columns: [[1]] }]])
    expect((await ask(service, 'POST', `/v1/datasets/${name}/ingest`, { body: [{ more: name }] })).status).toBe(200)
    expect((await ask(service, 'PUT', `/v2/datasets/${name}`, { body: { retentionDays: 30_000 } })).status).toBe(200)
  }
  const repairs = linesOf(service, 'repair').map(({ level, dataset, did }) => `${level} ${dataset ?? '-'} ${did}`)
  const restored = ['cut', 'cut-at-a-line', 'empty', 'missing', 'version', 'zeros'].map((name) => `warn ${name} restored`)
  expect(repairs.sort()).toEqual(['info - set aside', ...restored, 'warn mutation set aside'].sort())
  await service.stop()
  expect(existsSync(halfMade)).toBe(false)

  await using again = await startService({ dataDir })
  expect(linesOf(again, 'repair')).toEqual([])
  for (const name of DATASETS)
    expect([name, (await countOf(again, name)).body.tables]).toMatchObject([name, [{ columns: [[2]] }]])
})

test('what has no copy is moved aside and named, and everything else works', async () => {
  const copy = copyData('without-copies')
  const { dataDir, data } = copy
  damageDefinitions(copy)
  rmSync(join(dataDir, 'definitions'), { recursive: true })
  rmSync(data('version'), { recursive: true })
  const [part] = readdirSync(data('part')).filter((name) => name.startsWith('all_'))
  truncateSync(join(data('part'), part as string, 'data.bin'))
  const damaged = ['cut', 'cut-at-a-line', 'empty', 'missing', 'version', 'zeros']

  const service = await startService({ dataDir })
  const health = await ask(service, 'GET', '/healthz')
  expect(health).toMatchObject({ status: 200, body: { status: 'degraded', damagedDatasets: [...damaged, 'part'].sort() } })
  const named = linesOf(service, 'damaged').map(({ level, dataset }) => `${level} ${dataset}`)
  expect(named.sort()).toEqual([...damaged, 'part'].map((name) => `warn ${name}`).sort())
  for (const name of damaged) {
    const answers = [
      await countOf(service, name),
      await ask<{ message: string }>(service, 'POST', `/v1/datasets/${name}/ingest`, { body: [{ more: name }] }),
      await ask<{ message: string }>(service, 'POST', `/v2/datasets/${name}/trim`, { body: { maxDuration: '1h' } }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([503, expect.stringContaining(`the events of the dataset "${name}" are damaged`)])
    }
    // The place that is named has what is left.
    const place = /files are in (\S+);/.exec(answers[0]?.body.message as string)?.[1] as string
    expect(existsSync(place)).toBe(true)
    if (!['missing', 'version'].includes(name)) expect(readdirSync(place)).toHaveLength(2)
  }
  for (const name of ['whole', 'mutation']) expect((await countOf(service, name)).body.tables).toMatchObject([{ columns: [[1]] }])
  await service.stop()

  bringBack(dataDir, 'cut')
  await using again = await startService({ dataDir })
  damaged.shift()
  expect(await damagedOf(again)).toEqual([...damaged, 'part'].sort())
  expect((await countOf(again, 'cut')).body.tables).toMatchObject([{ columns: [[1]] }])
  expect(linesOf(again, 'repair')).toEqual([])
  for (const name of damaged) expect((await ask(again, 'DELETE', `/v2/datasets/${name}`)).status).toBe(204)
  // An answer may be from a look that was taken before.
  await until(async () => (await damagedOf(again))?.join() === 'part' || undefined)
  expect((await ask(again, 'POST', '/v1/datasets/empty/ingest', { body: [{ new: 1 }] })).status).toBe(200)
})

test('a merge that power cuts broke twice is set aside twice, and no damage', async () => {
  const { dataDir, data } = copyData('broken-merge')
  for (let cut = 0; cut < 2; cut++) {
    const part = readdirSync(data('whole')).find((name) => name.startsWith('all_')) as string
    const merged = join(data('whole'), part.replace(/\d+$/, '9'))
    cpSync(join(data('whole'), part), merged, { recursive: true })
    truncateSync(join(merged, 'data.bin'))
    await using service = await startService({ dataDir })
    expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
    expect((await countOf(service, 'whole')).body.tables).toMatchObject([{ columns: [[1]] }])
    await service.stop()
    expect(readdirSync(join(data('whole'), 'detached'))).toEqual([`ignored_${part.replace(/\d+$/, '9')}`])
  }
})

test('a flipped byte in the index of a part is named before anybody asks for its events', async () => {
  const { dataDir, data } = copyData('flipped')
  const [part] = readdirSync(data('part')).filter((name) => name.startsWith('all_'))
  const path = join(data('part'), part as string, 'primary.cidx')
  const bytes = readFileSync(path)
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 0x10
  writeFileSync(path, bytes)

  await using service = await startService({ dataDir })
  // Upkeep reads the index to find events that are too old.
  await until(async () => (await damagedOf(service))?.join() === 'part' || undefined)
  const { status, body } = await countOf(service, 'part')
  expect([status, body.message]).toEqual([500, expect.stringContaining('the events of the dataset "part" are damaged')])
  expect((await countOf(service, 'whole')).body.tables).toMatchObject([{ columns: [[1]] }])
})

test('a file of which the engine has no checksum is named by the query that comes upon it', async () => {
  const { dataDir, data } = copyData('no-checksum')
  const [part] = readdirSync(data('part')).filter((name) => name.startsWith('all_'))
  const path = join(data('part'), part as string, 'columns_substreams.txt')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('.size0', '>size0'))
  await using service = await startService({ dataDir })
  await ask(service, 'POST', '/v1/datasets/part/ingest', { body: [{ other: 1 }] })
  expect(await apl(service, "['part'] | where isnull(other)")).toMatchObject({ status: 500 })
  expect(await damagedOf(service)).toEqual(['part'])
})

test('a damaged table that everything depends on has no empty one put in its place', async () => {
  const { dataDir } = copyData('schema_versions')
  rmSync(join(dataDir, 'definitions'), { recursive: true })
  truncateSync(join(dataDir, 'engine/metadata/default/schema_versions.sql'))
  const { exitCode, stderr } = await runServiceCommand(['--data', dataDir, '--port', '0'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('the table schema_versions is damaged and cannot be repaired')
  expect(existsSync(join(dataDir, 'engine/metadata/default/schema_versions.sql'))).toBe(true)
})
