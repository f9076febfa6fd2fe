/** The one sentence about a release: each row of the file is what was measured, and what people read everywhere. */
import { readFileSync } from 'node:fs'
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { expect, test } from '@jest/globals'
import type { ComparedSeries } from '../src/comparison.ts'
import { toReport } from '../src/to-report.ts'
import { summarizeVerdicts } from '../src/verdict.ts'

type More = Partial<ComparedSeries> & { of?: string }
type Row = [
  sentence: string,
  series: [metric: string, verdict: Verdict, before: number, after: number, more?: More][],
  told?: object,
]

const ROWS: Row[] = JSON.parse(
  readFileSync(new URL('sentences.json', import.meta.url), 'utf8'),
  (_, value) => value ?? Number.NaN,
)
const PARTS: Readonly<Record<string, Partial<ComparedSeries>>> = {
  errors: { kind: 'share', direction: 'higher-is-worse' },
  p95: { kind: 'measurement', unit: 'ms', direction: 'higher-is-worse' },
  traffic: { kind: 'count' },
}
/** The words for what is said beside the verdict, and what is stored of it. */
const FOUND: readonly [RegExp, VerdictDetails['finding']][] = [
  [/^No harm: /, 'harmless'],
  [/^No harm on /, 'partly-harmless'],
  [/ (?:is|are) back: /, 'restored'],
]

function toSeries([metric, verdict, before, after, { of = 'web', ...more } = {}]: Row[1][number]): ComparedSeries {
  const change = after / before - 1
  const numbers = { before, after, expected: before, change, low: change - 0.1, high: change + 0.1, chance: 0.001 }
  const rest = { query: '', carriers: [], volume: { before: 60, after: 10 }, isUneven: false, seasons: 0, ofTheRest: false }
  const chart = { before: Array.from({ length: 41 }, (_, at) => 70 + at), after: [] }
  return { name: `${of} ${metric}`, verdict, kind: 'share', ...PARTS[metric], ...numbers, ...rest, chart, ...more }
}

test.each(ROWS)('%s', (sentence, series, told = {}) => {
  const windows = { before: { startTime: '', endTime: '' }, after: { startTime: '', endTime: '' }, seasons: [] }
  const verdict = summarizeVerdicts(series.map((one) => one[1]))
  const comparison = { verdict, windows, series: series.map(toSeries), event: 'web 2.14.0', neighbors: [], notes: [] }
  const { headline, finding, text } = toReport(comparison, { judgedMs: 0, ...told })
  expect({ headline, finding }).toEqual({ headline: sentence, finding: FOUND.find(([words]) => words.test(sentence))?.[1] })
  expect(text.startsWith(sentence)).toBe(true)
})
