/** What the service asks itself: the rows of the engine as values. */
import { expect, test } from '@jest/globals'
import { readTable } from '../../src/query/tabular-answer.ts'

const RANGE = { startNs: 0n, endNs: 60_000_000_000n }
const PLAN = {
  columns: [
    { name: 'route', type: 'string', cell: 1 },
    { name: 'bytes', type: 'integer', cell: 0 },
  ],
  cells: {},
  datasets: ['web'],
  order: [],
  groups: [{ name: 'route' }],
}

/** @param texts rows as the engine writes them */
function read(...texts: string[]) {
  async function* batches() {
    yield texts
  }
  return readTable({ range: RANGE } as never, PLAN as never, { rows: { result: { batches } } } as never)
}

test('integers of 64 bits, decimals and texts with marks of JSON are read exactly', async () => {
  const { columns } = await read('[9223372036854775807,"/a\\"]"]', '[-1,null]', '[0.1,"9223372036854775807"]')
  expect(columns).toEqual([
    ['/a"]', null, '9223372036854775807'],
    [9_223_372_036_854_775_807n, -1, 0.1],
  ])
})

test('a table without rows has its columns, its fields and its groups', async () => {
  const { columns, fields, groups } = await read()
  expect(columns).toEqual([[], []])
  expect(fields.map(({ name }) => name)).toEqual(['route', 'bytes'])
  expect(groups).toEqual([{ name: 'route' }])
})
