/**
 * Any file of a data directory, damaged between two runs of the service: one of each kind, found by what there is, so that a new kind is
 * covered. The service may go on as if nothing had happened only if nothing is missing; otherwise it refuses to start, answers with an
 * error, or its health is not ok.
 * Deliberately not here: SQLite's log `records.db-wal`. SQLite reads it up to the first frame that is not whole, as after a crash, and says
 * nothing of committed frames after it.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { isLong } from '../../../../__tests__/support/long.ts'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask, created } from '../http.ts'

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  flipped(path) {
    const bytes = readFileSync(path)
    const at = Math.floor(bytes.length / 2)
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

const root = folderForTests('any-file')
let seeded: string
let facts: unknown

beforeAll(async () => {
  seeded = join(root, 'seeded')
  let service = await startService({ dataDir: seeded })
  for (const dataset of ['one', 'two']) {
    // The parts of the other one are replaced by its retention, and those files have nothing to lose.
    const body = Array.from({ length: dataset === 'two' ? 400 : 300 }, (_, i) => ({ i, text: `of ${dataset} ${i}` }))
    await ask(service, 'POST', `/v1/datasets/${dataset}/ingest`, { body })
  }
  await ask(service, 'PUT', '/v2/datasets/one', { body: { useRetentionPeriod: true, retentionDays: 30_000 } })
  await created(service, { title: 'before' })
  await ask(service, 'POST', '/v2/tokens', { body: { name: 'ci', permissions: ['query|read'] } })
  if (isLong) await seedIndexed(service)
  const integration = { name: 'shop', platform: 'github', datasets: ['one'], type: 'deploy', secret: 'a secret of the test' }
  await ask(service, 'POST', '/v2/integrations', { body: integration })
  facts = await readFacts(service)
  // A service that stops knows its parts.
  await service.stop()
  service = await startService({ dataDir: seeded })
  for (let i = 0; i < 5; i++) await ask(service, 'POST', '/v1/datasets/one/ingest', { body: [{ last: i }] })
  await service.kill()
  const whole = await startService({ dataDir: copyData('whole') })
  facts = await readFacts(whole)
  await whole.kill()
})

/** A dataset of a size that has columns and indexes, and parts with a file for each column. */
async function seedIndexed(service: RunningService): Promise<void> {
  for (let from = 0; from < INDEXED; from += 10_000) {
    const body = Array.from({ length: 10_000 }, (_, i) => {
      const [n, trace] = [from + i, `${(from + i).toString(16)}-${((from + i) * 7_919) % 1_000_003}`]
      return {
        n,
        host: `host-${n % 20}`,
        status: 200 + (n % 4),
        trace,
        message: `order ${n} was ${n % 50 ? 'kept' : 'lost'} by the desk`,
      }
    })
    await ask(service, 'POST', '/v1/datasets/indexed/ingest', { body })
  }
  await countIndexed(service, '')
  await until('there are indexes', () => service.stderr.includes('"event":"indexes"'))
  await until('parts are merged and have their indexes', () =>
    [...listKinds(seeded).keys()].some((kind) => kind.includes('skp_idx')),
  )
}
const INDEXED = 110_000

async function countIndexed(service: RunningService, where: string): Promise<unknown> {
  const body = { apl: `['indexed'] ${where} | summarize count(), sum(n)`, startTime: 'now-1d', endTime: 'now+1d' }
  const answer = await ask<{ tables?: { columns: unknown[] }[] }>(service, 'POST', '/v1/datasets/_apl?format=tabular', { body })
  return [answer.status, answer.body.tables?.[0]?.columns]
}
/** Answered by a column, by both kinds of index, and by all events. */
const BY_INDEXES = [
  "| where host == 'host-3'",
  '| where status == 203',
  "| where trace == '19-197975'",
  "| where message has 'lost'",
  '',
]

function copyData(name: string): string {
  execFileSync('cp', ['-a', '--sparse=always', seeded, join(root, name)])
  return join(root, name)
}

/** Everything that was acknowledged, as a caller sees it. */
async function readFacts(service: RunningService): Promise<unknown> {
  const rows = async (dataset: string) => {
    const body = {
      apl: `['${dataset}'] | sort by _time asc, i asc`,
      startTime: 'now-1d',
      endTime: 'now+1d',
    }
    const answer = await ask<{ tables?: { columns: unknown[] }[]; status?: { isPartial: boolean } }>(
      service,
      'POST',
      '/v1/datasets/_apl?format=tabular',
      { body },
    )
    return [answer.status, answer.body.tables?.[0]?.columns, answer.body.status?.isPartial]
  }
  const lists = ['/v2/annotations', '/v2/tokens', '/v2/datasets', '/v2/integrations']
  const answers = await Promise.all(lists.map(async (path) => (await ask(service, 'GET', path)).body))
  const indexed = isLong ? await Promise.all(BY_INDEXES.map((where) => countIndexed(service, where))) : []
  return JSON.stringify([answers, await rows('one'), await rows('two'), indexed])
}

/** Every file, or folder, by its path with numbers and random names left out; the largest of each kind, which has the most to lose. */
function listKinds(directory: string, ofFolders = false): Map<string, string> {
  const kinds = new Map<string, string>()
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = statSync(join(directory, path), { throwIfNoEntry: false })
    // The data of tables is found by links, too.
    if (stats?.isFile() === ofFolders || !stats || stats.size === 0) continue
    if (/\/system\/|\/tmp_|^engine\/data\/|^records\.db-wal$/.test(path)) continue
    const kind = path
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID')
      .replace(/\b(events|staging|records)_[0-9a-z]{8,}/g, '$1')
      .replace(/store\/[0-9a-f]{3}(?=\/|$)/, 'store')
      .replace(/\d+/g, 'N')
    const known = kinds.get(kind)
    if (known === undefined || bytesOf(join(directory, path)) > bytesOf(join(directory, known))) kinds.set(kind, path)
  }
  return kinds
}

const bytesOf = (path: string) => Number.parseInt(execFileSync('du', ['-sb', path], { encoding: 'utf8' }), 10)

/** @returns what the service said, `whole` if nothing is missing, or `silent` if something is and nobody says so */
async function tryDamage(path: string, damage: string): Promise<string> {
  const dataDir = copyData(`${damage}`)
  try {
    ;(DAMAGES[damage] as (typeof DAMAGES)[string])(join(dataDir, path))
    let service: RunningService
    try {
      service = await startService({ dataDir })
    } catch (error) {
      const text = String(error)
      const { exitCode } = await runServiceCommand(['fsck', '--data', dataDir])
      if (exitCode !== 1) return 'refused, and nothing is found'
      return text.includes(dataDir) || /the table \w+|annotation-service fsck/.test(text)
        ? 'refused'
        : `refused without a name: ${text}`
    }
    const found = await readFacts(service)
    const health = await ask<{ status: string }>(service, 'GET', '/healthz', { token: null })
    await service.kill()
    if (found === facts) return 'whole'
    return health.body.status === 'ok' ? 'silent' : 'named'
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

test.each(Object.keys(DAMAGES))(
  'one file of each kind, %s, is never passed over in silence',
  async (damage) => {
    const outcomes: string[] = []
    const kinds = [...listKinds(seeded)]
    // All of them take minutes; the others are tried in their turn.
    const some = isLong
      ? kinds
      : kinds.filter((_, index) => index % Object.keys(DAMAGES).length === Object.keys(DAMAGES).indexOf(damage))
    for (const [kind, path] of some) {
      outcomes.push(`${kind}: ${await tryDamage(path, damage)}`)
    }
    if (process.env.SHOW_OUTCOMES) console.log(outcomes.join('\n'))
    expect(outcomes.filter((one) => !/: (whole|named|refused)$/.test(one))).toEqual([])
  },
  1_200_000,
)

test('a folder of each kind that is deleted is never passed over in silence', async () => {
  const outcomes: string[] = []
  for (const [kind, path] of listKinds(seeded, true)) outcomes.push(`${kind}: ${await tryDamage(path, 'deleted')}`)
  if (process.env.SHOW_OUTCOMES) console.log(outcomes.join('\n'))
  expect(outcomes.filter((one) => !/: (whole|named|refused)$/.test(one))).toEqual([])
}, 1_200_000)
