/**
 * Any file of a data directory, damaged between two runs of the service: one of each kind, found by what there is, so that a new kind is
 * covered. The service may go on as if nothing had happened only if nothing is missing; otherwise it refuses to start, or its health is
 * not ok. What belongs to one dataset, or is needless, is damaged at once, in each dataset another kind, so that one start shows all kinds.
 * Deliberately not here: SQLite's log `records.db-wal`. SQLite reads it up to the first frame that is not whole, as after a crash, and says
 * nothing of committed frames after it.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { isLong, tried } from '../../../../__tests__/support/long.ts'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask, created } from '../http.ts'
import { apl, ingest, ingestEach } from '../query/ask.ts'

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  flipped(path) {
    const bytes = readFileSync(path)
    // Zeros at the end of a file may have no meaning yet.
    const at = Math.floor(bytes.findLastIndex((byte) => byte !== 0) * 0.3)
    bytes[at] = (bytes[at] as number) ^ 0x10
    writeFileSync(path, bytes)
  },
  cut: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  zeroed(path) {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0, Math.floor(bytes.length / 2)))
  },
  emptied: (path) => truncateSync(path),
  deleted: (path) => rmSync(path, { recursive: true }),
}

/** As many as the table of a dataset has kinds of files. */
const DATASETS = Array.from({ length: 14 }, (_, n) => `dataset-${n}`)
/** Has a retention that was changed, and the files of that; the others have one from the beginning. */
const CHANGED = 'changed'
/** In the long form: of a size that has columns and indexes, and parts with a file for each column. */
const INDEXED = 'indexed'
const INDEXED_ROWS = 110_000

const root = folderForTests('any-file')
let seeded: string
let facts: Facts

beforeAll(async () => {
  seeded = join(root, 'seeded')
  let service = await startService({ dataDir: seeded })
  const retention = { useRetentionPeriod: true, retentionDays: 30_000 }
  for (const name of DATASETS) {
    await ask(service, 'POST', '/v2/datasets', { body: { name, ...retention } })
    const body = Array.from({ length: 300 }, (_, i) => ({ i, text: `of ${name} ${i}` }))
    await ingest(service, name, body)
  }
  await ingest(service, CHANGED, [{ i: 1 }])
  await ask(service, 'PUT', `/v2/datasets/${CHANGED}`, { body: retention })
  await created(service, { title: 'before' })
  await ask(service, 'POST', '/v2/tokens', { body: { name: 'ci', permissions: ['query|read'] } })
  if (isLong) await seedIndexed(service)
  const integration = { name: 'shop', platform: 'github', datasets: ['dataset-0'], type: 'deploy', secret: 'of the test' }
  await ask(service, 'POST', '/v2/integrations', { body: integration })
  await readFacts(service)
  // A service that stops knows its parts.
  await service.stop()
  service = await startService({ dataDir: seeded })
  for (let i = 0; i < 5; i++) await ingest(service, 'dataset-0', [{ last: i }])
  await service.kill()
  const whole = await startService({ dataDir: copyData('whole') })
  facts = await readFacts(whole)
  await whole.kill()
  expect(facts.get('*')?.match(/of dataset-/g)).toHaveLength(300 * DATASETS.length)
})

async function seedIndexed(service: RunningService): Promise<void> {
  await ingestEach(service, INDEXED, INDEXED_ROWS, (n) => ({
    n,
    host: `host-${n % 20}`,
    status: 200 + (n % 4),
    trace: `${n.toString(16)}-${(n * 7_919) % 1_000_003}`,
    message: `order ${n} was ${n % 50 ? 'kept' : 'lost'} by the desk`,
  }))
  await query(service, `['${INDEXED}'] | count`)
  await until('there are indexes', () => service.stderr.includes('"event":"indexes"'))
  // Files come and go meanwhile.
  const hasIndexes = () => spawnSync('find', [seeded, '-path', '*/all_*/skp_idx*']).stdout.length > 0
  await until('parts are merged and have their indexes', hasIndexes)
}

/** Answered by a column, by both kinds of index, and by all events. */
const BY_INDEXES = ["host == 'host-3'", 'status == 203', "trace == '19-197975'", "message has 'lost'", 'n >= 0']

async function query(service: RunningService, text: string): Promise<string> {
  const { status, body } = await apl(service, text, {}, 'tabular')
  return JSON.stringify(status === 200 ? [body.tables[0]?.columns, body.status.isPartial] : status)
}

function copyData(name: string): string {
  execFileSync('cp', ['-a', '--sparse=always', seeded, join(root, name)])
  return join(root, name)
}

/** Everything that was acknowledged, as a caller sees it: the events by their dataset, of all of them by `*`, and what else there is. */
type Facts = ReadonlyMap<string, string>

/** @param whole spares a query for each dataset where nothing is missing */
async function readFacts(service: RunningService, whole?: Facts): Promise<Facts> {
  const lists = ['/v2/annotations', '/v2/tokens', '/v2/datasets', '/v2/integrations']
  const answers = await Promise.all(lists.map(async (path) => (await ask(service, 'GET', path)).body))
  const all = await query(service, 'union dataset-* | sort by text asc, i asc, last asc | take 10000')
  const read = new Map([...(whole ?? []), ['', JSON.stringify(answers)], ['*', all]])
  if (all !== whole?.get('*'))
    for (const name of DATASETS) read.set(name, await query(service, `['${name}'] | sort by _time asc, i asc`))
  read.set(CHANGED, await query(service, CHANGED))
  if (!isLong) return read
  const indexed = BY_INDEXES.map((where) => query(service, `['${INDEXED}'] | where ${where} | summarize count(), sum(n)`))
  return read.set(INDEXED, (await Promise.all(indexed)).join('\n'))
}

interface Found {
  path: string
  /** The path with numbers and random names left out. */
  kind: string
  bytes: number
  /** The dataset in whose table it is. */
  dataset: string | undefined
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const TABLE = /\b(?:events|staging|records)_[0-9a-z]{8,}/

/** @returns the files, or folders, of the data; the largest, which have the most to lose, come first */
function listFiles(ofFolders = false): Found[] {
  const owners = new Map<string | undefined, string>()
  for (const name of readdirSync(join(seeded, 'definitions'))) {
    const definition = readFileSync(join(seeded, 'definitions', name), 'utf8')
    const dataset = /"name":"([\w-]+)"/.exec(definition)?.[1]
    if (dataset === undefined) continue
    for (const text of [name, definition]) owners.set((text === name ? TABLE : UUID).exec(text)?.[0], dataset)
  }
  const found = readdirSync(seeded, { recursive: true, encoding: 'utf8' }).flatMap((path): Found[] => {
    const stats = statSync(join(seeded, path), { throwIfNoEntry: false })
    if (!stats || stats.isFile() === ofFolders || stats.size === 0) return []
    // The data of tables, and their definitions, are found by links, too.
    if (/\/system\/|\/tmp_|\.tmp$|^engine\/data\/|^engine\/metadata\/default\/|^records\.db-wal$/.test(path)) return []
    const kind = path
      .replace(UUID, 'UUID')
      .replace(TABLE, (name) => name.split('_')[0] as string)
      .replace(/store\/[0-9a-f]{3}(?=\/|$)/, 'store')
      .replace(/\ball(_\d+)+/, 'part')
      .replace(/\d+/g, 'N')
    const dataset = owners.get(TABLE.exec(path)?.[0]) ?? owners.get(UUID.exec(path)?.[0])
    return [{ path, kind, dataset, bytes: stats.size }]
  })
  return found.sort((a, b) => b.bytes - a.bytes)
}

/** @returns what became of each file: `silent` if something is missing and nobody says so */
async function tryDamage(files: readonly Found[], damage: string): Promise<string[]> {
  const dataDir = copyData(damage)
  const each = (outcome: (file: Found) => string) => files.map((file) => `${file.kind}: ${outcome(file)}`)
  try {
    for (const { path } of files) (DAMAGES[damage] as (typeof DAMAGES)[string])(join(dataDir, path))
    let service: RunningService
    try {
      service = await startService({ dataDir })
    } catch (error) {
      const text = String(error)
      const { exitCode } = await runServiceCommand(['fsck', '--data', dataDir])
      if (exitCode !== 1) return each(() => 'refused, and nothing is found')
      if (files.length > 1) return each(() => `refused with others: ${text}`)
      const isNamed = text.includes(dataDir) || /the table \w+|annotation-service fsck/.test(text)
      return each(() => (isNamed ? 'refused' : `refused without a name: ${text}`))
    }
    const found = await readFacts(service, facts)
    const { body } = await ask<{ status: string; damagedDatasets?: string[] }>(service, 'GET', '/healthz', { token: null })
    await service.kill()
    const missing = [...facts.keys()].filter((name) => name !== '*' && found.get(name) !== facts.get(name))
    return each(({ dataset }) => {
      const isAlone = files.length === 1
      if (isAlone ? missing.length === 0 : !missing.includes(dataset ?? '')) return 'whole'
      if (dataset === undefined) return isAlone && body.status !== 'ok' ? 'named' : 'silent'
      return body.damagedDatasets?.includes(dataset) ? 'named' : 'silent'
    })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/** What the service has twice, or makes again. */
const NEEDLESS = /^definitions\b|^engine\/(?:data|inserts|tmp|status)$|^(?:answers|reserve|records\.db-shm)$/

/**
 * @param share one of so many kinds that may keep the service from starting is tried in the short form; the others are tried with another
 *   damage
 * @returns what became of one file, or folder, of each kind
 */
async function tryEach(damage: string, found: readonly Found[], share: number): Promise<string[]> {
  const outcomes: string[] = []
  const done = new Set<string>()
  const isAlone = ({ kind, dataset }: Found) => !NEEDLESS.test(kind) && (dataset === undefined || kind.endsWith('.sql'))
  for (;;) {
    const round = new Map<string, Found>()
    for (const file of found.filter((one) => !isAlone(one))) {
      const place = file.dataset ?? file.kind
      if (done.has(file.kind) || round.has(place)) continue
      round.set(place, file)
      done.add(file.kind)
    }
    if (round.size === 0) break
    outcomes.push(...(await tryDamage([...round.values()], damage)))
  }
  const alone = found.filter((one) => isAlone(one) && !done.has(one.kind)).toReversed()
  const kinds = [...new Map(alone.map((file) => [file.kind, file]))].sort()
  for (const [n, [, file]] of kinds.entries())
    if (isLong || n % share === Object.keys(DAMAGES).indexOf(damage) % share) outcomes.push(...(await tryDamage([file], damage)))
  return outcomes
}

function expectNoSilence(outcomes: readonly string[]): void {
  tried(outcomes.length)
  expect(outcomes.filter((one) => !/: (whole|named|refused)$/.test(one))).toEqual([])
}

test.each(Object.keys(DAMAGES))(
  'one file of each kind, %s, is never passed over in silence',
  async (damage) => {
    expectNoSilence(await tryEach(damage, listFiles(), Object.keys(DAMAGES).length))
  },
  1_200_000,
)

test('a folder of each kind that is deleted is never passed over in silence', async () => {
  expectNoSilence(await tryEach('deleted', listFiles(true), 2))
}, 1_200_000)
