/**
 * One event whose fields are of another type changes no answer about the others: a value means what it is, not what its field has ever
 * held. Each question of `stray/questions.ts` is asked before and after such an event of each kind. The fields that a table keeps in
 * columns or indexes beside the events are read from those where that is still possible, and from the events elsewhere.
 */
import { expect, test } from '@jest/globals'
import { isLong } from '../../../__tests__/support/long.ts'
import { compile, type Dataset } from '../src/compile.ts'
import { lowered, storedInteger, storedText, type ValueLayout } from '../src/sql/field.ts'
import { CLEAN, EVENTS, eventsWith, HOUR, OTHER, printAnswer, START, STRAYED, STRAYS } from './stray/events.ts'
import { QUERIES } from './stray/questions.ts'
import { readRows, type StoredEvent } from './support/engine.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'

/** What a table keeps beside the events: of texts and whole numbers a column, of some texts an index of words. */
const COLUMNS = ['n', 'big', 's', 'k', 'd', 't']
const LAYOUTS: readonly ((field: string) => ValueLayout | undefined)[] = [
  () => undefined,
  (field) => (COLUMNS.includes(field) ? { column: `kept_${field}` } : undefined),
  (field) => (field === 's' ? 'words' : undefined),
]

const engine = engineForTests()

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
function answers(data: Dataset, layoutOf: Dataset['layoutOf'], asked = QUERIES): Map<string, unknown> {
  const datasets = new Map([
    ['data', { ...data, ...(layoutOf && { layoutOf }) }],
    ['other', other],
  ])
  const options = { datasets, range: { startNs: START, endNs: START + 1_000n * HOUR }, nowNs: START + 1_000n * HOUR }
  return new Map(asked.map((query) => [query, answer(query, options)]))
}

function answer(query: string, options: Parameters<typeof compile>[1]): unknown {
  try {
    const plan = compile(
      query.replaceAll('$', (found, at: number) => (query[at + 1] === ' ' ? 'data | where id < 100' : found)),
      options,
    )
    return printAnswer(query, readRows(plan, engine.query(plan)))
  } catch (error) {
    return String(error).slice(0, 300)
  }
}

let before: Map<string, unknown>
let other: Dataset

test('columns and indexes beside the events change no answer', async () => {
  const types = Object.entries(readGolden<Readonly<Record<string, string>>>('stray-other'))
  other = await load('other', OTHER, new Map(types.map(([name, type]) => [name, new Set([type])])))
  const clean = await load('data', EVENTS, typesOf())
  before = answers(clean, LAYOUTS[0])
  expect([...before].filter(([, rows]) => typeof rows === 'string' || (rows as string[]).length === 0)).toEqual([])
  for (const layoutOf of LAYOUTS.slice(1)) expect(changed(answers(clean, layoutOf))).toEqual([])
})

const changed = (after: Map<string, unknown>) =>
  [...after].flatMap(([query, is]) => {
    const was = before.get(query)
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ query, was, is }]
  })

/** In the short form each kind meets a third of the questions, and each question a third of the kinds. */
const askedOf = (at: number) => (isLong ? QUERIES : QUERIES.filter((_, index) => index % 3 === at % 3))

test.each(Object.keys(STRAYS))('one event with a stray %s changes no answer about the others', async (kind) => {
  const { types } = STRAYS[kind] as (typeof STRAYS)[string]
  const deep = kind === 'object' ? Object.fromEntries([...STRAYED, 'o'].map((name) => [`${name}.deep`, 'integer'])) : {}
  const dataset = await load(
    'data',
    eventsWith(kind),
    typesOf(types, { ...deep, ...(types.length > 0 && { o: types.join('|') }) }),
  )
  const at = Object.keys(STRAYS).indexOf(kind)
  // The layouts take turns more slowly, so that they meet other thirds.
  const layout = LAYOUTS[isLong ? at % LAYOUTS.length : Math.floor(at / 3) % LAYOUTS.length]
  expect(changed(answers(dataset, layout, askedOf(at)))).toEqual([])
})
