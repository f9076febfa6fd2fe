/**
 * Rows that are written in columns are the same, types and all, as those that the engine reads from texts.
 */
import { afterAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { JsonBody } from '../src/body/json-body.ts'
import { FieldTransaction, FieldTree } from '../src/fields/field-tree.ts'
import { createRowIds } from '../src/rows/row-ids.ts'
import { RowWriter } from '../src/rows/row-writer.ts'
import type { Rows } from '../src/rows/rows.ts'
import { readFloat, readShortInteger } from '../src/scan/numbers.ts'
import { RowInserter } from '../src/write/row-inserter.ts'
import { event, writeEvent } from './any-event.ts'
import { openTestStore } from './test-store.ts'

const SEED = Number(process.env.READ_BACK_SEED ?? 20_261_122)
const opened = await openTestStore()
const tables = opened.store
const { engine } = tables
afterAll(() => opened[Symbol.asyncDispose]())

interface Options {
  timestampField?: string
  labels?: string
  maps?: string[]
  fieldsMax?: number
}

/** The rows of a body, and how many of them are in columns. */
function rowsOf(
  body: Buffer,
  inBlocks: boolean,
  { timestampField, labels, maps = [], fieldsMax = 2_000 }: Options,
): { rows: Rows; inColumns: number } {
  const tree = new FieldTree(fieldsMax)
  tree.setMaps(maps)
  using transaction = new FieldTransaction(tree)
  const writer = new RowWriter({
    tree,
    transaction,
    rowIds: createRowIds({ node: 0, startMs: 0, reservedMs: Number.POSITIVE_INFINITY, usedMs: 0 }, () => 1),
    receivedNs: '1767323045000000000',
    sysTimeNs: '1767323045000007169',
    timestampField,
    layout: undefined,
    labels: labels === undefined ? undefined : Buffer.from(labels),
    isCsv: false,
    inBlocks,
  })
  const json = new JsonBody(writer)
  for (let at = 0; at < body.length; at += 60_000) json.push(body.subarray(at, at + 60_000))
  json.end()
  const rows = writer.drain()
  transaction.commit()
  return { rows, inColumns: rows.count - rows.ends.length }
}

let made = 0

/** What is stored of a body, row by row, with the type of every path. */
async function store(body: string, inBlocks: boolean, options: Options = {}): Promise<{ stored: string[]; inColumns: number }> {
  const table = `events_${(++made).toString().padStart(8, 'a')}`
  await tables.create(table)
  const { rows, inColumns } = rowsOf(Buffer.from(body), inBlocks, options)
  expect(await new RowInserter(tables).insertAll(table, [rows])).toEqual([[]])
  const stored = await engine.select<{ row: string }>(
    `SELECT concat(toString(_row), ' ', toString(_time), ' ', toString(_sysTime), ' ', toJSONString(data), ' ', toString(JSONAllPathsWithTypes(data)), ' ', toString(mapSort(rest))) AS row
FROM {table:Identifier} ORDER BY _row`,
    { table },
  )
  const parts = await engine.select<{ count: string }>('SELECT toString(uniqExact(_part)) AS count FROM {table:Identifier}', {
    table,
  })
  // All or none: one part is.
  expect(parts).toEqual([{ count: stored.length > 0 ? '1' : '0' }])
  return { stored: stored.map(({ row }) => withoutElementTypes(row)), inColumns }
}

/** Which type of array the engine takes for a text depends on the arrays before it, and nothing depends on it. */
function withoutElementTypes(row: string): string {
  return row.replace(/'Array\([^']*\)'/g, "'Array'")
}

async function expectSame(body: string, options?: Options): Promise<{ rows: number; inColumns: number }> {
  const asText = await store(body, false, options)
  const { stored, inColumns } = await store(body, true, options)
  expect(stored).toEqual(asText.stored)
  return { rows: stored.length, inColumns }
}

test('any events', async () => {
  const events = fc.sample(event, { numRuns: runs(1_500, 6_000), seed: SEED })
  const { rows, inColumns } = await expectSame(events.map(writeEvent).join('\n'))
  expect(rows).toBeGreaterThan(events.length / 2)
  expect(inColumns).toBeGreaterThan(rows / 4)
  expect(inColumns).toBeLessThan(rows)
})

test('any events whose objects are maps', async () => {
  const events = fc.sample(event, { numRuns: runs(1_500, 6_000), seed: SEED + 1 })
  const maps = ['a', 'geo', 'n.a', String.raw`a\.b`, 'ключ']
  const { rows, inColumns } = await expectSame(events.map(writeEvent).join('\n'), { maps })
  expect(rows).toBeGreaterThan(events.length / 2)
  expect(inColumns).toBeGreaterThan(rows / 4)
})

test('any events of which only some members become fields', async () => {
  const events = fc.sample(event, { numRuns: runs(1_500, 6_000), seed: SEED + 2 })
  const { rows, inColumns } = await expectSame(events.map(writeEvent).join('\n'), { maps: ['geo'], fieldsMax: 20 })
  expect(rows).toBeGreaterThan(events.length / 2)
  expect(inColumns).toBeGreaterThan(rows / 4)
})

test('keys of a map: in columns, escaped, nested, twice, and so many that they are forgotten', async () => {
  const events = [
    '{"m":{"a.b":1,"a":{"b":2,"c":{"":[1,2]}},"%2E":"x"},"n":1}',
    String.raw`{"m":{"\u0061":"\n","list":["\"",","],"none":null,"empty":{}},"n":2}`,
    '{"m":{"a":1,"a":2},"n":3}',
    '{"m":"no object","n":4}',
  ]
  expect(await expectSame(events.join('\n'), { maps: ['m'] })).toEqual({ rows: 4, inColumns: 4 })
  // Long names deep inside fill what is remembered before the block has many columns.
  const deep = (i: number) => `${`{"${`k${i}`.padEnd(150, 'x')}":`.repeat(60)}1${'}'.repeat(60)}`
  const many = Array.from({ length: 30 }, (_, i) => `{"m":{"same":${i},"deep":${deep(i)}}}`)
  expect(await expectSame(many.join('\n'), { maps: ['m'] })).toEqual({ rows: 30, inColumns: 30 })
})

test.each([
  [
    'integers up to their ends',
    '0 -1 2147483648 -4294967297 999999999999999 -999999999999999 1000000000000000 9223372036854775807 -9223372036854775808 9223372036854775808 18446744073709551615',
    11,
  ],
  [
    'decimals, and zero with a sign',
    '0.0 -0 -0.0 -0.5 1.0 0.1 123456789012345.0 0.000000000000001 1e3 1E-7 5e-324 1.7976931348623157e308 0.30000000000000004 3.14',
    14,
  ],
  ['texts, words and nothing', String.raw`"" "a" "ключ" "\u0000\n\"\\" "\ud83d\ude00" "2024-01-01T00:00:00Z" true false null`, 8],
  ['arrays of one type', String.raw`[1] [1,2] ["a","\"]","c,d"] [true,false] [0.5,1.5] [9007199254740991]`, 6],
  ['arrays of others', '[] [null] [1,"a"] [[1],[2]] [{"a":1}] [1,2.5]', 0],
])('%s', async (_, values, inColumns) => {
  const body = values.split(' ').map((value) => `{"v":${value}}`)
  expect(await expectSame(body.join('\n'))).toMatchObject({ inColumns })
})

test('blanks between all words, and an object in an object', async () => {
  const body = ' { "a" : { "b" : [ 1 ,\n 2 ] , "c" : -7 } , "d" : "x" , "e" : [ "y" , "z" ] , "_time" : "2026-11-20T10:00:00Z" } '
  expect(await expectSame(body)).toEqual({ rows: 1, inColumns: 1 })
})

test('names that are stored in another spelling, twice, or not at all', async () => {
  const events = [
    '{"a.b":1,"a":{"b":2}}',
    '{"a%2Eb":1,"":2,"_sysTime":"x","_rowID":3}',
    String.raw`{"\u0061":1,"a":2}`,
    '{"__proto__":{"x":1}}',
  ]
  expect(await expectSame(events.join('\n'))).toEqual({ rows: 4, inColumns: 4 })
})

test('an event’s time: its own, a named one, the wrapper’s, and texts that only look like it', async () => {
  const events = [
    '{"_time":1700000000,"a":1}',
    '{"a":1,"_time":"2026-11-20T10:00:00.123456789Z","b":2}',
    '{"time":"2026-11-20T10:00:00Z","data":{"a":1}}',
  ]
  expect(await expectSame([...events, '{"time":"10:00","a":1}', String.raw`{"time":"\t","a":1}`].join('\n'))).toEqual({
    rows: 5,
    inColumns: 5,
  })
  const named = ['{"at":1700000000,"a":1}', '{"at":1700000000,"_time":5,"a":1}', '{"b":{"c":1},"a":2}']
  expect(await expectSame(named.join('\n'), { timestampField: 'at' })).toEqual({ rows: 3, inColumns: 2 })
  expect(await expectSame('{"at":{"t":1700000000},"a":1}', { timestampField: 'at.t' })).toEqual({ rows: 1, inColumns: 1 })
})

test('labels are there all the same', async () => {
  const events = ['{"a":1}', '{"env":"own","a":2}']
  expect(await expectSame(events.join('\n'), { labels: '{"env":"prod"}' })).toEqual({ rows: 2, inColumns: 1 })
})

test('fields that differ from row to row, more than have columns of their own', async () => {
  const events = Array.from({ length: 1_000 }, (_, i) => `{"n":${i},"k${i % 700}":${i % 2 ? '"text"' : i}}`)
  const { rows, inColumns } = await expectSame(events.join('\n'))
  expect(rows).toBe(1_000)
  expect(inColumns).toBeGreaterThan(200)
})

test('numbers are read by hand as the language reads them', () => {
  const decimal = fc.stringMatching(/^-?(0|[1-9]\d{0,8})\.\d{1,9}$/)
  fc.assert(
    fc.property(decimal, fc.maxSafeInteger(), (text, integer) => {
      expect(readFloat(Buffer.from(text), 0, text.length)).toBe(Number(text))
      const digits = String(integer)
      expect(readShortInteger(Buffer.from(digits), 0, digits.length) ?? integer).toBe(integer)
    }),
    { numRuns: runs(20_000, 500_000) },
  )
})
