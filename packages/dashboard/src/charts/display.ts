/** Decides how the charts of a view are shown, from their results and the choices in the address. Pure. */
import { chosenStep, formatStep, pickStep, type Range } from '../address/range.ts'
import { parseUnit, type Unit } from '../address/unit.ts'
import type { View } from '../address/view.ts'
import { leavesBinOpen } from '../query/bin-width.ts'
import { chooseKind, kindOf, kindsOf, type ResultKind, type ResultKinds, unitOf } from '../query/shown-as.ts'
import type { TabularAnswer } from '../service/query.ts'

export interface Display {
  kind: ResultKind
  unit: Unit
}

/** This is about one bin for four pixels of a wide screen. */
const BINS = 300

export function displayAnswer({ kind, unit }: View, answer: TabularAnswer): Display {
  const [table] = answer.tables
  const known = table ? unitOf(table) : 'none'
  return { kind: chooseKind(kind, kindsOf(answer)), unit: parseUnit(unit) ?? known }
}

/** @returns the width of the intervals that events are counted in, as a query writes it */
export function countStep(bin: string, range: Range): string {
  return formatStep(chosenStep(bin, range) ?? pickStep(range, BINS))
}

/** An answer with its query. */
export interface Answered {
  apl: string
  answer: TabularAnswer
  /** The range that was asked. */
  range: Range
}

/** The choices that the results on the page allow. */
export interface Choices {
  kinds: ResultKinds
  /** `open` if the width of intervals can be chosen; the milliseconds that the query names otherwise; absent without intervals. */
  bin: 'open' | number | undefined
  hasUnit: boolean
}

/** @param answered absent for the charts of datasets */
export function listChoices(answered: Answered | undefined): Choices {
  if (!answered) return { kinds: ['line'], bin: 'open', hasUnit: false }
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
  }
}
