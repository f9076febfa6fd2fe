/** The names and numbers of a compared release in words, for sentences (headline.ts) and for tables (report.ts). */
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { showInUnit } from '@deployment-annotations/contract/unit'
import type { Verdict } from '@deployment-annotations/contract/verdict'

type StoredSeries = VerdictDetails['series'][number]
type Shown = Pick<StoredSeries, 'kind' | 'unit'>

/** @returns `1.02 %`, `3.2/min`, `412`, `412 ms`; `–` where there is none */
export function formatValue(value: number | null, { kind, unit = 'none' }: Shown): string {
  if (value === null || !Number.isFinite(value)) return '–'
  if (kind === 'share') return `${formatNumber(value * 100)} %`
  return kind === 'count' ? `${formatNumber(value)}/min` : showInUnit(value, unit, formatNumber)
}

/** @returns `+44 %`, `−38 %`; from a doubling on `×2.1`, because people read that faster than `+110 %` */
export function formatChange(change: number): string {
  if (Number.isNaN(change)) return '–'
  if (change === Number.POSITIVE_INFINITY) return 'from none'
  if (change >= 1) return `×${formatNumber(change + 1)}`
  const percent = Math.abs(change * 100).toFixed(0)
  return percent === '0' ? '0 %' : `${change < 0 ? '−' : '+'}${percent} %`
}

/** @returns `07:16 UTC` */
export const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`

/** Larger upper bounds are written `or more`. */
const CHANGE_MAX = 100

/** @returns the interval of the change, such as `+2 to +13 %` and `×2.22 or more`; the change alone without an interval */
export function describeInterval({ change, low, high, ofTheRest }: StoredSeries): string {
  const whose = ofTheRest ? 'the rest ' : ''
  if (low === null) return change === null ? '–' : whose + formatChange(change)
  if (high === null || high > CHANGE_MAX) return `${whose}${formatChange(low)} ${low < 0 ? 'to any rise' : 'or more'}`
  // Both ends of a rise to more than a doubling are times.
  const from = low >= 0 && high >= 1 ? `×${formatNumber(low + 1)}` : formatChange(low)
  return whose + joinValues(from, ' to ', formatChange(high))
}

/** Three significant digits, all before the point, thousands apart. */
function formatNumber(value: number): string {
  return Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

/** @returns both values; a unit that they share stands once */
export function joinValues(from: string, between: string, to: string): string {
  const [unit, other] = [from, to].map((text) => /(?<![^\d.,])[^\d.,]*$/.exec(text)?.[0] ?? '')
  const isShared = unit === other && unit !== undefined && unit.length < from.length
  return `${isShared ? from.slice(0, from.length - unit.length) : from}${between}${to}`
}

/** The default queries are named after their dataset and metric. A series of another query is its own metric. */
export function partsOf(name: string): { dataset: string; metric: string } {
  const [, dataset = '', metric = name] = /^(\S+) (?:.* · )?(traffic|errors(?: of .+)?|p\d+)$/.exec(name) ?? []
  return { dataset, metric }
}

/** @returns `errors`; `errors of web` where the metrics are of several datasets, but for those of the release's own service */
export function nameOf({ name }: { readonly name: string }, all: readonly { readonly name: string }[], own?: string): string {
  const { dataset, metric } = partsOf(name)
  const isAlone = all.every((one) => partsOf(one.name).dataset === dataset)
  return isAlone || dataset === '' || dataset === own ? metric : `${metric} of ${dataset}`
}

export const capitalize = (text: string): string => (/^p\d/.test(text) ? text : `${text[0]?.toUpperCase()}${text.slice(1)}`)

type Named = { readonly name: string; readonly verdict: Verdict }

/** Whether the 95th percentile of the same query says it: it changed, too, or neither did. */
export function isMinor({ name, verdict }: Named, all: readonly Named[]): boolean {
  const main = all.find((one) => one.name === name.replace(/ · p(?:50|99)$/, ' · p95'))
  return main !== undefined && main.name !== name && (isChanged(main) || !isChanged({ verdict }))
}

export const isChanged = ({ verdict }: { verdict: Verdict }): boolean => verdict !== 'same' && verdict !== 'inconclusive'
