/** Answers as the page reads them: which view, which order, which text, where an error is. */
import { readFileSync } from 'node:fs'
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { expect, test } from '@jest/globals'
import { testGolden } from '../../../apl/__tests__/support/golden.ts'
import { showCell, sortRows, writeCell } from '../../src/query/cell.ts'
import { writeCsv, writeJson } from '../../src/query/rows-as-text.ts'
import { kindOf } from '../../src/query/shown-as.ts'
import type { Table, TabularAnswer } from '../../src/service/query.ts'

function tableOf(columns: Record<string, [type: string, ...values: unknown[]]>, more: Partial<Table> = {}): Table {
  return {
    fields: Object.entries(columns).map(([name, [type]]) => ({ name, type })),
    columns: Object.values(columns).map(([, ...values]) => values),
    groups: [],
    order: [],
    ...more,
  }
}

const CELLS = JSON.parse(readFileSync(new URL('cells.json', import.meta.url), 'utf8'))

const kind = (table: Table, more: Partial<TabularAnswer> = {}) => kindOf({ tables: [table], ...more } as TabularAnswer)

test('an answer is shown as what it is', () => {
  expect(kind(tableOf({ count_: ['integer', 3], avg_took: ['float', null] }))).toBe('number')
  expect(kind(tableOf({ a: ['integer|float', 3], b: ['timespan', 5] }))).toBe('number')
  expect(kind(tableOf({ count_: ['integer', 3, 4] }))).toBe('table')
  expect(kind(tableOf({ path: ['string', '/'], count_: ['integer', 3] }))).toBe('table')
  expect(kind(tableOf({ status: ['integer', 200], count_: ['integer', 3] }, { groups: [{ name: 'status' }] }))).toBe('table')
  expect(kind(tableOf({ status: ['integer', 200] }), { matches: [] })).toBe('rows')
  expect(kind(tableOf({ _time: ['datetime'] }, { buckets: { field: '_time', size: 1e9 } }))).toBe('series')
  expect(kind(tableOf({}))).toBe('table')
  expect(kindOf({ tables: [] as Table[] } as TabularAnswer)).toBe('table')
})

testGolden(CELLS.written, (json) => writeCell(parseExact(json)))

test('a cell is shown as what it is, a figure in groups of digits', () => {
  expect(showCell('2026-01-31T12:00:00Z', { type: 'datetime', isFigure: false, zone: 'UTC' })).toBe('31 Jan 2026, 12:00:00 UTC')
  expect(showCell('2026-01-31T12:00:00Z', { type: 'string', isFigure: false, zone: 'UTC' })).toBe('2026-01-31T12:00:00Z')
  const show = (value: unknown, isFigure: boolean) => showCell(value, { type: 'integer|float', isFigure, zone: 'UTC' })
  expect([show(148.29999999999995, true), show(0.1 + 0.2, false)]).toEqual(['148.3', '0.3'])
  // A status or an id is no amount.
  expect([show(1_234_567, true), show(1_234_567, false)]).toEqual(['1,234,567', '1234567'])
  expect(show(9_223_372_036_854_775_807n, true)).toBe('9,223,372,036,854,775,807')
})

test('rows are sorted by what the values are, and what is missing comes last either way', () => {
  const near = [9007199254740995n, 9007199254740993n, 10, 9, null, 9.5]
  const table = tableOf({
    n: ['integer|float', ...near],
    time: ['datetime', '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456789Z', null, null, null],
    mixed: ['integer|string', 'b', 10, 9, 'a', null, 'c'],
  })
  const sorted = (column: number, isDescending = false) => sortRows(table, { column, isDescending })
  expect(sorted(0)).toEqual([3, 5, 2, 1, 0, 4])
  expect(sorted(0, true)).toEqual([0, 1, 2, 5, 3, 4])
  expect(sorted(1)).toEqual([1, 2, 0, 3, 4, 5])
  expect(sorted(2)).toEqual([2, 1, 3, 0, 5, 4])
})

test('CSV is quoted where it must be, and no text of it is a formula', () => {
  const table = tableOf({
    'a,"b"': ['string', '=1+1', ' @SUM(A1)', '\tx', 'line\nbreak', 'plain', '-5'],
    '=n': ['integer', -5, 9007199254740993n, null, 1, 2, 3],
  })
  expect(writeCsv(table, [0, 1, 2, 3, 4, 5])).toBe(
    [`"a,""b""",'=n`, `'=1+1,-5`, `' @SUM(A1),9007199254740993`, `"'\tx",`, `"line\nbreak",1`, 'plain,2', `'-5,3`, ''].join(
      '\r\n',
    ),
  )
})

test('JSON has a line for each row and every digit, whatever a field is called', () => {
  const table = tableOf({ __proto__x: ['string', '</script>', 'b'], n: ['integer', 9007199254740993n, null] })
  expect(writeJson(table, [1, 0])).toBe('[\n{"__proto__x":"b","n":null},\n{"__proto__x":"</script>","n":9007199254740993}\n]\n')
  expect(JSON.parse(writeJson(tableOf({ n: ['integer'] }), []))).toEqual([])
})

testGolden(CELLS.figures, (value) => showCell(Number(value), { type: 'float', isFigure: true, zone: 'UTC' }))

test('what is stored is not rounded', () => {
  expect(showCell(52.5200081, { type: 'float', isFigure: false, zone: 'UTC' })).toBe('52.5200081')
})
