/** Lists what the charts of a view show, as queries that count or measure over time. Pure. */

import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { formatStep, pickStep, type Range } from '../address/range.ts'
import type { View } from '../address/view.ts'
import type { Charted } from '../annotations/compare-around.ts'
import { filterDataset } from '../filters/filtered.ts'
import { columnsOf, hasTime, kindOf } from '../query/shown-as.ts'
import type { Answered } from './display.ts'
import type { Explored } from './use-explored.ts'

/** A comparison's `window` and `before` have that many bins together; finer ones add nothing. */
const BINS = 300
const NS_PER_MS = 1_000_000

/** @returns the charts of a view; for a query these are its own chart, if it is one, and the events of its datasets */
export function listCharted(
  { apl, filters }: Pick<View, 'apl' | 'filters'>,
  { queried, answered, range }: Pick<Explored, 'queried' | 'answered' | 'range'>,
): Charted[] {
  if (!range) return []
  if (apl === '') return chartedEvents(queried, filters, range)
  return answered ? [...chartedOf('', answered, range), ...chartedEvents(answered.answer.datasetNames, filters, range)] : []
}

/** @returns the number of events of each dataset; other sources of queries, such as `_annotations`, have none */
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
 * @param name of the chart; empty for the only one
 * @returns the chart of an answer; empty if the result is no chart of numbers
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
  return Math.max(UNIT_MS.m, pickStep(range, BINS))
}

function countBy(apl: string, stepMs: number): string {
  return `${apl}\n| summarize count() by bin(_time, ${formatStep(stepMs)})`
}
