/**
 * One event whose fields are of another type changes no answer about the others: a value means what it is, not what its field has ever
 * held. Each question of `stray/questions.ts` is asked before and after such an event of each kind. The fields that a table keeps in
 * columns or indexes beside the events are read from those where that is still possible, and from the events elsewhere.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile, type Dataset } from '../src/compile.ts'
import { lowered, storedInteger, storedText, type ValueLayout } from '../src/field.ts'
import { QUERIES } from './stray/questions.ts'
import { Engine, readRows, type StoredEvent } from './support/engine.ts'

const START = 1_767_225_600_000_000_000n
const HOUR = 3_600_000_000_000n

/** An integer of any size, as it stands in an event. */
const whole = (digits: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)

const N = [7, -3, 0, 10, 9, 100, 20, 7, undefined, 9, 6, 8, 1, 5]
const M = [3, 2, 0, 9, 10, 20, undefined, 7, 4, 0, 3, 8, -2, 5]
const BIG = ['9007199254740993', '9007199254740992', '-9007199254740993', '7', undefined, '123456789012345678']
const WIDE = ['9007199254740992', '9007199254740992', '-9007199254740992', '9', '5']
const S = ['b', 'a', '10', '9', 'x y', 'B', '', undefined, 'äö', 'b']
const U = ['a', 'a', '9', '10', undefined, 'b', 'x', 'q']
const D = ['10', '9', '7', '9', undefined, '2.5', '007', '100']
const of = <T>(values: readonly T[], at: number) => values[at % values.length]

const EVENTS: readonly StoredEvent[] = N.map((n, id) => {
  const [big, wide] = [of(BIG, id), of(WIDE, id)]
  const data = {
    id,
    k: `g${id % 3}`,
    n,
    m: M[id],
    big: big === undefined ? undefined : whole(big),
    wide: whole(wide as string),
    r: id % 5 === 4 ? undefined : id - 3.25,
    s: of(S, id),
    u: of(U, id),
    d: of(D, id),
    t: `2026-01-0${1 + (id % 4)}T0${id % 7}:00:00Z`,
    v: id % 3 === 0 ? undefined : `2026-01-0${1 + (id % 3)}T05:00:00Z`,
    b: id % 4 === 3 ? undefined : id % 2 === 0,
    c: id % 3 === 0,
    a: [id, id + 1].slice(0, id % 3),
    e: [id, id + 1].slice(0, id % 2),
    w: ['p', 'q r', 'z'].slice(id % 3),
    o: { x: id * 2, y: of(S, id + 1) },
  }
  return { timeNs: START + BigInt(id) * HOUR, data: { ...data, ...(data.a.length === 0 && { a: undefined }) } }
})

const OTHER: readonly StoredEvent[] = [
  { p: 7, q: 'b', g: whole('9007199254740993'), f: true, mark: 'one', n: 3, big: whole('9007199254740995'), s: 'zz' },
  { p: 10, q: '10', g: whole('9007199254740994'), f: false, mark: 'two' },
  { p: 9, q: 'B', g: whole('7'), mark: 'three' },
].map((data, at) => ({ timeNs: START + BigInt(at), data }))

/** The value that the stray event has in every field, and what the catalogue then knows beside the types that were there. */
const STRAYS: Readonly<Record<string, { value: unknown; types: readonly string[] }>> = {
  text: { value: 'zz', types: ['string'] },
  number: { value: 5, types: ['integer'] },
  float: { value: 5.5, types: ['float'] },
  boolean: { value: true, types: ['boolean'] },
  array: { value: [1, 'x'], types: ['array'] },
  object: { value: { deep: 1 }, types: [] },
  null: { value: null, types: [] },
  'huge integer': { value: whole('18446744073709551615'), types: ['integer', 'unsigned'] },
  time: { value: '2026-01-01T00:00:00Z', types: ['string'] },
  'text NaN': { value: 'NaN', types: ['string'] },
}

const CLEAN: Readonly<Record<string, string>> = {
  ...{ id: 'integer', k: 'string', n: 'integer', m: 'integer', big: 'integer', wide: 'integer', r: 'float', s: 'string' },
  ...{ u: 'string', d: 'string', t: 'string', v: 'string', b: 'boolean', c: 'boolean', a: 'array', e: 'array', w: 'array' },
  ...{ 'o.x': 'integer', 'o.y': 'string' },
}
const STRAYED = Object.keys(CLEAN).filter((name) => name !== 'id' && !name.startsWith('o.'))

/** What a table keeps beside the events: of texts and whole numbers a column, of some texts an index of words. */
const COLUMNS = ['n', 'big', 's', 'k', 'd', 't']
const LAYOUTS: readonly ((field: string) => ValueLayout | undefined)[] = [
  () => undefined,
  (field) => (COLUMNS.includes(field) ? { column: `kept_${field}` } : undefined),
  (field) => (field === 's' ? 'words' : undefined),
]

let engine: Engine
beforeAll(() => {
  engine = new Engine()
})
afterAll(() => engine.close())

async function load(name: string, events: readonly StoredEvent[], fields: Dataset['fields']): Promise<Dataset> {
  const dataset = { name, table: `stray_${tables++}`, fields }
  await engine.load(dataset, events.slice(0, 5))
  for (const field of name === 'data' ? COLUMNS : []) {
    const isText = CLEAN[field] === 'string'
    const [type, sql] = isText ? ['String', storedText(field)] : ['Int64', storedInteger(field)]
    engine.sql(
      `ALTER TABLE ${dataset.table} ADD COLUMN kept_${field} LowCardinality(Nullable(${type})) MATERIALIZED ${sql} SETTINGS allow_suspicious_low_cardinality_types = 1`,
    )
  }
  engine.sql(
    `ALTER TABLE ${dataset.table} ADD INDEX words_s ${lowered(storedText('s') as string)} TYPE text(tokenizer = splitByNonAlpha)`,
  )
  await engine.load(dataset, events.slice(5))
  return dataset
}
let tables = 0

const typesOf = (more: readonly string[] = [], also: Readonly<Record<string, string>> = {}) =>
  new Map(
    Object.entries({ ...CLEAN, ...also }).map(([name, type]) => [
      name,
      new Set([...type.split('|'), ...(STRAYED.includes(name) || name === 'o' ? more : [])]),
    ]),
  )

/** Answers by query; an error is an answer too. */
function answers(data: Dataset, other: Dataset, layoutOf: Dataset['layoutOf']): Map<string, unknown> {
  const datasets = new Map([
    ['data', { ...data, ...(layoutOf && { layoutOf }) }],
    ['other', other],
  ])
  const options = { datasets, range: { startNs: START, endNs: START + 1_000n * HOUR }, nowNs: START + 1_000n * HOUR }
  return new Map(QUERIES.map((query) => [query, answer(query, options)]))
}

function answer(query: string, options: Parameters<typeof compile>[1]): unknown {
  try {
    const plan = compile(
      query.replaceAll('$', (found, at: number) => (query[at + 1] === ' ' ? 'data | where id < 100' : found)),
      options,
    )
    const rows = readRows(plan, engine.query(plan)).map((row) => JSON.stringify(row, comparable))
    return / (?:sort|top) [^|]*(?:\| project [^|]*)?$/.test(query) ? rows : rows.sort()
  } catch (error) {
    return String(error).slice(0, 300)
  }
}

/** Floats to twelve digits: a sum depends on the order of its parts. */
const comparable = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value

let before: Map<string, unknown>
let other: Dataset

test('columns and indexes beside the events change no answer', async () => {
  other = await load(
    'other',
    OTHER,
    new Map(
      Object.entries({
        p: 'integer',
        q: 'string',
        g: 'integer',
        f: 'boolean',
        mark: 'string',
        n: 'integer',
        big: 'integer',
        s: 'string',
      }).map(([name, type]) => [name, new Set([type])]),
    ),
  )
  const clean = await load('data', EVENTS, typesOf())
  before = answers(clean, other, LAYOUTS[0])
  expect([...before].filter(([, rows]) => typeof rows === 'string' || (rows as string[]).length === 0)).toEqual([])
  for (const layoutOf of LAYOUTS.slice(1)) expect(changed(answers(clean, other, layoutOf))).toEqual([])
})

const changed = (after: Map<string, unknown>, asked = QUERIES) =>
  asked.flatMap((query) => {
    const [was, is] = [before.get(query), after.get(query)]
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ query, was, is }]
  })

test.each(Object.keys(STRAYS))('one event with a stray %s changes no answer about the others', async (kind) => {
  const { value, types } = STRAYS[kind] as (typeof STRAYS)[string]
  const stray = Object.fromEntries([...STRAYED, 'o'].map((name) => [name, value]))
  const events = [...EVENTS.slice(0, 8), { timeNs: START + HOUR / 2n, data: { id: 999, ...stray } }, ...EVENTS.slice(8)]
  const deep = kind === 'object' ? Object.fromEntries([...STRAYED, 'o'].map((name) => [`${name}.deep`, 'integer'])) : {}
  const dataset = await load('data', events, typesOf(types, { ...deep, ...(types.length > 0 && { o: types.join('|') }) }))
  const layout = LAYOUTS[Object.keys(STRAYS).indexOf(kind) % LAYOUTS.length]
  const asked = kind === 'float' ? QUERIES.filter((query) => !DIVIDES.test(query)) : QUERIES
  expect(changed(answers(dataset, other, layout), asked)).toEqual([])
})

/** In a field that has held decimals, 12 may be the 12.0 of somebody who writes JSON without the point, so it divides as a decimal. */
const DIVIDES = /(?:\bn|big|\)) \/ (?:m|\d)|z \/ 2/
