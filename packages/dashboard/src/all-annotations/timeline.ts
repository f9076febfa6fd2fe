/** Places annotations on a timeline, in a row for each dataset or type. Pure. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { pickStep, type Range } from '../address/range.ts'
import { CLOCK, formatIn, offsetAt } from '../address/zone.ts'
import { spanOf } from '../annotations/annotation-view.ts'

/** An annotation's position as a fraction of the row's width: 0 is the start of the timeline, 1 its end. */
interface PlacedAnnotation {
  annotation: Annotation
  left: number
  /** Zero for a point in time. */
  width: number
  /** Annotations that would cover each other are in different tracks of the row. */
  track: number
}

export interface TimelineRow {
  name: string
  placed: PlacedAnnotation[]
  /** The number of its tracks. */
  tracks: number
}

export type RowsBy = 'dataset' | 'type'

/** More rows do not fit on a screen, and more marks make the page slow; the list has all annotations. */
const ROWS_MAX = 12
export const MARKS_MAX = 1_000
/** The empty time on either side, as a fraction of the whole. */
const MARGIN = 0.02
const SPAN_MS_MIN = 60_000

/** @returns the time from the first start to the last end, with a margin; `undefined` without annotations */
export function extentOf(annotations: readonly Annotation[]): Range | undefined {
  if (annotations.length === 0) return undefined
  const spans = annotations.map(spanOf)
  const startMs = spans.reduce((least, span) => Math.min(least, span.startMs), Number.POSITIVE_INFINITY)
  const endMs = spans.reduce((most, span) => Math.max(most, span.endMs), Number.NEGATIVE_INFINITY)
  const marginMs = Math.max(SPAN_MS_MIN, (endMs - startMs) * MARGIN)
  return { startMs: startMs - marginMs, endMs: endMs + marginMs }
}

/** @returns the rows with the most annotations, in alphabetical order */
export function placeRows(annotations: readonly Annotation[], extent: Range, by: RowsBy): TimelineRow[] {
  const lengthMs = extent.endMs - extent.startMs
  const all = annotations.slice(0, MARKS_MAX).flatMap((annotation) => {
    const { startMs, endMs } = spanOf(annotation)
    const left = (startMs - extent.startMs) / lengthMs
    const names = by === 'type' ? [annotation.type] : annotation.datasets
    return names.map((name) => ({ name, annotation, left, width: (endMs - startMs) / lengthMs, track: 0 }))
  })
  return [...Map.groupBy(all, ({ name }) => name)]
    .map(([name, placed]) => ({ name, placed, tracks: stack(placed) }))
    .sort((a, b) => b.placed.length - a.placed.length)
    .slice(0, ROWS_MAX)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The least room of an annotation, as a fraction of the row: that of a point on a narrow screen. */
const ROOM = 0.015
/** Of more than these lie in one place, some cover others. */
const TRACKS_MAX = 6

/** Puts each annotation in the first track that is free. @returns the number of tracks */
function stack(placed: readonly PlacedAnnotation[]): number {
  const ends: number[] = []
  for (const one of placed.toSorted((a, b) => a.left - b.left)) {
    const free = ends.findIndex((end) => end <= one.left)
    const next = ends.length < TRACKS_MAX ? ends.length : ends.indexOf(Math.min(...ends))
    one.track = free === -1 ? next : free
    ends[one.track] = one.left + Math.max(ROOM, one.width)
  }
  return ends.length
}

/** A phone has no room for more. */
const TICKS_MAX = 5

/**
 * @param zone in which days start
 * @returns the labels of the axis of time, with their position as a fraction of the width; the label above is the day, or the year where
 *   ticks are days apart, and empty if it is the same as for the previous tick
 */
export function ticksOf(extent: Range, zone: string) {
  const stepMs = pickStep(extent, TICKS_MAX)
  const [name, above] = formatsOf(stepMs, zone)
  const offsetMs = -offsetAt(extent.startMs, zone)
  const first = Math.ceil((extent.startMs - offsetMs) / stepMs) * stepMs + offsetMs
  const count = Math.max(0, Math.floor((extent.endMs - first) / stepMs) + 1)
  const lengthMs = extent.endMs - extent.startMs
  return Array.from({ length: count }, (_, at) => {
    const ms = first + at * stepMs
    const isSame = at > 0 && above.format(ms - stepMs) === above.format(ms)
    return { ms, left: (ms - extent.startMs) / lengthMs, text: name.format(ms), above: isSame ? '' : above.format(ms) }
  })
}

/** @returns the formats of a tick and of the label above it: a time with its day, or a day with its year */
function formatsOf(stepMs: number, zone: string): [Intl.DateTimeFormat, Intl.DateTimeFormat] {
  if (stepMs >= UNIT_MS.d) return [formatIn(zone, { day: 'numeric', month: 'short' }), formatIn(zone, { year: 'numeric' })]
  const { second, ...clock } = CLOCK
  const time = formatIn(zone, { ...clock, ...(stepMs < UNIT_MS.m && { second }) })
  return [time, formatIn(zone, { day: 'numeric', month: 'short', year: 'numeric' })]
}
