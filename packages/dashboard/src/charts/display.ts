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
interface Choices {
  kinds: ResultKinds
  /** Whether the width of intervals can be chosen. */
  hasBin: boolean
  hasUnit: boolean
}

/** @param answered absent for the charts of datasets */
export function listChoices(answered: Answered | undefined): Choices {
  if (!answered) return { kinds: ['line'], hasBin: true, hasUnit: false }
  const { apl, answer } = answered
  const kinds = kindsOf(answer)
  const kind = kindOf(answer)
  return {
    kinds,
    hasBin: (kind === 'rows' && kinds.length > 1) || (kind === 'series' && leavesBinOpen(apl)),
    hasUnit: kind !== 'rows',
  }
}
