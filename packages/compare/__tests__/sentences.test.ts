/** The one sentence about a release: each row is what was measured, and what people read everywhere. */
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { expect, test } from '@jest/globals'
import type { ComparedSeries, Comparison } from '../src/comparison.ts'
import { toReport } from '../src/report.ts'
import { summarizeVerdicts } from '../src/verdict.ts'

type More = Partial<ComparedSeries>

function series(
  name: string,
  kind: ComparedSeries['kind'],
  verdict: Verdict,
  [before, after]: [number, number],
  more: More = {},
) {
  const change = after / before - 1
  const isDirected = kind !== 'count'
  return {
    ...{ name, kind, verdict, before, after, expected: before, change, low: change - 0.1, high: change + 0.1, chance: 0.001 },
    ...{ ofTheRest: false, query: name, carriers: [], volume: { before: 60, after: 10 }, isUneven: false, seasons: 0 },
    ...{ chart: { before: [], after: [] }, ...(isDirected && { direction: 'higher-is-worse' as const }), ...more },
  }
}

const errors = (verdict: Verdict, values: [number, number], more?: More) => series('web errors', 'share', verdict, values, more)
const p95 = (verdict: Verdict, values: [number, number], more?: More) =>
  series('web duration_ms · p95', 'measurement', verdict, values, { unit: 'ms', ...more })
const traffic = (verdict: Verdict, values: [number, number], more?: More) => series('web traffic', 'count', verdict, values, more)
const carrier = (field: string, value: string, part: number) => ({ field, value, before: 0, after: 4, part })

const few = { why: 'few', lack: 'too few to be sure' } as const
const uneven = { why: 'uneven', lack: 'varied as much before' } as const
const buckets = Array.from({ length: 41 }, (_, at) => 70 + at)
const CHECKOUT = carrier('route', '/checkout', 0.9)
const other = { carriedBy: { name: 'web 2.15.0', isOwn: false }, verdict: 'inconclusive' } as const

test.each<[sentence: string, series: ComparedSeries[], told?: { isSlow?: boolean; own?: string }]>([
  ['Errors doubled: 0.98 → 1.96 %, nearly all on /checkout', [errors('worse', [0.0098, 0.0196], { carriers: [CHECKOUT] })]],
  [
    'Errors rose 20-fold: 0.7 → 14 %, mostly in region eu',
    [errors('worse', [0.007, 0.14], { carriers: [carrier('region', 'eu', 0.6)] })],
  ],
  ['Errors tripled: 1.1 → 3.2 %', [errors('worse', [0.011, 0.032], { carriers: [carrier('version', '2.14.0', 1)] })]],
  ['p95 rose by 29 %: 75 → 97 ms', [p95('worse', [75, 97]), traffic('same', [60, 60])]],
  ['p95 crept up within the hour: 75 → 107 ms', [p95('worse', [75, 107])], { isSlow: true }],
  ['p95 rose by 60 %: 900 ms → 1.44 s', [p95('worse', [900, 1_440])]],
  ['Traffic stopped: 28/min → nothing', [p95('gone', [75, Number.NaN]), traffic('gone', [28, 0])]],
  ['p95 fell by 22 %: 126 → 98 ms', [p95('better', [126, 98]), traffic('higher', [60, 296])]],
  ['Traffic rose 5-fold: 1.4 → 7/min', [traffic('higher', [1.4, 7])]],
  ['Traffic fell by 40 %: 312 → 187/min', [traffic('lower', [312, 187])]],
  ['Errors began: none → 3.3 %', [errors('worse', [0, 0.033])]],
  ['Errors fell to none: 3 → 0 %', [errors('better', [0.03, 0])]],
  ['Errors rose by 70 %: 1 → 2.04 %, 1.2 % expected', [errors('worse', [0.01, 0.0204], { change: 0.7, expected: 0.012 })]],
  [
    'Orders ok fell: 99 → 98 %, the rest doubled',
    [errors('worse', [0.99, 0.98], { name: 'orders ok', ofTheRest: true, change: 1 })],
  ],
  // Strong evidence leads, whichever the metric is, and then the larger change.
  ['p95 rose by 54 %: 100 → 154 ms', [errors('worse', [0.009, 0.0152], { chance: 0.022 }), p95('worse', [100, 154])]],
  ['Errors tripled: 1 → 3 %', [p95('worse', [100, 154]), errors('worse', [0.01, 0.03])]],
  // The service is named only where it is not the release's own.
  [
    'Errors of api doubled: 1 → 2 %',
    [errors('same', [0.01, 0.01]), errors('worse', [0.01, 0.02], { name: 'api errors' })],
    { own: 'web' },
  ],
  [
    'Errors doubled: 1 → 2 %',
    [errors('worse', [0.01, 0.02]), errors('same', [0.01, 0.01], { name: 'api errors' })],
    { own: 'web' },
  ],
  // No harm says what it excludes, and no more.
  [
    'No harm: errors 1.04 → 1.07 %, p95 75 ms; a rise of errors by more than 73 % would have shown',
    [errors('inconclusive', [0.0104, 0.0107], { ...few, high: 0.7214 }), p95('same', [75.4, 75]), traffic('same', [60, 60])],
  ],
  [
    'No harm: errors 1.02 → 1.05 %, p95 75 → 80 ms; a rise of errors by more than 20 %, or a rise of p95 by more than 91 %, would have shown',
    [
      errors('inconclusive', [0.0102, 0.0105], { high: 0.2 }),
      p95('inconclusive', [75, 80], { high: 0.91 }),
      traffic('same', [60, 60]),
    ],
  ],
  [
    'No harm: errors 0 %, p95 75 ms; more than 0.15 % of errors would have shown',
    [
      errors('inconclusive', [0, 0], { change: Number.NaN, low: Number.NaN, high: Number.NaN, unseen: 0.0015 }),
      p95('same', [75, 75]),
    ],
  ],
  ['No harm: traffic 60/min; a fall of traffic by more than 10 % would have shown', [traffic('same', [60, 60])]],
  [
    'Cannot rule out a doubling (up to ×2.7), 24 errors',
    [errors('inconclusive', [0.01, 0.013], { ...few, high: 1.7, events: 24 }), traffic('same', [60, 60])],
  ],
  [
    'Cannot rule out a halving of traffic (down to −60 %), 24 events',
    [traffic('inconclusive', [3, 2.4], { ...few, low: -0.6, events: 24 })],
  ],
  ['Cannot tell: 7 errors are too few to be sure', [errors('inconclusive', [0.01, 0.02], { ...few, high: 12, events: 7 })]],
  [
    'Cannot tell: p95 varied as much before (72 to 108 ms)',
    [p95('inconclusive', [75, 97], { ...uneven, high: 1.4, chart: { before: buckets, after: [] } })],
  ],
  [
    'Not judged: 5 events in 10 min, needs 20',
    [errors('inconclusive', [0.2, 0.4], { why: 'short', lack: '5 events in 10 min, needs 20', high: Number.NaN })],
  ],
  ['Cannot tell: errors 1 → 2 %, replaced by v2', [errors('inconclusive', [0.01, 0.02], { lack: 'replaced by v2', high: 3 })]],
  ['Cannot tell: errors doubled with web 2.15.0, 1 → 2 %', [errors('inconclusive', [0.01, 0.02], other)]],
  [
    'No harm on api. On web it cannot be told apart from web 2.15.0.',
    [errors('same', [0.01, 0.01], { name: 'api errors' }), errors('inconclusive', [0.01, 0.02], other)],
  ],
  ['Not judged: nothing to compare', []],
])('%s', (sentence, all, told = {}) => {
  const windows = { before: { startTime: '', endTime: '' }, after: { startTime: '', endTime: '' }, seasons: [] }
  const verdict = summarizeVerdicts(all.map((one) => one.verdict))
  const comparison: Comparison = { verdict, windows, series: all, event: 'web 2.14.0', neighbors: [], notes: [] }
  const { headline, text } = toReport(comparison, { judgedMs: 0, ...told })
  expect(headline).toBe(sentence)
  expect(text.startsWith(sentence)).toBe(true)
})
