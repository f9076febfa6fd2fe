/** How the charts of a view are shown, as its address says it: what is possible for their results, and what was chosen. Pure. */

import { chosenStep, formatStep, pickStep, type Range } from '../address/range.ts'
import { parseUnit, type Unit } from '../address/unit.ts'
import type { View } from '../address/view.ts'
import { leavesBinOpen } from '../query/bin-width.ts'
import { kindOf } from '../query/result-kind.ts'
import { addsUp, COUNT_KINDS, chooseKind, isDrawn, isDuration, kindsOf, type ResultKind } from '../query/shown-as.ts'
import type { TabularAnswer } from '../service/query.ts'

/** How one chart is shown. */
export interface Display {
  /** Absent for a chart that is drawn as it suits. */
  kind: ResultKind | undefined
  unit: Unit
  isLog: boolean
  /** The figures of each series stand below it. */
  hasFigures: boolean
  /** The sum of all intervals says something. */
  addsUp: boolean
}

/** About one bin for four pixels of a wide screen. */
const BINS = 300

/** Of charts that count events, which have no unit. */
export function displayCounts({ kind, logScale, figures }: View): Display {
  return { kind: chooseKind(kind, COUNT_KINDS), unit: 'none', isLog: logScale, hasFigures: figures, addsUp: true }
}

export function displayAnswer({ kind, unit, logScale, figures }: View, answer: TabularAnswer): Display {
  const [table] = answer.tables
  const known = table && isDuration(table) ? 'ns' : 'none'
  return {
    kind: chooseKind(kind, kindsOf(answer)),
    unit: kindOf(answer) === 'rows' ? 'none' : (parseUnit(unit) ?? known),
    isLog: logScale,
    hasFigures: figures,
    addsUp: table === undefined || addsUp(table),
  }
}

/** @returns the width of the intervals that events are counted in, as a query writes it */
export function countStep(bin: string, range: Range): string {
  return formatStep(chosenStep(bin, range) ?? pickStep(range, BINS))
}

/** An answer, with the query that it is the answer to. */
export interface Answered {
  apl: string
  answer: TabularAnswer
}

/** What can be chosen for what is on the page. */
export interface Choices {
  kinds: readonly ResultKind[]
  /** Whether the width of intervals can be chosen; else what the query names, in milliseconds; absent without intervals. */
  bin: 'open' | number | undefined
  hasUnit: boolean
  isDrawn: boolean
}

/** @param answered absent for the charts of datasets */
export function listChoices(view: View, answered: Answered | undefined): Choices {
  if (!answered) return { kinds: COUNT_KINDS, bin: 'open', hasUnit: false, isDrawn: isChart(view.kind, COUNT_KINDS) }
  const { apl, answer } = answered
  const kinds = kindsOf(answer)
  const kind = kindOf(answer)
  const sizeMs = Number(answer.tables[0]?.buckets?.size ?? 0) / 1e6
  const isOpen = (kind === 'rows' && kinds.length > 1) || (kind === 'series' && leavesBinOpen(apl))
  const isOver = kind === 'series' && sizeMs > 0
  return {
    kinds,
    bin: isOpen ? 'open' : isOver ? sizeMs : undefined,
    hasUnit: kind === 'series' || kind === 'number' || kinds.includes('top'),
    isDrawn: isChart(view.kind, kinds),
  }
}

function isChart(chosen: string, kinds: readonly ResultKind[]): boolean {
  const kind = chooseKind(chosen, kinds)
  return kind === undefined || isDrawn(kind) || kind === 'heat'
}
