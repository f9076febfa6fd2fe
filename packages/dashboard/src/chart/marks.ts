/**
 * Lays out annotations on a chart: buttons above it, which are grouped where they would overlap, and lines across the values for what
 * changed something. Pure.
 */
import { isChanged } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { Range } from '../address/range.ts'
import { spanOf } from '../annotations/annotation-view.ts'
import { colorOf } from '../annotations/verdict.ts'
import { rankOf } from '../changes/ranked.ts'
import { type Placed, placeButtons, ROWS } from './place-buttons.ts'

/** An annotation with its times; both are equal for a point in time. */
export interface Mark extends Range {
  annotation: Annotation
}

/** Marks that share one button, at the place of the first. */
export interface MarkGroup extends Placed {
  marks: readonly Mark[]
  /** Whether it is in the right half of the plot. */
  isRight: boolean
}

interface Line {
  /** In pixels from the left edge of the plot. */
  x: number
  /** In the form a style takes. */
  color: string
}

export interface MarksLayout {
  groups: MarkGroup[]
  /** Of what changed something: nothing else crosses the values. Empty where lines would hide these. */
  lines: Line[]
}

/** Buttons are no closer than this: a finger can tell them apart, and four digits fit in. */
export const GROUP_PX = 30
/** More lines than one in this number of pixels would hide the data. */
const LINE_PX = 14

/** @returns the marks ascending by start */
export function toMarks(annotations: readonly Annotation[]): Mark[] {
  const marks = annotations.map((annotation) => ({ annotation, ...spanOf(annotation) }))
  return marks.sort((a, b) => a.startMs - b.startMs)
}

/**
 * @param marks ascending by start
 * @param width of the plot of the range in pixels
 * @param wantedOf returns the width of a button with its whole text, in pixels
 */
export function layoutMarks(
  marks: readonly Mark[],
  { startMs, endMs }: Range,
  width: number,
  wantedOf: (group: MarkGroup) => number,
): MarksLayout {
  const toX = (ms: number) => ((ms - startMs) / (endMs - startMs)) * width
  const lines = new Map<string, Line>()
  const groups: (MarkGroup & { marks: Mark[] })[] = []
  for (const mark of marks) {
    const from = toX(mark.startMs)
    if (mark.endMs < startMs || from > width) continue
    const { annotation } = mark
    // Lines on the same pixel are drawn as one line.
    const line = { x: Math.round(from), color: annotation.hurtsNow ? colorOf(annotation) : 'var(--pole)' }
    if (from >= 0 && (changedSomething(annotation) || rankOf(annotation) > 0)) lines.set(`${line.x} ${line.color}`, line)
    const x = Math.max(0, from)
    const last = groups.at(-1)
    const isNear = x - (last?.x ?? Number.NEGATIVE_INFINITY) < GROUP_PX / ROWS
    // No more buttons than there are rows are closer than a finger can tell apart.
    if (last && (isNear || x - (groups.at(-ROWS)?.x ?? Number.NEGATIVE_INFINITY) < GROUP_PX)) last.marks.push(mark)
    else groups.push({ marks: [mark], x, room: 0, isRight: x > width / 2, opensLeft: false, row: 0 })
  }
  placeButtons(groups, width, wantedOf)
  return { groups, lines: lines.size > width / LINE_PX ? [] : [...lines.values()] }
}

const changedSomething = ({ verdict }: Annotation) => verdict !== undefined && isChanged({ verdict })

/** @param marks at least one @returns the first that hurts now, else that is open, that did harm, or of all */
export function mostUrgent(marks: readonly Mark[]): Annotation {
  const rankOf = (one: Annotation) => (one.hurtsNow ? 0 : one.open ? 1 : isWorse(one.verdict) ? 2 : 3)
  return marks.map(({ annotation }) => annotation).reduce((first, one) => (rankOf(one) < rankOf(first) ? one : first))
}
