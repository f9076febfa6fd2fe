/**
 * Rows that are written in columns are what was sent, and the same, types and all, however they are spread over requests.
 */
import { afterAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { readYaml } from '../../../__tests__/support/read-yaml.ts'
import { JsonBody } from '../src/body/json-body.ts'
import { FieldTransaction, FieldTree } from '../src/fields/field-tree.ts'
import { createRowIds, type RowIds } from '../src/rows/row-ids.ts'
import { RowWriter } from '../src/rows/row-writer.ts'
import { readNumber } from '../src/scan/numbers.ts'
import { event, writeEvent } from './any-event.ts'
import { openTestStore } from './test-store.ts'

const SEED = Number(process.env.READ_BACK_SEED ?? 20_261_122)
const opened = await openTestStore()
const tables = opened.store
const { engine } = tables
afterAll(() => opened[Symbol.asyncDispose]())

/** What is in a row, and what there is beside its data. */
interface StoredRow {
  data: string
  row: string
}

interface Options {
  timestampField?: string
  labels?: string
  maps?: string[]
  fieldsMax?: number
}

/** The blocks of a body, which is one request. */
function blocksOf(body: string, tree: FieldTree, { timestampField, labels }: Options): Buffer[] {
  using transaction = new FieldTransaction(tree)
  const writer = new RowWriter({
    tree,
    transaction,
    rowIds,
    receivedNs: '1767323045000000000',
    sysTimeNs: '1767323045000007169',
    timestampField,
    layout: undefined,
    labels: labels === undefined ? undefined : Buffer.from(labels),
    isCsv: false,
  })
  const json = new JsonBody(writer)
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += 60_000) json.push(bytes.subarray(at, at + 60_000))
  json.end()
  const rows = writer.drain()
  transaction.commit()
  expect(rows.count).toBe(writer.tally.stored)
  return rows.blocks.map(({ written }) => written)
}

let made = 0
let rowIds: RowIds

/** What is stored of these requests by one insert, row by row, with the type of every path. */
async function store(bodies: readonly string[], options: Options = {}): Promise<StoredRow[]> {
  const table = `events_${(++made).toString().padStart(8, 'a')}`
  await tables.create(table)
  rowIds = createRowIds({ node: 0, startMs: 0, reservedMs: Number.POSITIVE_INFINITY, usedMs: 0 }, () => 1)
  const tree = new FieldTree(options.fieldsMax ?? 2_000)
  tree.setMaps(options.maps ?? [])
  await tables.insert(
    table,
    bodies.flatMap((body) => blocksOf(body, tree, options)),
  )
  const stored = await engine.select<StoredRow>(
    `SELECT concat(toString(_row), ' ', toString(_time), ' ', toString(_sysTime), ' ', toString(JSONAllPathsWithTypes(t.data))) AS row,
  concat(toJSONString(t.data), ' ', toString(mapSort(rest))) AS data FROM {table:Identifier} AS t ORDER BY _row`,
    { table },
  )
  const parts = await engine.select<{ count: string }>('SELECT toString(uniqExact(_part)) AS count FROM {table:Identifier}', {
    table,
  })
  // All or none: one part is.
  expect(parts).toEqual([{ count: stored.length > 0 ? '1' : '0' }])
  return stored
}

/** What is stored of events that are one request, which is the same where each is a request of its own. */
async function storeBoth(events: readonly string[], options?: Options): Promise<StoredRow[]> {
  const stored = await store([events.join('\n')], options)
  expect(await store(events, options)).toEqual(stored)
  return stored
}

/** The data of each row, and the rest where there is any. */
const dataOf = (rows: readonly StoredRow[]) => rows.map(({ data }) => data.replace(/ \{\}$/, ''))

test.each<[string, Options]>([
  ['any events', {}],
  ['any events whose objects are maps', { maps: ['a', 'geo', 'n.a', String.raw`a\.b`, 'ключ'] }],
  ['any events of which only some members become fields', { maps: ['geo'], fieldsMax: 20 }],
])('%s, in one request and in many', async (_, options) => {
  const events = fc.sample(event, { numRuns: runs(1_500, 6_000), seed: SEED })
  expect((await storeBoth(events.map(writeEvent), options)).length).toBeGreaterThan(events.length / 2)
})

test('keys of a map: escaped, nested and twice', async () => {
  const events = [
    '{"m":{"a.b":1,"a":{"b":2,"c":{"":[1,2]}},"%2E":"x"},"n":1}',
    String.raw`{"m":{"\u0061":"\n","list":["\"",","],"none":null,"empty":{}},"n":2}`,
    '{"m":{"a":1,"a":2},"n":3}',
    '{"m":"no object","n":4}',
  ]
  expect(await storeBoth(events, { maps: ['m'] })).toHaveLength(4)
})

test.each(Object.entries(readYaml<Record<string, string>>(import.meta.url, 'blocks.yaml')))('%s', async (_, values) => {
  const all = values.split(' ')
  expect(dataOf(await storeBoth(all.map((value) => `{"v":${value}}`)))).toEqual(all.map((value) => `{"v":${value}}`))
})

test('arrays of other elements are beside the events, as they were sent', async () => {
  const all = ['[1,"a"]', '[[1],[2]]', '[{"a":1}]', '[ {"b" : [], "a": null} ]', '[9223372036854775808]', '[[]]']
  expect(dataOf(await storeBoth(all.map((value) => `{"v":${value}}`)))).toEqual(all.map((value) => `{} {'v':'${value}'}`))
})

test('blanks between all words, and an object in an object', async () => {
  const body = ' { "a" : { "b" : [ 1 ,\n 2 ] , "c" : -7 } , "d" : "x" , "e" : [ "y" , "z" ] , "_time" : "2026-11-20T10:00:00Z" } '
  expect(dataOf(await store([body]))).toEqual(['{"a":{"b":[1,2],"c":-7},"d":"x","e":["y","z"]}'])
})

test('an event’s time: its own, a named one, the wrapper’s, and texts that only look like it', async () => {
  const events = [
    '{"_time":1700000000,"a":1}',
    '{"a":1,"_time":"2026-11-20T10:00:00.123456789Z","b":2}',
    '{"time":"2026-11-20T10:00:00Z","data":{"a":1}}',
    '{"time":"10:00","a":1}',
    String.raw`{"time":"\t","a":1}`,
  ]
  const data = ['{"a":1}', '{"a":1,"b":2}', '{"data":{"a":1}}', '{"a":1,"time":"10:00"}', String.raw`{"a":1,"time":"\t"}`]
  expect(dataOf(await storeBoth(events))).toEqual(data)
  const named = ['{"at":1700000000,"a":1}', '{"at":1700000000,"_time":{"t":[5]},"a":1}', '{"b":{"c":1},"a":2}']
  expect(dataOf(await storeBoth(named, { timestampField: 'at' }))).toEqual([
    '{"a":1}',
    '{"_user_time":{"t":[5]},"a":1}',
    '{"a":2,"b":{"c":1}}',
  ])
  const nested = await store(['{"at":{"t":1700000000},"a":1}'], { timestampField: 'at.t' })
  expect(dataOf(nested)).toEqual(['{"a":1,"at":{"t":1700000000}}'])
})

test('labels are there all the same', async () => {
  const labels = '{"env":"prod","of":{"them":[1,"a"],"some":2}}'
  expect(dataOf(await storeBoth(['{"a":1}', '{"env":"own","a":2}', '{"of":1}'], { labels }))).toEqual([
    `{"a":1,"env":"prod","of":{"some":2}} {'of.them':'[1,"a"]'}`,
    `{"a":2,"env":"own","of":{"some":2}} {'of.them':'[1,"a"]'}`,
    '{"env":"prod","of":1}',
  ])
})

test('an event of nothing, and fields that differ from row to row, more than have columns of their own', async () => {
  const events = Array.from({ length: 1_000 }, (_, i) => `{"n":${i},"k${i % 700}":${i % 2 ? '"text"' : i}}`)
  expect(await storeBoth(['{}', ...events, '{"none":null}'])).toHaveLength(1_002)
  expect(dataOf(await store(['{}']))).toEqual(['{}'])
})

test('numbers are read by hand as the language reads them', () => {
  const decimal = fc.stringMatching(/^-?(0|[1-9]\d{0,8})\.\d{1,9}$/)
  fc.assert(
    fc.property(decimal, fc.integer({ min: -99_999_999_999_999, max: 999_999_999_999_999 }), (text, integer) => {
      expect(readNumber(Buffer.from(text), 0, text.length)).toBe(Number(text))
      const digits = String(integer)
      expect(readNumber(Buffer.from(digits), 0, digits.length)).toBe(integer)
    }),
    { numRuns: runs(20_000, 500_000) },
  )
})
