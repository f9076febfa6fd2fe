/** Builds what a chart draws from a table that is grouped by time: series of numbers over common times. Pure. */
import { isZeroWhereAbsent } from '@deployment-annotations/compare/columns'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { seriesColor } from '../address/colors.ts'
import type { Range } from '../address/range.ts'
import type { Unit } from '../address/unit.ts'
import { numberOf } from '../query/cell.ts'
import type { Table } from '../service/query.ts'

/** One value for each bin; null where there is none. */
export type Values = readonly (number | null)[]

export interface Series {
  label: string
  /** One value for each time; null where there is nothing to draw. */
  values: (number | null)[]
  /** In the form a style takes. */
  color: string
  /** Whether it is of an earlier time, or a threshold. */
  isDashed?: true
  /** Whether it is the part of another series in which a release hurts it. */
  isWorse?: true
  /** The index of the pane that it is drawn in; the first one by default. */
  pane?: number
  /**
   * What is drawn instead of a step for each value: a value at some starts of bins and at the end of the last one, with a straight line to
   * the next.
   */
  points?: readonly (number | undefined)[]
}

/** One of the small charts that a frame is drawn as, one below the other. */
export interface Pane {
  /** Empty where the title of the chart says it. */
  name: string
  unit: Unit
  /** Its latest value in words; empty without one. */
  figure: string
  /** By what a value is multiplied to be read in the unit of the figure. */
  factor?: number
  /** Where a release hurts it: since when, and what it was before. */
  hurt?: { sinceMs: number; was: string } | undefined
  /** What a release did to it that is over. */
  note?: { text: string; ms: number } | undefined
}

export interface Frame {
  /** Starts of the bins in milliseconds since the epoch, ascending and evenly spaced. */
  times: number[]
  stepMs: number
  series: Series[]
  /** The number of series that were left out, because nobody could read a chart of more. */
  leftOut: number
  /** At least one. */
  panes: readonly Pane[]
}

const ONLY_PANE: Pane = { name: '', unit: 'none', figure: '' }

export const SERIES_MAX = 24
/** A wide screen has fewer pixels; a finer query is drawn up to this number of bins. */
const BINS_MAX = 10_000

const NS_PER_MS = 1_000_000

/**
 * @param ranks of `percentiles_array(…)` in the query, whose answer has only the values
 * @returns `undefined` for a table that is not grouped by time
 */
export function buildFrame(table: Table, range: Range, ranks: readonly string[] = []): Frame | undefined {
  const { buckets, fields, columns } = table
  const timeAt = fields.findIndex(({ name }) => name === buckets?.field)
  if (!buckets || timeAt === -1) return undefined
  const groupNames = new Set(table.groups.map(({ name }) => name))
  const groupsAt = indexesOf(fields, ({ name }) => groupNames.has(name) && name !== buckets.field)
  const valuesAt = indexesOf(fields, ({ name }, at) => at !== timeAt && !groupNames.has(name))
  const stepMs = Number(buckets.size) / NS_PER_MS
  const rowTimes = (columns[timeAt] ?? []).map((time) => Date.parse(String(time)))
  const times = binsOf(range, stepMs, rowTimes)
  const binOf = new Map(times.map((time, bin) => [time, bin]))

  const series = new Map<string, Series & { total: number }>()
  for (const [row, time] of rowTimes.entries()) {
    const bin = binOf.get(time)
    if (bin === undefined) continue
    const group = groupsAt.map((at) => nameOf(columns[at]?.[row])).join(', ')
    for (const at of valuesAt) {
      for (const { part, value } of valuesOf(columns[at]?.[row], fields[at]?.agg?.name, ranks)) {
        const name = valuesAt.length > 1 || (group === '' && part === '') ? (fields[at]?.name ?? '') : ''
        const key = [group, name, part].filter((text) => text !== '').join(' · ')
        let one = series.get(key)
        if (!one) {
          const empty = isZeroWhereAbsent(fields[at]?.agg?.name) ? 0 : null
          one = { label: key, values: times.map(() => empty), color: '', total: 0 }
          series.set(key, one)
        }
        one.values[bin] = value
        one.total += value
      }
    }
  }
  const largest = [...series.values()].sort((a, b) => b.total - a.total)
  const shown = largest.slice(0, SERIES_MAX).map(({ label, values }, at) => ({ label, values, color: seriesColor(at) }))
  return { times, stepMs, series: shown, leftOut: largest.length - shown.length, panes: [ONLY_PANE] }
}

function indexesOf<T>(list: readonly T[], isWanted: (item: T, at: number) => boolean): number[] {
  return list.flatMap((item, at) => (isWanted(item, at) ? [at] : []))
}

/** @returns a number as one value; the values of `percentiles_array(…)` as one for each rank */
function valuesOf(value: unknown, aggregation: string | undefined, ranks: readonly string[]): { part: string; value: number }[] {
  const number = numberOf(value)
  if (number !== undefined) return [{ part: '', value: number }]
  if (!Array.isArray(value) || !aggregation?.startsWith('percentiles')) return []
  return value.flatMap((item: unknown, at) => {
    const one = numberOf(item)
    const rank = ranks.length === value.length ? ranks[at] : undefined
    return one === undefined ? [] : [{ part: rank === undefined ? `[${at}]` : `p${rank}`, value: one }]
  })
}

/** @returns the ranks of a query's first `percentiles_array(…)`, such as `50`, `95` */
export function readRanks(apl: string): string[] {
  const [, , written = ''] = /\bpercentiles(?:if)?_array(?:if)?\s*\(([^,()]*),([\d\s.,]*)/.exec(apl) ?? []
  return written
    .split(',')
    .map((rank) => rank.trim())
    .filter((rank) => rank !== '')
}

function nameOf(value: unknown): string {
  return value === null || value === undefined ? '(none)' : typeof value === 'object' ? stringifyExact(value) : String(value)
}

/** @returns all bins of the range, including those without rows, aligned with the bins of the rows */
function binsOf({ startMs, endMs }: Range, stepMs: number, rowTimes: readonly number[]): number[] {
  const anchor = rowTimes[0] ?? 0
  const first = anchor + Math.floor((startMs - anchor) / stepMs) * stepMs
  const count = Math.ceil((endMs - first) / stepMs)
  if (!(count <= BINS_MAX)) return [...new Set(rowTimes)].sort((a, b) => a - b).slice(-BINS_MAX)
  return Array.from({ length: count }, (_, bin) => first + bin * stepMs)
}

/** @returns whether there is anything to draw */
export function hasValues({ series }: Frame): boolean {
  return series.some(({ values }) => values.some((value) => value !== null))
}

/** @returns the total of a series of counts */
export function totalOf({ values }: Series): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}

/** @returns the start of the bin that ends after `endMs`; it is still being counted and would look like a drop */
export function unfinishedFrom({ times, stepMs }: Frame, endMs: number): number | undefined {
  const last = times.at(-1)
  return last !== undefined && times.length > 2 && last + stepMs > endMs ? last : undefined
}
