import { expect, test } from '@jest/globals'
import { candidatesOf, fitting } from '../../src/layouts/choose.ts'
import type { FieldSample } from '../../src/layouts/layout-trial.ts'

const ROWS = 50_000
const sampleOf = (path: string, of: Partial<FieldSample>): FieldSample => ({
  path,
  type: 'string',
  count: ROWS,
  distinct: 5,
  distinctEarlier: of.distinct ?? 5,
  length: 7,
  words: 1,
  ...of,
})

test.each<[string, Partial<FieldSample>, string | undefined]>([
  ['few texts', { distinct: 200 }, 'column'],
  ['as many texts as a dictionary still holds', { distinct: 4_000 }, 'column'],
  ['sessions, of which new ones come all the time', { distinct: 3_000, distinctEarlier: 1_600 }, undefined],
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
  expect(candidatesOf([sampleOf('f', of)], ROWS)).toEqual({ candidates: kind ? [{ path: 'f', kind }] : [], leftOut: [] })
})

test('of each kind a few fields are tried, those with the most to win first', () => {
  const columns = Array.from({ length: 9 }, (_, at) => sampleOf(`c${at}`, { length: 10 + at }))
  const ids = ['a', 'b'].map((path, at) => sampleOf(path, { distinct: 30_000 + at }))
  const message = sampleOf('message', { distinct: 49_000, length: 80, words: 12 })
  const { candidates, leftOut } = candidatesOf([...ids, message, ...columns], ROWS)
  expect(candidates.map(({ path }) => path)).toEqual(['c8', 'c7', 'c6', 'c5', 'c4', 'c3', 'b', 'message', 'a'])
  expect(leftOut.map(({ layout }) => layout.path)).toEqual(['c2', 'c1', 'c0'])
})

test('what has no room is left out, and what is smaller still comes in', () => {
  const costs = [4, 30, 10].map((bytes, at) => ({ layout: { path: `f${at}`, kind: 'values' as const }, bytes }))
  const { chosen, leftOut } = fitting(costs, 60)
  expect(chosen.map(({ layout }) => layout.path)).toEqual(['f0', 'f2'])
  expect(leftOut).toEqual([{ layout: costs[1]?.layout, reason: 'it would take 30.0 bytes an event, and 14.6 of 18.6 are left' }])
  expect(fitting(costs, 10).chosen).toEqual([])
})

test('an index of words of messages that each have an id of their own has room', () => {
  const costs = [2, 1.5, 12.9].map((bytes, at) => ({ layout: { path: `f${at}`, kind: 'words' as const }, bytes }))
  expect(fitting(costs, 57).leftOut).toEqual([])
})
