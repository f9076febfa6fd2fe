/** Random events and queries: the engine's answer against that of a small in-memory model. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { type CompileOptions, compile, type Dataset } from '../src/compile.ts'
import { Engine, fieldsOf, readRows, type StoredEvent } from './support/engine.ts'

const START = 1_767_225_600_000_000_000n
type Event = StoredEvent & { readonly data: { n?: number; s?: string; m?: number | string; b?: boolean; id: number } }

let seed = 7
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
  return seed % below
}
const WORDS = ['alpha', 'Beta', 'gamma-1', 'ALPHA two', '', 'ü', '12']
// Many events share a time: pages end among them.
const EVENTS: readonly Event[] = Array.from({ length: 400 }, (_, id) => ({
  timeNs: START + BigInt(random(12)) * 600_000_000_000n,
  data: {
    id,
    ...(random(5) > 0 && { n: random(20) - 5 }),
    ...(random(5) > 0 && { s: WORDS[random(WORDS.length)] as string }),
    ...(random(5) > 0 && { m: random(2) === 0 ? random(4) : (['0', '1', 'x'][random(3)] as string) }),
    ...(random(4) > 0 && { b: random(2) === 0 }),
  },
}))

const dataset: Dataset = { name: 'model', table: 'ds_model', fields: fieldsOf(EVENTS) }
const options: CompileOptions = {
  datasets: new Map([['model', dataset]]),
  range: { startNs: START, endNs: START + 7_200_000_000_000n },
  nowNs: START,
}

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  await engine.load(dataset, EVENTS)
})
afterAll(() => engine.close())

interface Predicate {
  readonly text: string
  readonly holds: (event: Event['data']) => boolean
}

const numbers = fc.integer({ min: -6, max: 16 })
const comparisons: readonly [string, (a: number, b: number) => boolean, boolean][] = [
  ['==', (a, b) => a === b, false],
  ['!=', (a, b) => a !== b, true],
  ['<', (a, b) => a < b, false],
  ['>=', (a, b) => a >= b, false],
]
const simple: fc.Arbitrary<Predicate> = fc.oneof(
  fc.tuple(fc.constantFrom(...comparisons), numbers).map(([[operator, test, missing], value]) => ({
    text: `n ${operator} ${value}`,
    holds: ({ n }: Event['data']) => (n === undefined ? missing : test(n, value)),
  })),
  fc.tuple(fc.constantFrom(...comparisons), fc.integer({ min: 0, max: 3 })).map(([[operator, test, missing], value]) => ({
    text: `m ${operator} ${value}`,
    holds: ({ m }: Event['data']) => (m === undefined || Number.isNaN(Number(m)) ? missing : test(Number(m), value)),
  })),
  fc.constantFrom(...WORDS, 'l', 'ALP').map((word) => ({
    text: `s contains '${word}'`,
    holds: ({ s }: Event['data']) => s?.toLowerCase().includes(word.toLowerCase()) ?? false,
  })),
  fc
    .constantFrom(...WORDS)
    .map((word) => ({ text: `s !startswith_cs '${word}'`, holds: ({ s }: Event['data']) => !(s?.startsWith(word) ?? false) })),
  fc.constantFrom(...WORDS).map((word) => ({ text: `s in ('${word}', 'zz')`, holds: ({ s }: Event['data']) => s === word })),
  fc.constantFrom('0', '1', 'x').map((word) => ({ text: `m == '${word}'`, holds: ({ m }: Event['data']) => String(m) === word })),
  fc.tuple(numbers, numbers).map(([a, b]) => ({
    text: `n between (${a} .. ${b})`,
    holds: ({ n }: Event['data']) => n !== undefined && n >= a && n <= b,
  })),
  fc.constant({ text: 'b', holds: ({ b }: Event['data']) => b === true }),
  fc.constant({ text: 'isnull(n)', holds: ({ n }: Event['data']) => n === undefined }),
)
const predicate: fc.Arbitrary<Predicate> = fc.letrec<{ any: Predicate }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => ({
      text: `(${a.text}) and (${b.text})`,
      holds: (event: Event['data']) => a.holds(event) && b.holds(event),
    })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => ({
      text: `(${a.text}) or (${b.text})`,
      holds: (event: Event['data']) => a.holds(event) || b.holds(event),
    })),
    tie('any').map((a) => ({ text: `not(${a.text})`, holds: (event: Event['data']) => !a.holds(event) })),
  ),
})).any

const newestFirst = (a: Event, b: Event) => (a.timeNs === b.timeNs ? b.data.id - a.data.id : a.timeNs < b.timeNs ? 1 : -1)
const run = (text: string, extra: Partial<CompileOptions> = {}) => {
  const plan = compile(text, { ...options, ...extra })
  const rows = engine.query(plan)
  return { plan, rows, objects: readRows(plan, rows), matched: engine.query(plan.count)[0]?.[0] }
}

test('where, sort and limit agree with the model', () => {
  fc.assert(
    fc.property(
      predicate,
      fc.constantFrom('n', 'id', '_time'),
      fc.boolean(),
      fc.integer({ min: 0, max: 30 }),
      (filter, field, descending, limit) => {
        const { objects, matched } = run(
          `model | where ${filter.text} | sort by ${field} ${descending ? 'desc' : 'asc'} | limit ${limit} | project id`,
        )
        const value = ({ data, timeNs }: Event) => (field === '_time' ? timeNs : field === 'n' ? data.n : data.id)
        const sign = descending ? -1 : 1
        const found = EVENTS.filter(({ data }) => filter.holds(data)).sort((a, b) => {
          const [x, y] = [value(a), value(b)]
          if (x === y) return field === '_time' ? sign * (a.data.id - b.data.id) : newestFirst(a, b)
          // Nulls come first when ascending, last when descending.
          return x === undefined ? -sign : y === undefined ? sign : x < y ? -sign : sign
        })
        expect(objects.map(({ id }) => id)).toEqual(found.slice(0, limit).map(({ data }) => data.id))
        expect(matched).toBe(found.length)
      },
    ),
    { numRuns: runs(80, 250) },
  )
})

test('summarize agrees with the model', () => {
  fc.assert(
    fc.property(predicate, fc.constantFrom('s', 'm', 'b', 'n'), (filter, key) => {
      const { objects } = run(
        `model | where ${filter.text} | summarize count(), total = sum(n), least = min(n), known = countif(isnotnull(n)), different = dcount(n) by key = ${key}`,
      )
      const groups = new Map<string, Event[]>()
      for (const event of EVENTS.filter(({ data }) => filter.holds(data))) {
        const text = JSON.stringify(event.data[key as 'n'] ?? null)
        groups.set(text, [...(groups.get(text) ?? []), event])
      }
      const expected = [...groups].map(([text, events]) => {
        const values = events.map(({ data }) => data.n).filter((n) => n !== undefined)
        return {
          key: JSON.parse(text),
          count_: events.length,
          total: values.length === 0 ? null : values.reduce((sum, n) => sum + n, 0),
          least: values.length === 0 ? null : Math.min(...values),
          known: values.length,
          different: new Set(values).size,
        }
      })
      const byText = (row: object) => JSON.stringify(row)
      expect(objects.map(byText).sort()).toEqual(expected.map(byText).sort())
    }),
    { numRuns: runs(50, 150) },
  )
})

test.each(['asc', 'desc'])('pages in %s order return every row once, in order', (direction) => {
  fc.assert(
    fc.property(predicate, fc.integer({ min: 5, max: 60 }), (filter, size) => {
      const seen: number[] = []
      let cursor: CompileOptions['cursor']
      const text = `model | where ${filter.text} | sort by _time ${direction} | limit ${size} | project id`
      const total = run(text).matched
      for (let pages = 0; pages < 500; pages++) {
        const { plan, rows, objects, matched } = run(text, { cursor })
        expect(plan.paging).toBe(direction === 'asc' ? 'ascending' : 'descending')
        expect(matched).toBe(total)
        seen.push(...objects.map(({ id }) => id as number))
        const last = rows.at(-1)
        if (!last) break
        const time = last[plan.cells.time as number] as string
        cursor = {
          timeNs: BigInt(Date.parse(time)) * 1_000_000n,
          row: BigInt(last[plan.cells.row as number] as number),
          inclusive: false,
        }
        const again = run(text, { cursor: { ...cursor, inclusive: true } })
        expect(again.objects[0]?.id).toBe(seen.at(-1))
      }
      const found = EVENTS.filter(({ data }) => filter.holds(data))
        .sort(newestFirst)
        .map(({ data }) => data.id)
      expect(seen).toEqual(direction === 'asc' ? found.reverse() : found)
    }),
    { numRuns: runs(3, 8) },
  )
})

test('the interval is closed at its start and open at its end', () => {
  const times = [...new Set(EVENTS.map(({ timeNs }) => timeNs))].sort()
  const [from, to] = [times[2] as bigint, times[5] as bigint]
  const { matched } = run('model', { range: { startNs: from, endNs: to } })
  expect(matched).toBe(EVENTS.filter(({ timeNs }) => timeNs >= from && timeNs < to).length)
})
