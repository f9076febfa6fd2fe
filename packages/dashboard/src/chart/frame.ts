/** What a chart draws: series of numbers over common times, made from a table that is grouped by time. Pure. */
import { isZeroWhereAbsent } from '@deployment-annotations/compare/columns'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type { Range } from '../address/range.ts'
import { seriesColour } from '../address/type-colours.ts'
import type { Table } from '../service/query.ts'
import { buildHeat, type Heat } from './heat.ts'

export interface Series {
  label: string
  /** One for each time; null where there is nothing to draw. */
  values: (number | null)[]
  /** Index of the series whose earlier values these are. */
  earlierOf?: number
  /** The values of the others are compared with it. */
  isThreshold?: true
}

export interface Frame {
  /** Starts of the bins in milliseconds since the epoch, ascending, evenly apart. */
  times: number[]
  stepMs: number
  series: Series[]
  /** Series that were left out because a chart of more could not be read. */
  leftOut: number
  /** Histograms, drawn in place of series. */
  heat?: Heat
}

export const SERIES_MAX = 24
/** Enough for every pixel of a wide screen; a finer query is drawn as far as it goes. */
const BINS_MAX = 10_000

const NS_PER_MS = 1_000_000

/**
 * @param ranks of `percentiles_array(…)`, as the query has them: its answer has the values only
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
    const group = groupsAt.map((at) => label(columns[at]?.[row])).join(', ')
    for (const at of valuesAt) {
      for (const { part, value } of valuesOf(columns[at]?.[row], fields[at]?.agg?.name, ranks)) {
        const name = valuesAt.length > 1 || (group === '' && part === '') ? (fields[at]?.name ?? '') : ''
        const key = [group, name, part].filter((text) => text !== '').join(' · ')
        let one = series.get(key)
        if (!one) {
          const empty = isZeroWhereAbsent(fields[at]?.agg?.name) ? 0 : null
          one = { label: key, values: times.map(() => empty), total: 0 }
          series.set(key, one)
        }
        one.values[bin] = value
        one.total += value
      }
    }
  }
  const largest = [...series.values()].sort((a, b) => b.total - a.total)
  const shown = largest.slice(0, SERIES_MAX).map(({ label: name, values }) => ({ label: name, values }))
  const histogramAt = valuesAt.find((at) => fields[at]?.agg?.name.startsWith('histogram'))
  const heat = histogramAt === undefined ? undefined : buildHeat(table, histogramAt, (row) => binOf.get(rowTimes[row] ?? 0))
  return { times, stepMs, series: shown, leftOut: largest.length - shown.length, ...(heat && { heat }) }
}

function indexesOf<T>(list: readonly T[], isWanted: (item: T, at: number) => boolean): number[] {
  return list.flatMap((item, at) => (isWanted(item, at) ? [at] : []))
}

/** @returns a number as one value; those of `percentiles_array(…)` as one for each rank */
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

/** @returns the ranks of the first `percentiles_array(…)` of a query: `50`, `95` */
export function readRanks(apl: string): string[] {
  const [, , written = ''] = /\bpercentiles(?:if)?_array(?:if)?\s*\(([^,()]*),([\d\s.,]*)/.exec(apl) ?? []
  return written
    .split(',')
    .map((rank) => rank.trim())
    .filter((rank) => rank !== '')
}

/** A pixel does not tell a digit beyond the sixteenth, so integers that a double cannot hold are drawn as the nearest one. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

function label(value: unknown): string {
  return value === null || value === undefined ? '(none)' : typeof value === 'object' ? stringifyExact(value) : String(value)
}

/** All bins of the range, those without rows too; they lie where the rows' bins lie. */
function binsOf({ startMs, endMs }: Range, stepMs: number, rowTimes: readonly number[]): number[] {
  const anchor = rowTimes[0] ?? 0
  const first = anchor + Math.floor((startMs - anchor) / stepMs) * stepMs
  const count = Math.ceil((endMs - first) / stepMs)
  if (!(count <= BINS_MAX)) return [...new Set(rowTimes)].sort((a, b) => a - b).slice(-BINS_MAX)
  return Array.from({ length: count }, (_, bin) => first + bin * stepMs)
}

/** @returns whether there is anything to draw */
export function hasValues({ series, heat }: Frame): boolean {
  return heat !== undefined || series.some(({ values }) => values.some((value) => value !== null))
}

/** @returns the colour, as a style takes it */
export function lineColour({ earlierOf, isThreshold }: Series, at: number): string {
  return isThreshold ? 'var(--bad)' : seriesColour(earlierOf ?? at)
}

/** @returns the sum of a series that counts something */
export function totalOf({ values }: Series): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}

/** A bin that starts before the range holds fewer events than there were, and would look like a drop: it is not drawn. */
export function withoutCutBin(frame: Frame, { startMs }: Range): Frame {
  const [first = startMs] = frame.times
  if (first >= startMs || frame.times.length < 3) return frame
  return { ...frame, series: frame.series.map((one) => ({ ...one, values: [null, ...one.values.slice(1)] })) }
}
