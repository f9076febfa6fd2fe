/**
 * Lists of annotations by time: the same as a plain reading of all of them finds, in either direction and on any page, with an index for
 * each part of the statement.
 */
import { expect, test } from '@jest/globals'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { listAnnotations } from '../src/annotations/annotation-lists.ts'
import {
  insertAnnotation,
  type ListPosition,
  type StoredAnnotation,
  type StoredFilter,
} from '../src/annotations/annotation-records.ts'
import type { RecordsDatabase } from '../src/database/records.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

const S = 1_000_000_000n
const DAY = 86_400n * S
/** Durations on both sides of every class, and some that end in the middle of a second. */
const DURATIONS = [
  1n,
  S / 2n,
  59n * S,
  60n * S,
  61n * S,
  61n * S - 1n,
  3_600n * S,
  3_601n * S,
  DAY,
  DAY + 2n * S,
  30n * DAY,
  31n * DAY,
]
const FIRST = -2_208_988_800n * S
const LAST = 9_223_372_036_854_775_807n

/** The same numbers in every run. */
function makeRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function makeAnnotations(count: number): StoredAnnotation[] {
  const random = makeRandom(7)
  const made = Array.from({ length: count }, (_, i): StoredAnnotation => {
    // Around the epoch, where a division of times changes its direction.
    const timeNs = BigInt(random(4_000) - 2_000) * 1_800n * S + BigInt(random(3)) * (S / 3n)
    const kind = random(10)
    return {
      id: `ann_${String(i).padStart(5, '0')}`,
      datasets: random(4) === 0 ? ['a', 'b'] : [random(2) === 0 ? 'a' : 'c'],
      timeNs,
      ...(kind > 4 && { endTimeNs: timeNs + (DURATIONS[random(DURATIONS.length)] as bigint) }),
      ...(kind === 0 && { open: true }),
      type: 'deploy',
      createdAtMs: 0,
      createdBy: 't',
    }
  })
  const whole = { datasets: ['a'], type: 'deploy', createdAtMs: 0, createdBy: 't' }
  return [...made, { ...whole, id: 'ann_whole', timeNs: FIRST, endTimeNs: LAST }]
}

const insertAll = (all: readonly StoredAnnotation[]) => async (db: RecordsDatabase) => {
  for (const one of all) await insertAnnotation(db, one)
}

function expected(all: readonly StoredAnnotation[], { startNs, endNs, datasets }: StoredFilter): string[] {
  const sorted = [...all].sort((a, b) => (a.timeNs < b.timeNs || (a.timeNs === b.timeNs && a.id < b.id) ? -1 : 1))
  const isListed = ({ timeNs, endTimeNs = timeNs, open, ...one }: StoredAnnotation) =>
    (startNs === undefined || open === true || endTimeNs >= startNs) &&
    (endNs === undefined || timeNs <= endNs) &&
    (!datasets || datasets.some((name) => one.datasets.includes(name)))
  return sorted.filter(isListed).map(({ id }) => id)
}

async function walk(db: RecordsDatabase, filter: StoredFilter, order: 'asc' | 'desc', limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let after: ListPosition | undefined; ; ) {
    const page = await listAnnotations(db, filter, { limit, after, order })
    ids.push(...page.map(({ id }) => id))
    after = page.at(-1)
    if (!after) return ids
  }
}

places.each((at) => {
  test('every list is that of a plain reading, in both directions, whatever its pages', async () => {
    // More than are read as a whole where a dataset has few.
    const all = makeAnnotations(2_300)
    await at.records.transaction(insertAll(all))
    const random = makeRandom(11)
    for (let round = 0; round < 24; round++) {
      const startNs = BigInt(random(4_200) - 2_100) * 1_800n * S + BigInt(random(3)) * (S / 3n)
      const filter: StoredFilter = {
        ...(round % 5 !== 0 && { startNs }),
        ...(round % 3 !== 0 && { endNs: startNs + (DURATIONS[random(DURATIONS.length)] as bigint) }),
        ...(round % 2 === 0 && { datasets: [['a'], ['b'], ['a', 'c'], ['none']][random(4)] as string[] }),
      }
      const wanted = expected(all, filter)
      const limit = [500, 10_000][random(2)] as number
      expect(await walk(at.records.read, filter, 'asc', limit)).toEqual(wanted)
      expect(await walk(at.records.read, filter, 'desc', limit)).toEqual(wanted.toReversed())
    }
  }, 60_000)
})

test('no part of a list of the last hour reads all annotations', async () => {
  await using at = await places.open('SQLite')
  const { records } = at
  await records.transaction(insertAll(makeAnnotations(2_300)))
  const plans: string[] = []
  const statements: RootOperationNode[] = []
  const remembering: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const db = records.read.withPlugin(remembering)
  for (const filter of [{}, { datasets: ['a'] }])
    await listAnnotations(db, { startNs: 0n, endNs: 3_600n * S, ...filter }, { limit: 5_000 })
  for (const node of statements) {
    const list = records.read.getExecutor().compileQuery(node, { queryId: 'list' })
    const explain = CompiledQuery.raw(`explain query plan ${list.sql}`, [...list.parameters])
    const { rows } = await records.read.executeQuery<{ detail: string }>(explain)
    plans.push(...rows.map(({ detail }) => detail))
  }
  const reads = plans.filter((detail) => /annotations/.test(detail))
  expect(reads.length).toBeGreaterThanOrEqual(14)
  expect(reads.filter((detail) => /^SCAN annotation/.test(detail))).toEqual([])
  expect(plans.filter((detail) => /TEMP B-TREE/.test(detail))).toEqual([])
})
