import { expect, test } from '@jest/globals'
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'
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

test.each<[name: string, of: Partial<FieldSample>, kind: string | null]>(readYaml(import.meta.url, 'fields.yaml'))(
  '%s',
  (_, of, kind) => {
    expect(candidatesOf([sampleOf('f', of)], ROWS)).toEqual({ candidates: kind ? [{ path: 'f', kind }] : [], leftOut: [] })
  },
)

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
