/**
 * Random data in a table of the real engine, with what a table may keep beside the events, and a program asked of it and of the evaluator.
 * Deliberately not here: which data and programs.
 */
import { compile, type Dataset } from '../../src/compile.ts'
import { QueryError } from '../../src/error.ts'
import { parseQuery } from '../../src/query/parser.ts'
import { lowered, storedInteger, storedText, type ValueLayout } from '../../src/sql/field.ts'
import { type Engine, readRows, type StoredEvent } from '../support/engine.ts'
import { readGolden } from '../support/golden.ts'
import { run } from './pipelines.ts'
import { type RandomEvent, rowOf } from './programs.ts'
import { printRows } from './values.ts'

const START = 1_767_225_600_000_000_000n
const MINUTE = 60_000_000_000n
const FIELDS: Dataset['fields'] = new Map(
  Object.entries(readGolden<{ fields: Readonly<Record<string, string>> }>('naive').fields).map(([name, types]) => [
    name,
    new Set(types.split('|')),
  ]),
)

/** Programs take turns at reading these fields as the table keeps them beside the events, or as they are there. */
const LAYOUTS: Readonly<Record<string, readonly (ValueLayout | undefined)[]>> = {
  s: [undefined, { column: 'text_s' }],
  k: [undefined, { column: 'code_k' }, undefined],
  m: ['words', undefined, 'words'],
}
let programs = 0

/** All of it, in a table that has rows already: what comes later is stored with them, and the rest is read as if it were. */
function addLayouts(engine: Engine, table: string): void {
  const column = `text_s LowCardinality(Nullable(String)) MATERIALIZED ${storedText('s')}`
  engine.sql(`ALTER TABLE ${table} ADD COLUMN ${column}`)
  engine.sql(
    `ALTER TABLE ${table} ADD INDEX words_m ${lowered(storedText('m') as string)} TYPE text(tokenizer = splitByNonAlpha)`,
  )
  const codes = `code_k LowCardinality(Nullable(Int64)) MATERIALIZED ${storedInteger('k')}`
  engine.sql(`ALTER TABLE ${table} ADD COLUMN ${codes} SETTINGS allow_suspicious_low_cardinality_types = 1`)
}

let tables = 0

/** Two datasets of the same events, in a table of their own. */
export async function load(engine: Engine, events: readonly RandomEvent[]) {
  const table = `ds_naive_${tables++}`
  const lines: StoredEvent[] = events.map(({ minutes, data }, id) => ({
    timeNs: START + BigInt(minutes) * MINUTE,
    data: stored({ id, ...data }) as object,
  }))
  const dataset = { name: 'data', table, fields: FIELDS }
  const half = Math.floor(lines.length / 2)
  await engine.load(dataset, lines.slice(0, half))
  addLayouts(engine, table)
  await engine.load(dataset, lines.slice(half))
  const rows = events.map((event, id) => rowOf(event, id, START))
  const layoutOf = (field: string) => LAYOUTS[field]?.[programs % (LAYOUTS[field]?.length ?? 1)]
  const named = (name: string) => ({ name, table, fields: FIELDS, layoutOf, pathOf })
  return {
    options: {
      datasets: new Map(['data', 'other'].map((name) => [name, named(name)])),
      range: { startNs: START, endNs: START + 30_000n * MINUTE },
      nowNs: START,
    },
    tables: new Map(['data', 'other'].map((name) => [name, rows])),
  }
}

const storedKey = (key: string) => key.replaceAll('.', '%2E')
const pathOf = (field: string) => field.replace(/\\([\\.])/g, (_, char: string) => storedKey(char))

/** As the service stores it. */
function stored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'rawJSON' in value) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storedKey(key), stored(inner)]))
}

export type World = Awaited<ReturnType<typeof load>>

/** @returns what is found and what was expected, where the two differ */
export function findDifference(engine: Engine, text: string, { options, tables: data }: World): object | undefined {
  programs++
  const plan = unlessTooLarge(() => compile(text, options))
  const rows = plan && unlessTooLarge(() => engine.query(plan))
  if (!plan || !rows) return undefined
  const names = plan.columns.map(({ name }) => name)
  const [found, expected] = [readRows(plan, rows), run(parseQuery(text), data)].map((rows) => printRows(rows, names))
  return JSON.stringify(found) === JSON.stringify(expected) ? undefined : { text, found, expected }
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
