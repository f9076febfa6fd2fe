/**
 * Lays out annotations on a chart: a line or band for each, and buttons above it, which are grouped where they would overlap. Pure.
 * Deliberately not here: drawing.
 */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { spanOf } from '../annotations/annotation-view.ts'
import { toneOf } from '../annotations/verdict.ts'
import { type Placed, placeButtons } from './place-buttons.ts'

/** An annotation with its times in milliseconds since the epoch. */
export interface Mark {
  annotation: Annotation
  startMs: number
  /** Equal to `startMs` for a point in time. */
  endMs: number
}

/** Marks that share one button. */
export interface MarkGroup extends Placed {
  marks: readonly Mark[]
  /** Whether the group is in the right half of the plot. */
  isRight: boolean
}

interface Band {
  x: number
  width: number
  type: string
}

interface Line {
  x: number
  type: string
}

/** A place where many marks start within a few pixels. */
interface Crowd {
  x: number
  width: number
  count: number
  /** The type that most of its marks have. */
  type: string
}

export interface MarksLayout {
  groups: MarkGroup[]
  bands: Band[]
  /** Empty where lines would hide the data; then `crowds` says where the marks are. */
  lines: Line[]
  crowds: Crowd[]
}

/** In the place of a type: a release that hurt has the same colour whatever its type. */
export const WORSE = ' worse'

/** Buttons are no closer than this: a finger can tell them apart, and four digits fit in. */
export const GROUP_PX = 30
/** More lines than one in this number of pixels would hide the data. */
const LINE_PX = 14
const CROWD_PX = 4

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
  const bands = new Map<string, Band[]>()
  const lines = new Map<string, Line>()
  const groups: (MarkGroup & { marks: Mark[] })[] = []
  for (const mark of marks) {
    const type = toneOf(mark.annotation) === 'bad' ? WORSE : mark.annotation.type
    const from = toX(mark.startMs)
    const to = toX(mark.endMs)
    if (to < 0 || from > width) continue
    const isSpan = mark.endMs > mark.startMs
    if (isSpan) addBand(bands, { x: Math.max(0, from), width: Math.min(width, to) - Math.max(0, from), type })
    // Lines on the same pixel are drawn as one line.
    for (const x of isSpan ? [from, to] : [from]) {
      if (x >= 0 && x <= width) lines.set(`${Math.round(x)} ${type}`, { x: Math.round(x), type })
    }
    const x = Math.max(0, from)
    const last = groups.at(-1)
    if (last && x - last.x < GROUP_PX) last.marks.push(mark)
    else groups.push({ marks: [mark], x, room: 0, isRight: x > width / 2, opensLeft: false })
  }
  placeButtons(groups, width, wantedOf)
  const isDense = lines.size > width / LINE_PX
  return {
    groups,
    bands: [...bands.values()].flat(),
    lines: isDense ? [] : [...lines.values()],
    crowds: isDense ? crowdsOf(groups, toX) : [],
  }
}

function crowdsOf(groups: readonly MarkGroup[], toX: (ms: number) => number): Crowd[] {
  const columns = new Map<number, Mark[]>()
  for (const mark of groups.flatMap(({ marks }) => marks)) {
    const column = Math.floor(Math.max(0, toX(mark.startMs)) / CROWD_PX)
    const there = columns.get(column)
    if (there) there.push(mark)
    else columns.set(column, [mark])
  }
  return [...columns].map(([column, marks]) => ({
    x: column * CROWD_PX,
    width: CROWD_PX,
    count: marks.length,
    type: commonType(marks),
  }))
}

/** @returns the type that most of the marks have */
export function commonType(marks: readonly Mark[]): string {
  const counts = new Map<string, number>()
  for (const { annotation } of marks) counts.set(annotation.type, (counts.get(annotation.type) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0])[0]
}

/** Merges overlapping bands of one type: hundreds drawn on top of each other would hide the chart. */
function addBand(bands: Map<string, Band[]>, band: Band): void {
  const ofType = bands.get(band.type) ?? []
  const last = ofType.at(-1)
  if (last && band.x <= last.x + last.width) last.width = Math.max(last.width, band.x + band.width - last.x)
  else ofType.push(band)
  bands.set(band.type, ofType)
}
