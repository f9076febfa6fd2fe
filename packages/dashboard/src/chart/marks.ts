/**
 * Lays out annotations on a chart: buttons above it, which are grouped where they would overlap, and lines across the values for what
 * changed something. Pure.
 * Deliberately not here: drawing.
 */
import { isChanged } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { Range } from '../address/range.ts'
import { spanOf } from '../annotations/annotation-view.ts'
import { colorOf } from '../annotations/verdict.ts'
import { rankOf } from '../changes/ranked.ts'
import type { Group } from './mark-bar.tsx'
import { type Placed, placeButtons, ROWS } from './place-buttons.ts'

/** An annotation with its times; both are equal for a point in time. */
export interface Mark extends Range {
  annotation: Annotation
}

/** Marks that share one button. */
export type MarkGroup = Placed & Group<Mark>

interface Line {
  x: number
  /** In the form a style takes. */
  color: string
}

/** A mark as a bar in one of a few rows above the values. */
interface Bar extends Line {
  width: number
  row: number
}

/** A place where many marks start within a few pixels, in the color of the most urgent one. */
interface Crowd extends Line {
  width: number
  count: number
}

export interface MarksLayout {
  groups: MarkGroup[]
  /** All marks, where there are many. */
  bars: Bar[]
  /** Of what changed something: nothing else crosses the values. Empty where lines would hide these. */
  lines: Line[]
  /** Of more marks than bars can show. */
  crowds: Crowd[]
}

/** Buttons are no closer than this: a finger can tell them apart, and four digits fit in. */
export const GROUP_PX = 30
/** More lines than one in this number of pixels would hide the data. */
const LINE_PX = 14
const CROWD_PX = 4
export const ROWS_MAX = 3
const BAR_PX_MIN = 4
/** Of more marks only their density is seen. */
const BARS_MAX = 400

/** @returns the marks ascending by start */
export function toMarks(annotations: readonly Annotation[]): Mark[] {
  const marks = annotations.map((annotation) => ({ annotation, ...spanOf(annotation) }))
  return marks.sort((a, b) => a.startMs - b.startMs)
}

/**
 * @param marks ascending by start
 * @param toX converts milliseconds to pixels from the left edge of the plot
 * @param width of the plot in pixels
 * @param wantedOf returns the width of a button with its whole text, in pixels
 */
export function layoutMarks(
  marks: readonly Mark[],
  toX: (ms: number) => number,
  width: number,
  wantedOf: (group: MarkGroup) => number,
): MarksLayout {
  const visible = marks
    .map((mark) => ({ mark, from: toX(mark.startMs), to: toX(mark.endMs), color: colorOf(mark.annotation) }))
    .filter(({ from, to }) => to >= 0 && from <= width)
  const lines = new Map<string, Line>()
  const places = new Set<number>()
  const every: Omit<Bar, 'row'>[] = []
  const groups: (MarkGroup & { marks: Mark[] })[] = []
  for (const { mark, from, to, color } of visible) {
    const { annotation } = mark
    const x = Math.max(0, from)
    every.push({ x, width: Math.min(width, to) - x, color })
    places.add(Math.round(x))
    // Lines on the same pixel are drawn as one line.
    const line = { x: Math.round(from), color: annotation.hurtsNow ? color : 'var(--pole)' }
    if (from >= 0 && (changedSomething(annotation) || rankOf(annotation) > 0)) lines.set(`${line.x} ${line.color}`, line)
    const last = groups.at(-1)
    const isNear = x - (last?.x ?? Number.NEGATIVE_INFINITY) < GROUP_PX / ROWS
    // No more buttons than there are rows are closer than a finger can tell apart.
    if (last && (isNear || x - (groups.at(-ROWS)?.x ?? Number.NEGATIVE_INFINITY) < GROUP_PX)) last.marks.push(mark)
    else groups.push({ marks: [mark], x, room: 0, isRight: x > width / 2, opensLeft: false, row: 0 })
  }
  placeButtons(groups, width, wantedOf)
  const isDense = places.size > width / LINE_PX
  const isCrowded = isDense && visible.length > BARS_MAX
  return {
    groups,
    bars: isDense && !isCrowded ? toRows(every) : [],
    lines: isDense ? [] : [...lines.values()],
    crowds: isCrowded ? crowdsOf(groups, toX) : [],
  }
}

const changedSomething = ({ verdict }: Annotation) => verdict !== undefined && isChanged({ verdict })

/** Puts each into the first row in which it overlaps none; the last one has what has no room. */
function toRows(bars: readonly Omit<Bar, 'row'>[]): Bar[] {
  const ends: number[] = []
  return bars.map(({ x, width, color }) => {
    const free = Array.from({ length: ROWS_MAX }, (_, row) => row).find((row) => (ends[row] ?? Number.NEGATIVE_INFINITY) < x)
    const row = free ?? ROWS_MAX - 1
    const shown = Math.max(BAR_PX_MIN, width)
    ends[row] = Math.max(ends[row] ?? 0, x + shown)
    return { x, width: shown, color, row }
  })
}

function crowdsOf(groups: readonly MarkGroup[], toX: (ms: number) => number): Crowd[] {
  const all = groups.flatMap(({ marks }) => marks)
  const columns = Map.groupBy(all, ({ startMs }) => Math.floor(Math.max(0, toX(startMs)) / CROWD_PX))
  return [...columns].map(([column, marks]) => ({
    x: column * CROWD_PX,
    width: CROWD_PX,
    count: marks.length,
    color: colorOf(mostUrgent(marks)),
  }))
}

/** @param marks at least one @returns the first that hurts now, else that is open, that did harm, or of all */
export function mostUrgent(marks: readonly Mark[]): Annotation {
  const rankOf = (one: Annotation) => (one.hurtsNow ? 0 : one.open ? 1 : isWorse(one.verdict) ? 2 : 3)
  return marks.map(({ annotation }) => annotation).reduce((first, one) => (rankOf(one) < rankOf(first) ? one : first))
}
