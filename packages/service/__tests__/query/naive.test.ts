/**
 * Random programs over random data, asked of real services, against the naive evaluator of the language's own tests: while others write to
 * the same dataset, first what its events are like and then values of other types. All data lie in one dataset, each set in a time of its own.
 *
 * `npm run test:with -- long packages/service/__tests__/query/naive` asks 20,000 programs, in turns of a service with columns and indexes
 * beside the events, one without that has its records in PostgreSQL, and one on a ClickHouse server. The seed is in the name of the test.
 * With NAIVE_SETS=10 it asks a tenth of them; each FAST_CHECK_SEED asks others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { isLong, runs, tried } from '../../../../__tests__/support/long.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { run } from '../../../apl/__tests__/naive/pipelines.ts'
import { DAY, EVENTS, PROGRAM, type RandomEvent, rowOf } from '../../../apl/__tests__/naive/programs.ts'
import { printRows } from '../../../apl/__tests__/naive/values.ts'
import { parseQuery } from '../../../apl/src/query/parser.ts'
import { apl, ingest, post, rowsOf } from './ask.ts'

const seed = fc.readConfigureGlobal()?.seed ?? 1
const sets = Number(process.env.NAIVE_SETS ?? 100)
const [SETS, PROGRAMS, AT_ONCE] = [runs(2, sets), runs(40, 200), runs(4, 15)]
const DATASETS = ['data', 'other']

const MINUTE_MS = 60_000
const START_MS = Date.parse('2026-01-01T00:00:00Z')
const SET_MS = 30_000 * MINUTE_MS
/** Before all that is asked for. */
const OTHERS_MS = Date.parse('2024-01-01T00:00:00Z')

const started = new AsyncDisposableStack()
const services: RunningService[] = []
const open = async (options: Parameters<typeof startService>[0]) =>
  services.push(started.use(await startService({ ...options, args: options?.args ?? [] })))
beforeAll(async () => {
  const postgres = isLong && hasPostgres ? started.use(await startPostgres()) : undefined
  await open({
    args: ['--indexes', 'off'],
    ...(postgres && { env: { ANNOTATION_SERVICE_POSTGRES: await postgres.createDatabase() } }),
  })
  if (!isLong) return
  await open({})
  await giveIndexes(services[1] as RunningService)
  if (hasClickHouse) await open({ args: ['--clickhouse', started.use(await startClickHouse()).url] })
}, 600_000)
afterAll(() => started.disposeAsync())

/** As JSON, in which every digit counts. */
const lineOf = ({ minutes, data }: RandomEvent, id: number, startMs: number, more = {}) =>
  JSON.stringify({ _time: new Date(startMs + minutes * MINUTE_MS).toISOString(), id, ...data, ...more })

/** A dataset is given columns and indexes once it has some size, here of the fields that it names. */
async function giveIndexes(service: RunningService): Promise<void> {
  await post(service, '/v2/datasets', { name: 'data', indexedFields: ['i', 'k', 's', 't', 'u', 'm', 'w', 'g', 'd.n', 'e.f'] })
  const events = fc.sample(EVENTS, { seed, numRuns: 600 }).flat()
  const words = ['connection', 'timeout', 'user', 'request', 'finished', 'retry', 'Straße']
  for (let batch = 0; batch < 12; batch++) {
    const lines = Array.from({ length: 10_000 }, (_, at) => {
      const event = events[at % events.length] as RandomEvent
      const message = `${event.data.m ?? ''} ${words[at % 7]} ${words[(at >> 3) % 7]} ${words[batch % 7]} after ${at} ms`
      // Of the room that events take up, an index of words has a share.
      const sizes = Array.from({ length: 16 }, (_, by) => ((batch * 10_000 + at + by) * 2_654_435_761 * (by + 3)) % 1_000_003)
      return lineOf(event, at, OTHERS_MS - SET_MS, { m: message, sizes })
    })
    await ingest(service, 'data', lines.join('\n'))
  }
  const added = () => /"event":"indexes".*"added":(.*)\]/.exec(service.stderr)?.[1]
  for (const endMs = Date.now() + 300_000; added() === undefined && Date.now() < endMs; ) await sleep(500)
  expect(added()).toMatch(/(?=.*"column of )(?=.*"integers of )(?=.*"words of m)/)
}

/** Values that the fields have not had. */
const STRAYS = ['zz', 5, 5.5, true, [1, 'x'], { deep: 1 }, null, 'NaN', '2026-01-01T00:00:00Z']
const strayed = (value: unknown) =>
  Object.fromEntries(['i', 'k', 'r', 's', 'b', 'l', 'f', 't', 'u', 'm', 'w', 'g', 'd.n', 'e.f'].map((name) => [name, value]))

/** Writes at other times until it is aborted, with strays in it once `isMixed` says so. */
async function writeOthers(service: RunningService, signal: AbortSignal, isMixed: () => boolean): Promise<number> {
  let written = 0
  for (const events of fc.sample(EVENTS, { seed: seed + 1, numRuns: 1_000 })) {
    if (signal.aborted) break
    const stray = isMixed()
      ? [JSON.stringify({ _time: new Date(OTHERS_MS).toISOString(), ...strayed(STRAYS[written % STRAYS.length]) })]
      : []
    for (const dataset of DATASETS)
      await ingest(service, dataset, [...events.map((event, id) => lineOf(event, id, OTHERS_MS)), ...stray].join('\n'))
    written++
    await sleep(isLong ? 2_000 : 20)
  }
  return written
}

interface World {
  events: readonly RandomEvent[]
  startMs: number
}

/** @returns what is found and what was expected, where the two differ */
async function findDifference(service: RunningService, program: string, { events, startMs }: World): Promise<object | undefined> {
  const text = program.replaceAll(DAY, `datetime(${new Date(startMs + 4 * 1_440 * MINUTE_MS).toISOString().slice(0, 10)})`)
  const range = { startTime: new Date(startMs).toISOString(), endTime: new Date(startMs + SET_MS).toISOString() }
  let { status, body } = await apl(service, text, range, 'tabular')
  // So many at once have to wait on a slow machine.
  for (; status === 429 || status === 503; { status, body } = await apl(service, text, range, 'tabular')) await sleep(1_000)
  // A random program may go over the bound on SQL, and is refused.
  if (/limit|too large/.test(`${body.detail?.errorType} ${body.message}`)) return undefined
  if (status !== 200) return { text, status, message: body.message }
  const rows = events.map((event, id) => rowOf(event, id, BigInt(startMs) * 1_000_000n))
  const names = (body.tables[0]?.fields ?? []).map(({ name }) => name)
  const wanted = run(parseQuery(text), new Map(DATASETS.map((name) => [name, rows])))
  const [found, expected] = [printRows(rowsOf(body), names), printRows(wanted, names)]
  return JSON.stringify(found) === JSON.stringify(expected) ? undefined : { text, found, expected }
}

test(
  `${SETS * PROGRAMS} random programs answer what the evaluator says while others write, seed ${seed}`,
  async () => {
    const arbitrary = fc.tuple(EVENTS, fc.array(PROGRAM, { minLength: PROGRAMS, maxLength: PROGRAMS }))
    const worlds = fc.sample(arbitrary, { seed, numRuns: SETS })
    const differences: object[] = []
    let set = 0
    for (const service of services) for (const name of DATASETS) await post(service, '/v2/datasets', { name })
    const enough = new AbortController()
    const writers = services.map((service) => writeOthers(service, enough.signal, () => set >= SETS / 2))
    for (const [events, programs] of worlds) {
      const world = { events, startMs: START_MS + set++ * SET_MS }
      const lines = events.map((event, id) => lineOf(event, id, world.startMs)).join('\n')
      for (const service of services) for (const name of DATASETS) await ingest(service, name, lines)
      tried(programs.length)
      for (let at = 0; at < programs.length; at += AT_ONCE) {
        const some = programs.slice(at, at + AT_ONCE).map((program, turn) => {
          const service = services[(at + turn) % services.length] as RunningService
          return findDifference(service, program, world)
        })
        differences.push(...(await Promise.all(some)).filter((difference) => difference !== undefined))
      }
    }
    enough.abort()
    expect(Math.min(...(await Promise.all(writers)))).toBeGreaterThan(SETS / 2)
    expect(differences).toEqual([])
  },
  3 * 3_600_000,
)
