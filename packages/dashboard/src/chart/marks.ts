/**
 * Lays out annotations on a chart: a line or band for each, and buttons above it, which are grouped where they would overlap. Pure.
 * Deliberately not here: drawing.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Range } from '../address/range.ts'
import { spanOf } from '../annotations/annotation-view.ts'
import { isRelease, toneOf } from '../annotations/verdict.ts'
import type { Group } from './mark-bar.tsx'
import { type Placed, placeButtons } from './place-buttons.ts'

/** An annotation with its times; both are equal for a point in time. */
export interface Mark extends Range {
  annotation: Annotation
}

/** Marks that share one button. */
export type MarkGroup = Placed & Group<Mark>

interface Line {
  x: number
  type: string
}

interface Band extends Line {
  width: number
}

/** A mark as a bar in one of a few rows, where bands would lie on one another and color the whole chart. */
interface Bar extends Band {
  row: number
}

/** A place where many marks start within a few pixels, with the type that most of them have. */
interface Crowd extends Band {
  count: number
}

export interface MarksLayout {
  groups: MarkGroup[]
  bands: Band[]
  /** Spans instead of `bands`, where there are many; all marks, where there are too many for lines. */
  bars: Bar[]
  /** Empty where lines would hide the data; then `bars` or `crowds` say where the marks are. */
  lines: Line[]
  /** Of more marks than bars can show. */
  crowds: Crowd[]
}

/** In the place of a type: a release that hurt has the same color whatever its type. */
export const WORSE = ' worse'

/** Buttons are no closer than this: a finger can tell them apart, and four digits fit in. */
export const GROUP_PX = 30
/** More lines than one in this number of pixels would hide the data. */
const LINE_PX = 14
const CROWD_PX = 4
/** So many spans are told apart by the colors of their bands. */
const BANDS_MAX = 4
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
    .map((mark) => ({ mark, from: toX(mark.startMs), to: toX(mark.endMs), type: coloredAs(mark) }))
    .filter(({ from, to }) => to >= 0 && from <= width)
  const isBusy = visible.filter(({ from, to, type }) => to > from && type !== WORSE).length > BANDS_MAX
  const bands = new Map<string, Band[]>()
  const lines = new Map<string, Line>()
  const inBars: Band[] = []
  const groups: (MarkGroup & { marks: Mark[] })[] = []
  for (const { mark, from, to, type } of visible) {
    const isSpan = to > from
    const isBar = isSpan && isBusy && type !== WORSE
    const x = Math.max(0, from)
    const band = { x, width: Math.min(width, to) - x, type }
    if (isBar) inBars.push(band)
    else if (type === WORSE) addBand(bands, { ...band, width: Math.min(width, Math.max(to, toX(judgedUntil(mark)))) - x })
    else if (isSpan) addBand(bands, band)
    // Lines on the same pixel are drawn as one line.
    for (const at of isBar && !isRelease(mark.annotation) ? [] : isSpan && !isBar ? [from, to] : [from]) {
      if (at >= 0 && at <= width) lines.set(`${Math.round(at)} ${type}`, { x: Math.round(at), type })
    }
    const last = groups.at(-1)
    if (last && x - last.x < GROUP_PX) last.marks.push(mark)
    else groups.push({ marks: [mark], x, room: 0, isRight: x > width / 2, opensLeft: false })
  }
  placeButtons(groups, width, wantedOf)
  const isDense = lines.size > width / LINE_PX
  const isCrowded = isDense && visible.length > BARS_MAX
  const every = visible.map(({ from, to, type }) => ({
    x: Math.max(0, from),
    width: Math.min(width, to) - Math.max(0, from),
    type,
  }))
  return {
    groups,
    bands: [...bands.values()].flat(),
    bars: isCrowded ? [] : toRows(isDense ? every : inBars),
    lines: isDense ? [] : [...lines.values()],
    crowds: isCrowded ? crowdsOf(groups, toX) : [],
  }
}

function coloredAs({ annotation }: Mark): string {
  return toneOf(annotation) === 'bad' ? WORSE : annotation.type
}

/** @returns the end of the time that was found to be worse */
function judgedUntil({ annotation, endMs }: Mark): number {
  const until = annotation.verdictDetails?.windows?.after.endTime
  return until === undefined ? endMs : Date.parse(until)
}

/** Puts each into the first row in which it overlaps none; the last one has what has no room. */
function toRows(bands: readonly Band[]): Bar[] {
  const ends: number[] = []
  return bands.map(({ x, width, type }) => {
    const free = Array.from({ length: ROWS_MAX }, (_, row) => row).find((row) => (ends[row] ?? Number.NEGATIVE_INFINITY) < x)
    const row = free ?? ROWS_MAX - 1
    const shown = Math.max(BAR_PX_MIN, width)
    ends[row] = Math.max(ends[row] ?? 0, x + shown)
    return { x, width: shown, type, row }
  })
}

function crowdsOf(groups: readonly MarkGroup[], toX: (ms: number) => number): Crowd[] {
  const all = groups.flatMap(({ marks }) => marks)
  const columns = Map.groupBy(all, ({ startMs }) => Math.floor(Math.max(0, toX(startMs)) / CROWD_PX))
  return [...columns].map(([column, marks]) => ({
    x: column * CROWD_PX,
    width: CROWD_PX,
    count: marks.length,
    type: commonType(marks),
  }))
}

/** @returns the type that most of the marks have */
export function commonType(marks: readonly Mark[]): string {
  const ofTypes = [...Map.groupBy(marks, ({ annotation }) => annotation.type)]
  return ofTypes.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? ''
}

/** Merges overlapping bands of one type: hundreds drawn on top of each other would hide the chart. */
function addBand(bands: Map<string, Band[]>, band: Band): void {
  const ofType = bands.get(band.type) ?? []
  const last = ofType.at(-1)
  if (last && band.x <= last.x + last.width) last.width = Math.max(last.width, band.x + band.width - last.x)
  else ofType.push(band)
  bands.set(band.type, ofType)
}
