/**
 * Turns answers of queries into series, one for each group and compared column. A query that is grouped by time was run once over all
 * windows: its buckets are sorted into them, and a bucket across an edge is dropped. Other queries were run once for each window.
 */
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type { Unit } from '@deployment-annotations/contract/unit'
import { type AnsweredTable, type Columns, type JudgedColumn, readColumns, toNumber } from './columns.ts'
import type { Counted, Series, Sides } from './series.ts'
import type { Span } from './windows.ts'

/** A series with its group and column. */
export interface NamedSeries {
  /** Values of the groups, in the order of the query; empty without groups. */
  group: string[]
  column: string
  /** A `count()` alone, for which only the user knows whether more is worse. */
  isBareCount: boolean
  /** The length of its buckets; absent if the query is not grouped by time. */
  bucketMs?: number
  /** The unit, if it is known. */
  unit?: Unit
  series: Series
}

/** The rows of one window: one for each bucket if the query is grouped by time, otherwise a single one. */
interface WindowRows {
  columns: Columns
  table: AnsweredTable
  /** For each group the index of its row in each bucket; absent if it has none. */
  rows: Map<string, (number | undefined)[]>
  /** When its buckets start, in milliseconds since the epoch. */
  starts: readonly number[]
  bucketMinutes: number
}

/** A table, and the span of it that counts. */
export interface AnsweredSpan {
  table: AnsweredTable
  span: Span
}

type AnsweredSides = Record<'before' | 'after', AnsweredSpan>

/** The answers to one query for each window, for other days too, and the answer of the baseline. */
export interface AnsweredWindows extends AnsweredSides {
  seasons: readonly AnsweredSides[]
  /** Days before the event, in the order of time. */
  past?: readonly AnsweredSpan[] | undefined
  baseline?: AnsweredSides | undefined
}

/** @returns the series, those with most data first, because the last ones are dropped if there are too many */
export function readSeries({ seasons, baseline, past = [], ...sides }: AnsweredWindows): NamedSeries[] {
  const readSides = ({ before, after }: AnsweredSides) => ({ before: readRows(before), after: readRows(after) })
  const { before, after } = readSides(sides)
  const others = { seasons: seasons.map(readSides), baseline: baseline && readSides(baseline), past: past.map(readRows) }
  // A window without rows has no columns, so those of the other window are used.
  const [known = after] = [after, before].filter(({ rows }) => rows.size > 0)
  const bucketMs = known.bucketMinutes * UNIT_MS.m
  const edgeMs = (before.starts.at(-1) ?? 0) + bucketMs
  /** Counted from the end of the time before. */
  const placeOf = (startMs = edgeMs) => Math.round((edgeMs - startMs) / (bucketMs || 1))
  const groups = new Set([...after.rows.keys(), ...before.rows.keys()])
  const series = [...groups].flatMap((group) =>
    known.columns.judged.map((column) => ({
      group: JSON.parse(group) as string[],
      column: column.name,
      isBareCount: column.isBareCount,
      ...(column.unit && { unit: column.unit }),
      ...(bucketMs > 0 && { bucketMs }),
      series: readOne(group, column),
    })),
  )
  return series.sort((a, b) => weightOf(b.series) - weightOf(a.series))

  function readOne(group: string, column: JudgedColumn): Series {
    if (column.kind !== 'measurement') {
      // `countif` has a row with 0 for each bucket with an event; a `count` behind a filter has no row for 0.
      const present = column.kind === 'count' && !column.isBareCount && readAll(presenceOf, false)
      return { kind: column.kind, ...readAll(countsOf, { events: 0, outOf: 0 }), ...(present && { present }) }
    }
    return { kind: 'measurement', ...readAll(valuesOf, null) }

    function readAll<T>(read: (window: WindowRows, group: string, column: JudgedColumn) => T[], none: T) {
      const sidesOf = (rows: ReturnType<typeof readSides>): Sides<T> => ({
        before: read(rows.before, group, column),
        after: read(rows.after, group, column),
      })
      const own = sidesOf({ before, after })
      const align = (other: Sides<T>): Sides<T> => ({
        // Buckets are numbered from the event, so that those next to it match.
        before: own.before.map((_, at) => other.before.at(at - own.before.length) ?? none),
        after: own.after.map((_, at) => other.after[at] ?? none),
      })
      // Times between two days, and between the last one and the event, are empty.
      const line = new Array<T>(placeOf(others.past[0]?.starts[0])).fill(none)
      for (const day of others.past) {
        const buckets = read(day, group, column)
        for (let at = 0; at < buckets.length; at++) line[line.length - placeOf(day.starts[at])] = buckets[at] as T
      }
      return {
        ...own,
        ...(others.seasons.length > 0 && { seasons: others.seasons.map((season) => align(sidesOf(season))) }),
        ...(others.past.length > 0 && { past: line }),
        ...(others.baseline && { baseline: align(sidesOf(others.baseline)) }),
      }
    }
  }
}

function readRows({ table, span }: { table: AnsweredTable; span: Span }): WindowRows {
  const columns = readColumns(table)
  const times = columns.timeAt === undefined ? [] : (table.columns[columns.timeAt] ?? []).map(toMs)
  const bucketMs = readBucketMs(table)
  const starts = bucketMs === undefined ? [0] : startsOf(times, bucketMs, span).filter((start) => !table.unseen?.has(start))
  const [first = 0] = starts
  const rows: WindowRows['rows'] = new Map()
  const hasGroups = columns.groupsAt.length > 0
  for (let row = 0; row < (table.columns[0]?.length ?? 0); row++) {
    const ms = bucketMs === undefined ? 0 : (times[row] ?? 0)
    // A map of a fortnight's minutes would take longer than all else.
    const bucket = table.unseen ? starts.indexOf(ms) : Math.round((ms - first) / (bucketMs ?? 1))
    if (starts[bucket] !== ms) continue
    const group = hasGroups ? JSON.stringify(columns.groupsAt.map((at) => toLabel(table.columns[at]?.[row]))) : '[]'
    const ofGroup = rows.get(group) ?? new Array<undefined>(starts.length).fill(undefined)
    ofGroup[bucket] = row
    rows.set(group, ofGroup)
  }
  // For a query without time the window is one bucket, which says nothing of the scatter of a count, so it has no minutes.
  return { columns, table, rows, starts, bucketMinutes: (bucketMs ?? 0) / UNIT_MS.m }
}

/** Whoever has kept an answer has its times as milliseconds. */
const toMs = (time: unknown) => (typeof time === 'number' ? time : Date.parse(String(time)))

/** The starts of the buckets that are whole within the span, including those without rows. */
function startsOf([anchor = 0]: readonly number[], bucketMs: number, span: Span): number[] {
  const first = anchor + Math.ceil((span.startMs - anchor) / bucketMs) * bucketMs
  const starts: number[] = []
  for (let start = first; start + bucketMs <= span.endMs; start += bucketMs) starts.push(start)
  return starts
}

/** The size that the answer states, or otherwise the smallest distance of two of its times; `undefined` if it is not grouped by time. */
export function readBucketMs(table: AnsweredTable): number | undefined {
  if (table.buckets) return Number(table.buckets.size) / Number(UNIT_NS.ms)
  if (!table.fields.some(({ agg }) => agg)) return undefined
  const at = table.fields.findIndex(({ name }) => name === '_time')
  return distanceOf((table.columns[at] ?? []).map(toMs))
}

/** @returns the smallest distance of two different times */
export function distanceOf(times: readonly number[]): number | undefined {
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  const distances = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time))
  return distances.length === 0 ? undefined : Math.min(...distances)
}

function valuesOf(window: WindowRows, group: string, { at, isZeroWhereAbsent }: JudgedColumn): (number | null)[] {
  const empty = isZeroWhereAbsent && window.bucketMinutes > 0 ? 0 : null
  return bucketsOf(window, group).map((row) => (row === undefined ? empty : (toNumber(window.table.columns[at]?.[row]) ?? empty)))
}

function countsOf(window: WindowRows, group: string, { at, outOfAt }: JudgedColumn): Counted[] {
  const { columns } = window.table
  const numberAt = (column: number, row: number | undefined) => (row === undefined ? 0 : (toNumber(columns[column]?.[row]) ?? 0))
  return bucketsOf(window, group).map((row) => ({
    events: numberAt(at, row),
    outOf: outOfAt === undefined ? window.bucketMinutes : numberAt(outOfAt, row),
  }))
}

function presenceOf(window: WindowRows, group: string): boolean[] {
  return bucketsOf(window, group).map((row) => row !== undefined)
}

function bucketsOf({ rows, starts }: WindowRows, group: string): (number | undefined)[] {
  return rows.get(group) ?? new Array<undefined>(starts.length).fill(undefined)
}

function weightOf({ kind, before, after }: Series): number {
  if (kind === 'measurement') return [...before, ...after].filter((value) => value !== null).length
  const counted = [...before, ...after] as Counted[]
  return counted.reduce((sum, { events, outOf }) => sum + (kind === 'share' ? outOf : events), 0)
}

function toLabel(value: unknown): string {
  if (value === null || value === undefined) return '(none)'
  return typeof value === 'object' ? stringifyExact(value) : String(value)
}
