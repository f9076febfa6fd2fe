/** What the charts of a view show, as queries that count or measure over time. Pure. */
import type { Charted } from '../annotations/compare-around.ts'
import { filterDataset } from '../filters/filtered.ts'
import { kindOf } from '../query/result-kind.ts'
import { formatStep, pickStep } from '../view/range.ts'
import type { View } from '../view/view.ts'
import type { Explored } from './use-explored.ts'

/** As many bins as `window` and `before` of a comparison have together; finer ones say no more. */
const BINS = 300
const MINUTE_MS = 60_000
const NS_PER_MS = 1_000_000

/** @returns nothing for a result that is no chart */
export function listCharted(
  { apl, filters }: Pick<View, 'apl' | 'filters'>,
  { queried, answered, range, eventsOf }: Explored,
): Charted[] {
  if (!range) return []
  const stepMs = Math.max(MINUTE_MS, pickStep(range, BINS))
  const count = (query: string) => `${query}\n| summarize count() by bin(_time, ${formatStep(stepMs)})`
  if (apl === '')
    return queried.map((name) => {
      const source = filterDataset(name, filters, true)
      return { name, source, apl: count(source), datasets: [name], stepMs }
    })
  if (!answered) return []
  const one = { name: '', source: '', datasets: answered.answer.datasetNames }
  const { buckets } = answered.answer.tables[0] ?? {}
  if (kindOf(answered.answer) === 'series' && buckets)
    return [{ ...one, apl: answered.apl, stepMs: Number(buckets.size) / NS_PER_MS }]
  return eventsOf === '' ? [] : [{ ...one, apl: count(eventsOf), stepMs }]
}
