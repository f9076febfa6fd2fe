/** What the charts of a view show, as queries that count or measure over time. Pure. */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { formatStep, pickStep, type Range } from '../address/range.ts'
import type { View } from '../address/view.ts'
import type { Charted } from '../annotations/compare-around.ts'
import { filterDataset } from '../filters/filtered.ts'
import { kindOf } from '../query/result-kind.ts'
import { columnsOf, hasTime } from '../query/shown-as.ts'
import type { Answered } from './display.ts'
import type { Explored } from './use-explored.ts'

/** As many bins as `window` and `before` of a comparison have together; finer ones say no more. */
const BINS = 300
const MINUTE_MS = 60_000
const NS_PER_MS = 1_000_000

/** @returns what is charted; of a query its chart, if it is one, and the events of its datasets, which say more than the query may */
export function listCharted(
  { apl, filters }: Pick<View, 'apl' | 'filters'>,
  { queried, answered, range }: Pick<Explored, 'queried' | 'answered' | 'range'>,
): Charted[] {
  if (!range) return []
  if (apl === '') return chartedEvents(queried, filters, range)
  return answered ? [...chartedOf('', answered, range), ...chartedEvents(answered.answer.datasetNames, filters, range)] : []
}

/** @returns how many events there are, of each dataset; what queries read besides, such as `_annotations`, is none */
export function chartedEvents(names: readonly string[], filters: readonly string[], range: Range): Charted[] {
  const stepMs = countedStep(range)
  return names
    .filter((name) => DATASET_NAME_PATTERN.test(name))
    .map((name) => {
      const source = filterDataset(name, filters, true)
      return { name, source, apl: countBy(source, stepMs), datasets: [name], stepMs }
    })
}

/**
 * @param name of the chart; '' for one that needs none, being alone
 * @returns what the chart of an answer shows; nothing for a result that is no chart of numbers
 */
export function chartedOf(name: string, { apl, answer }: Answered, range: Range): Charted[] {
  const one = { name, source: '', datasets: answer.datasetNames }
  const [table] = answer.tables
  if (kindOf(answer) === 'series' && table?.buckets)
    return columnsOf(table).figures.length > 0 ? [{ ...one, apl, stepMs: Number(table.buckets.size) / NS_PER_MS }] : []
  if (kindOf(answer) !== 'rows' || !hasTime(answer)) return []
  const stepMs = countedStep(range)
  return [{ ...one, apl: countBy(apl, stepMs), stepMs }]
}

function countedStep(range: Range): number {
  return Math.max(MINUTE_MS, pickStep(range, BINS))
}

function countBy(apl: string, stepMs: number): string {
  return `${apl}\n| summarize count() by bin(_time, ${formatStep(stepMs)})`
}
