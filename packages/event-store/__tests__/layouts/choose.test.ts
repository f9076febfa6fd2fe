import { expect, test } from '@jest/globals'
import { candidatesOf, fitting } from '../../src/layouts/choose.ts'
import type { FieldSample } from '../../src/layouts/layout-trial.ts'

const ROWS = 50_000
const sampleOf = (path: string, of: Partial<FieldSample>): FieldSample => ({
  path,
  type: 'string',
  count: ROWS,
  distinct: 5,
  length: 7,
  words: 1,
  ...of,
})

test.each<[string, Partial<FieldSample>, string | undefined]>([
  ['few texts', { distinct: 200 }, 'column'],
  ['as many texts as a dictionary still holds', { distinct: 1_000 }, 'column'],
  ['neither few texts nor many', { distinct: 5_000 }, undefined],
  ['texts that hardly occur twice', { distinct: 30_000, length: 12 }, 'values'],
  ['ids in a tenth of the events', { count: 5_000, distinct: 5_000, length: 32 }, 'values'],
  ['long texts of many words', { distinct: 49_000, length: 80, words: 12 }, 'words'],
  ['long texts of many words, of which there are few', { distinct: 40, length: 80, words: 12 }, 'column'],
  ['a field that hardly any event has', { count: 400, distinct: 3 }, undefined],
  ['few whole numbers', { type: 'integer', distinct: 60, length: 8, words: 0 }, 'codes'],
  ['whole numbers that are many', { type: 'integer', distinct: 30_000, length: 8, words: 0 }, undefined],
  ['few events with texts that differ', { count: 600, distinct: 100 }, undefined],
])('%s', (_, of, kind) => {
  expect(candidatesOf([sampleOf('f', of)], ROWS)).toEqual(kind ? [{ path: 'f', kind }] : [])
})

test('of each kind a few fields are tried, those with the most to win first', () => {
  const columns = Array.from({ length: 9 }, (_, at) => sampleOf(`c${at}`, { length: 10 + at }))
  const ids = ['a', 'b'].map((path, at) => sampleOf(path, { distinct: 30_000 + at }))
  const message = sampleOf('message', { distinct: 49_000, length: 80, words: 12 })
  const paths = candidatesOf([...ids, message, ...columns], ROWS).map(({ path }) => path)
  expect(paths).toEqual(['c8', 'c7', 'c6', 'c5', 'c4', 'c3', 'b', 'message', 'a'])
})

test('what has no room is left out, and what is smaller still comes in', () => {
  const costs = [4, 30, 10].map((bytes, at) => ({ layout: { path: `f${at}`, kind: 'values' as const }, bytes }))
  expect(fitting(costs, 100).map(({ layout }) => layout.path)).toEqual(['f0', 'f2'])
  expect(fitting(costs, 10)).toEqual([])
})
