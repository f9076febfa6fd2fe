/**
 * Random programs over random data: the engine's answer against that of a second, naive evaluator over plain arrays (`naive/`), which
 * shares the parser with the compiler and nothing else. The seed is in the names of the tests; run one again with FAST_CHECK_SEED=….
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { compile, type Dataset } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { lowered, storedInteger, storedText, type ValueLayout } from '../src/field.ts'
import { parseQuery } from '../src/parser.ts'
import { run } from './naive/pipelines.ts'
import { type Data, EVENTS, EXPRESSION, PROGRAM } from './naive/programs.ts'
import { type Row, shown, type Value } from './naive/values.ts'
import { Engine, readRows, type StoredEvent } from './support/engine.ts'

const START = 1_767_225_600_000_000_000n
const MINUTE = 60_000_000_000n
const MIXED = 'integer|string|boolean'
const FIELDS: Dataset['fields'] = new Map(
  Object.entries({
    id: 'integer',
    i: 'integer',
    k: 'integer',
    r: 'float',
    s: 'string',
    b: 'boolean',
    a: 'array',
    p: MIXED,
    q: MIXED,
  }).map(([name, type]) => [name, new Set(type.split('|'))]),
)

const seed = fc.readConfigureGlobal()?.seed ?? 1
/** How many sets of data, and how many programs and expressions are tried on each. */
const [SETS, PROGRAMS, SELECTS, EXPRESSIONS] = [runs(3, 50), runs(25, 200), runs(8, 40), 20]

let engine: Engine
beforeAll(() => {
  engine = new Engine()
})
afterAll(() => engine.close())

let tables = 0

/** What a table may keep of the field `s` beside the events; programs take turns at reading each, and each second one reads `k` by a column. */
const LAYOUTS: readonly (ValueLayout | undefined)[] = [undefined, { column: 'text_s' }, 'words']
let programs = 0

/** All of it, in a table that has rows already: what comes later is stored with them, and the rest is read as if it were. */
function addLayouts(table: string): void {
  const text = storedText('s') as string
  engine.sql(`ALTER TABLE ${table} ADD COLUMN text_s LowCardinality(Nullable(String)) MATERIALIZED ${text}`)
  engine.sql(`ALTER TABLE ${table} ADD INDEX words_s ${lowered(text)} TYPE text(tokenizer = splitByNonAlpha)`)
  const column = `code_k LowCardinality(Nullable(Int64)) MATERIALIZED ${storedInteger('k')}`
  engine.sql(`ALTER TABLE ${table} ADD COLUMN ${column} SETTINGS allow_suspicious_low_cardinality_types = 1`)
}

/** Two datasets of the same events, in a table of their own. */
async function load(events: readonly { minutes: number; data: Omit<Data, 'id'> }[]) {
  const table = `ds_naive_${tables++}`
  const stored: StoredEvent[] = events.map(({ minutes, data }, id) => ({
    timeNs: START + BigInt(minutes) * MINUTE,
    data: { id, ...data },
  }))
  const dataset = { name: 'data', table, fields: FIELDS }
  const half = Math.floor(stored.length / 2)
  await engine.load(dataset, stored.slice(0, half))
  addLayouts(table)
  await engine.load(dataset, stored.slice(half))
  const rows = stored.map(({ timeNs, data }): Row => ({ ...plain(data), _time: { timeNs } }))
  const layoutOf = (field: string) => {
    if (field === 'k') return programs % 2 === 0 ? { column: 'code_k' } : undefined
    return field === 's' ? LAYOUTS[programs % LAYOUTS.length] : undefined
  }
  const named = (name: string) => ({ name, table, fields: FIELDS, layoutOf })
  return {
    options: {
      datasets: new Map(['data', 'other'].map((name) => [name, named(name)])),
      range: { startNs: START, endNs: START + 30_000n * MINUTE },
      nowNs: START,
    },
    tables: new Map(['data', 'other'].map((name) => [name, rows])),
  }
}

function plain(data: object): Row {
  const values = Object.entries(data).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(BigInt) : typeof value === 'number' && name !== 'r' ? BigInt(value) : value,
  ])
  return Object.fromEntries(values) as Row
}

type World = Awaited<ReturnType<typeof load>>

function check(text: string, { options, tables: data }: World): void {
  programs++
  const plan = unlessTooLarge(() => compile(text, options))
  if (!plan) return
  const rows = unlessTooLarge(() => engine.query(plan))
  if (!rows) return
  const found = readRows(plan, rows)
  const expected = run(parseQuery(text).pipeline, data)
  const names = plan.columns.map(({ name }) => name)
  const byText = (rows: readonly object[], show: (value: unknown) => unknown) =>
    rows.map((row) => JSON.stringify(names.map((name) => show((row as Record<string, unknown>)[name] ?? null)))).sort()
  try {
    expect(byText(found, comparable)).toEqual(byText(expected, (value) => comparable(shown(value as Value))))
  } catch (error) {
    throw new Error(`${text}\n${error instanceof Error ? error.message : error}`)
  }
}

/** A random program may go over the bound on SQL, and is refused. */
function unlessTooLarge<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof QueryError ? error.code === 'limit' : String(error).includes('TOO_BIG_AST')) return undefined
    throw error
  }
}

/** Times by their nanoseconds, and floats to twelve digits: a sum depends on the order of its parts. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : Number(value.toPrecision(12))
  const time = typeof value === 'string' ? /^(\d{4}-\d\d-\d\dT[\d:]+)\.(\d{9})Z$/.exec(value) : null
  return time ? String(BigInt(Date.parse(`${time[1]}Z`)) * 1_000_000n + BigInt(time[2] as string)) : value
}

async function onRandomData<T>(of: fc.Arbitrary<T>, count: number, each: (one: T, world: World) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(EVENTS, fc.array(of, { minLength: count, maxLength: count }), async (events, all) => {
      const world = await load(events)
      for (const one of all) each(one, world)
    }),
    { numRuns: SETS, endOnFailure: true },
  )
}

const LIMIT_MS = 3_600_000

test(
  `${SETS * SELECTS * EXPRESSIONS} random expressions are what the evaluator says, seed ${seed}`,
  async () => {
    await onRandomData(
      fc.array(EXPRESSION, { minLength: EXPRESSIONS, maxLength: EXPRESSIONS }),
      SELECTS,
      (expressions, world) => {
        const text = (list: readonly string[]) => `data | project id, ${list.map((one, at) => `v${at} = ${one}`).join(', ')}`
        try {
          check(text(expressions), world)
        } catch {
          // Alone, so that the one that differs is the one that is shown.
          for (const one of expressions) check(text([one]), world)
        }
      },
    )
  },
  LIMIT_MS,
)

test(
  `${SETS * PROGRAMS} random programs answer what the evaluator does, seed ${seed}`,
  async () => {
    await onRandomData(PROGRAM, PROGRAMS, check)
  },
  LIMIT_MS,
)
