/** The rules behind how results are shown: kinds, widths of intervals, units and changes. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { testGolden } from '../../../apl/__tests__/support/golden.ts'
import { chosenStep, listSteps, parseStep } from '../../src/address/range.ts'
import { axisSteps, formatInUnit, parseUnit, type Unit } from '../../src/address/unit.ts'
import { DEFAULT_VIEW } from '../../src/address/view.ts'
import { displayAnswer } from '../../src/charts/display.ts'
import { leavesBinOpen, withBinWidth } from '../../src/query/bin-width.ts'
import { describeValueChange } from '../../src/query/change.ts'
import { chooseKind, kindsOf } from '../../src/query/shown-as.ts'
import type { Table, TabularAnswer } from '../../src/service/query.ts'

const CASES = JSON.parse(readFileSync(new URL('display-rules.json', import.meta.url), 'utf8'))

test.each<[apl: string, wanted: string]>(CASES.widths)('the width of %s is set', (apl, wanted) => {
  expect(withBinWidth(apl, '5m')).toBe(wanted)
  expect(leavesBinOpen(apl)).toBe(apl !== wanted)
})

test('widths that make sense for a range are offered, and one that is far too narrow is not taken', () => {
  const day = { startMs: 0, endMs: 86_400_000 }
  const steps = listSteps(day)
  expect([steps[0], steps.at(-1)]).toEqual([60_000, 3 * 3_600_000])
  expect([chosenStep('5m', day), chosenStep('1s', day), chosenStep('x', day)]).toEqual([300_000, undefined, undefined])
})

testGolden(CASES.steps, (text) => parseStep(text) ?? null)
testGolden(CASES.units, (text) => {
  const [value, unit] = text.split(' ') as [string, Unit]
  return formatInUnit(Number(value), unit)
})
testGolden(CASES.changes, (text) => describeValueChange(...(text.split(' after ').map(Number) as [number, number])))

test('a unit that nobody knows is none', () => {
  expect([parseUnit('ms'), parseUnit('furlongs'), parseUnit('')]).toEqual(['ms', undefined, undefined])
})

test('an axis of durations counts in sixties, any other in tens', () => {
  expect(axisSteps('s')).toEqual(expect.arrayContaining([0.5, 15, 30, 60, 300, 3_600]))
  expect([axisSteps('bytes'), axisSteps('none')]).toEqual([undefined, undefined])
  const steps = axisSteps('ms') ?? []
  expect(steps).toEqual([...steps].sort((a, b) => a - b))
})

const answerOf = (table: Partial<Table>, more: Partial<TabularAnswer> = {}) =>
  ({ tables: [{ fields: [], columns: [], groups: [], order: [], ...table }], ...more }) as unknown as TabularAnswer
const field = (name: string, agg?: string) => ({ name, type: 'integer', ...(agg && { agg: { name: agg, fields: [] } }) })
const buckets = { field: '_time', size: 1e9 }
const time = { name: '_time', type: 'datetime' }

test('each answer has the kinds that say something about it, and a link that asks for another one has the first', () => {
  const groups = [{ name: '_time' }]
  const counted = kindsOf(answerOf({ buckets, groups, fields: [time, field('n', 'count')] }))
  expect(counted).toEqual(['line', 'table'])
  const path = { groups: [{ name: 'path' }] }
  const ofGroups = kindsOf(answerOf({ ...path, fields: [field('path'), field('n', 'count')] }))
  expect(ofGroups).toEqual(['table'])
  expect(kindsOf(answerOf({ fields: [time] }, { matches: [] }))).toEqual(['line', 'table'])
  expect(kindsOf(answerOf({ fields: [field('n')] }, { matches: [] }))).toEqual(['table'])
  expect(['', 'area', 'stacked', 'heat', 'log', 'top', 'table'].map((kind) => chooseKind(kind, counted))).toEqual([
    ...Array.from({ length: 6 }, () => 'line'),
    'table',
  ])
  expect([chooseKind('', ofGroups), chooseKind('top', ofGroups)]).toEqual(['table', 'table'])
})

test('a chart is in the unit of its values where all have one, and a chosen unit counts more', () => {
  const figures = (...units: (Unit | undefined)[]): TabularAnswer => ({
    status: { minCursor: '', maxCursor: '', isPartial: false, messages: [] },
    datasetNames: ['web'],
    tables: [
      {
        fields: units.map((unit, at) => ({ name: `f${at}`, type: 'float', ...(unit && { unit }) })),
        columns: units.map(() => [1]),
        groups: [],
        order: [],
      },
    ],
  })
  const unitFor = (answer: TabularAnswer, unit = '') => displayAnswer({ ...DEFAULT_VIEW, unit }, answer).unit
  expect(unitFor(figures('ms', 'ms'))).toBe('ms')
  expect(unitFor(figures('ms', 'bytes'))).toBe('none')
  expect(unitFor(figures('bytes', undefined))).toBe('none')
  expect(unitFor(figures('ms'), 's')).toBe('s')
})
