/**
 * Kills aimed at each step of what changes files at rest: trims, expiry, the folding of the write-ahead log into tables, and the builds of
 * columns and indexes. The steps are found by what a whole run does to the names in the data directory, so that a new one is covered; then
 * the service is killed when a step is first seen, started again, and has everything that it should have.
 */
import { cpSync, type FSWatcher, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { isLong, tried } from '../../../../__tests__/support/long.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask } from '../http.ts'
import { countEvents, ingest } from '../query/ask.ts'

const root = folderForTests('aimed-kills')

/** In the short form every so many steps are tried; other ones in each operation. */
const SHORT_EVERY = 6

const DAY_MS = 86_400_000
const agoOf = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

const count = (service: RunningService, where = '') => countEvents(service, 'web', where)

interface Operation {
  args?: readonly string[]
  /** Fills the data directory that the operation is tried on. */
  seed(service: RunningService): Promise<void>
  /** Resolves when it is done. */
  run(service: RunningService, days?: number): Promise<void>
  /** After a kill and a start. @param isDone whether it was acknowledged before */
  check(service: RunningService, isDone: boolean): Promise<void>
}

const [OLD, NEW] = [6_000, 3_000]
const seedOldAndNew = async (service: RunningService) => {
  const some = (length: number, days: number) => Array.from({ length }, (_, i) => ({ _time: agoOf(days), i, days }))
  await ingest(service, 'web', some(OLD / 2, 90))
  await count(service)
  await ingest(service, 'web', [...some(OLD / 2, 90), ...some(NEW / 2, 1)])
  await count(service)
  await ingest(service, 'web', some(NEW / 2, 1))
  await count(service)
}
const isGone = (service: RunningService) =>
  until('what is too old is gone', async () => (await count(service, '| where days > 30')) === 0)

const REQUESTS = 40
/** Those of the last run. */
let acknowledged = 0
const [ROWS, WORD] = [110_000, 'checkout']
const events = (from: number) =>
  Array.from({ length: 10_000 }, (_, i) => {
    const n = from + i
    const [host, message] = [`host-${n % 20}`, `order ${n} of ${n % 50 === 0 ? WORD : 'cart'} was taken by the desk`]
    return { host, status: 200 + (n % 4), trace: `${n.toString(16)}-${(n * 7_919) % 1_000_003}`, message }
  })

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'a trim': {
    seed: seedOldAndNew,
    async run(service) {
      expect((await ask(service, 'POST', '/v2/datasets/web/trim', { body: { maxDuration: '30d' } })).status).toBe(200)
    },
    async check(service, isDone) {
      const old = await count(service, '| where days > 30')
      expect([await count(service, '| where days < 30'), old]).toEqual([NEW, isDone ? 0 : expect.any(Number)])
      await this.run(service)
      expect(await count(service)).toBe(NEW)
    },
  },
  expiry: {
    seed: seedOldAndNew,
    async run(service, days = 30) {
      const body = { useRetentionPeriod: true, retentionDays: days }
      expect((await ask(service, 'PUT', '/v2/datasets/web', { body })).status).toBe(200)
      await isGone(service)
    },
    async check(service) {
      expect(await count(service, '| where days < 30')).toBe(NEW)
      // A retention that was recorded is applied by the start. One that was not is set now; another one is begun at once.
      await this.run(service, 29)
      expect(await count(service)).toBe(NEW)
    },
  },
  'the folding of the log': {
    seed: async (service) => ingest(service, 'web', [{ request: -1 }]),
    async run(service) {
      for (acknowledged = 0; acknowledged < REQUESTS; acknowledged++)
        await ingest(service, 'web', [{ request: acknowledged }, { request: acknowledged }])
      await count(service)
      // The files of the log go when nothing was appended for a second.
      await sleep(1_500)
    },
    async check(service) {
      const key = (i: number) => ({ 'Idempotency-Key': `after-${i}` })
      const there = await count(service)
      const each = await count(
        service,
        '| summarize n = count() by request | where (request >= 0 and n != 2) or (request < 0 and n != 1)',
      )
      expect([there % 2, each, there >= 1 + 2 * acknowledged]).toEqual([1, 0, true])
      for (let i = 0; i < 2; i++)
        await ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{ request: 1e6 }], headers: key(i) })
      expect(await count(service)).toBe(there + 2)
    },
  },
  'the build of columns and indexes': {
    async seed(service) {
      for (let from = 0; from < ROWS; from += 10_000) await ingest(service, 'web', events(from))
      await count(service)
    },
    async run(service) {
      await until(
        'there are indexes',
        async () => (await count(service)) === ROWS && service.stderr.includes('"event":"indexes"'),
      )
      await sleep(4_000)
    },
    async check(service) {
      const wheres = ['', "| where host == 'host-3'", '| where status == 203', `| where message has '${WORD}'`]
      const traced = `| where trace == '${events(50_000)[7]?.trace}'`
      expect(await Promise.all([...wheres, traced].map((where) => count(service, where)))).toEqual([
        ROWS,
        ROWS / 20,
        ROWS / 4,
        ROWS / 50,
        1,
      ])
    },
  },
}

/** Names with their numbers and random parts left out; that of a part stands for its files. */
const kindOf = (path: string) =>
  path
    .replace(/^(engine\/store\/\w+\/[\w-]+\/[^/]+)\/.*/, '$1')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b(events|staging|records)_[0-9a-z]{8,}/g, '$1')
    .replace(/store\/[0-9a-f]{3}\b/, 'store/XXX')
    .replace(/\d+/g, 'N')

/** Calls with each kind of name that comes, goes or is written, when it is first seen. */
function watchSteps(dataDir: string, onStep: (kind: string) => void): FSWatcher {
  const seen = new Set<string>()
  return watch(dataDir, { recursive: true }, (event, path) => {
    if (path === null || /^(?:health|answers|records\.db)|\/system\//.test(path)) return
    const kind = `${event} ${kindOf(path)}`
    if (seen.has(kind)) return
    seen.add(kind)
    onStep(kind)
  }).on('error', () => undefined)
}

let copies = 0
function copyOf(seeded: string): string {
  const dataDir = join(root, `copy-${copies++}`)
  cpSync(seeded, dataDir, { recursive: true, verbatimSymlinks: true })
  return dataDir
}

/** @returns the steps in the order in which they are first seen */
async function findSteps(seeded: string, { run }: Operation): Promise<string[]> {
  const [dataDir, steps] = [copyOf(seeded), [] as string[]]
  await using service = await startService({ dataDir })
  const watcher = watchSteps(dataDir, (kind) => steps.push(kind))
  await run(service)
  watcher.close()
  return steps
}

async function killAt(step: string, seeded: string, operation: Operation): Promise<void> {
  const dataDir = copyOf(seeded)
  const service = await startService({ dataDir })
  let killed: Promise<unknown> | undefined
  const watcher = watchSteps(dataDir, (kind) => {
    if (kind === step) killed ??= service.kill()
  })
  const isDone = await operation.run(service).then(
    () => killed === undefined,
    () => false,
  )
  await (killed ?? service.kill())
  watcher.close()
  await using again = await startService({ dataDir })
  await operation.check(again, isDone)
  const { body } = await ask<{ parts: { status: string }[] }>(again, 'GET', '/healthz')
  expect([body.parts.filter(({ status }) => status !== 'ok'), /"event":"damaged"/.test(again.stderr)]).toEqual([[], false])
  await again.kill()
  rmSync(dataDir, { recursive: true, force: true })
}

test.each(Object.keys(OPERATIONS))(
  'a kill at each step of %s loses nothing, and it is done again',
  async (name) => {
    const operation = OPERATIONS[name] as Operation
    const seeded = join(root, name.replaceAll(' ', '-'))
    const service = await startService({ dataDir: seeded, args: ['--indexes', 'off'] })
    await operation.seed(service)
    await service.stop()
    const steps = await findSteps(seeded, operation)
    expect(steps.length).toBeGreaterThan(3)
    const first = Object.keys(OPERATIONS).indexOf(name)
    const some = isLong ? steps : steps.filter((_, index) => index % SHORT_EVERY === first % SHORT_EVERY)
    tried(some.length)
    for (const step of some) {
      try {
        await killAt(step, seeded, operation)
      } catch (error) {
        throw new Error(`after a kill at ${step}`, { cause: error })
      }
    }
  },
  900_000,
)
