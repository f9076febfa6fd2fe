/** A compared series in words and numbers, as every report says it. */
import type { ComparedSeries, Comparison } from './comparison.ts'
import type { Verdict } from './verdict.ts'

type Shown = Pick<ComparedSeries, 'kind'>

/** @returns `1.02 %`, `3.2/min`, `412`; `–` where there is none */
export function formatValue(value: number, { kind }: Shown): string {
  if (!Number.isFinite(value)) return '–'
  if (kind === 'share') return `${formatNumber(value * 100)} %`
  return kind === 'count' ? `${formatNumber(value)}/min` : formatNumber(value)
}

/** @returns `+44 %`, `−38 %`; from a doubling on `×2.1`, because people read that faster than `+110 %` */
function formatChange(change: number): string {
  if (Number.isNaN(change)) return '–'
  if (change === Number.POSITIVE_INFINITY) return 'from none'
  if (change >= 1) return `×${formatNumber(change + 1)}`
  const percent = Math.abs(change * 100).toFixed(0)
  return percent === '0' ? '0 %' : `${change < 0 ? '−' : '+'}${percent} %`
}

/** @returns the change with the ends of its interval */
export function describeChange({ change, low, high, ofTheRest }: ComparedSeries): string {
  if (Number.isNaN(change)) return '–'
  const end = high === Number.POSITIVE_INFINITY ? 'or more' : `to ${formatChange(high)}`
  const interval = Number.isNaN(low) ? '' : ` (${formatChange(low)} ${end})`
  return `${ofTheRest ? 'the rest ' : ''}${formatChange(change)}${interval}`
}

/** @returns `99.8 %`, never 100 */
export function formatConfidence(confidence: number): string {
  if (confidence > 0.9999) return 'over 99.99 %'
  return `${(Math.floor(confidence * 1_000) / 10).toFixed(1)} %`
}

/** @returns `1.02 % → 2.1 %` */
export function describeFigures(series: ComparedSeries): string {
  return `${formatValue(series.before, series)} → ${formatValue(series.after, series)}`
}

/** @returns `×2.1 (+44 % to ×2.9), 99.8 % sure`; how sure it is only of a change */
export function describeSureChange(series: ComparedSeries): string {
  const { verdict, confidence } = series
  const sure = verdict === 'worse' || verdict === 'better' ? `, ${formatConfidence(confidence)} sure` : ''
  return describeChange(series) + sure
}

function describeSeries(series: ComparedSeries): string {
  return `${series.name} ${describeFigures(series)}, ${describeSureChange(series)}`
}

/** The comparison in one sentence. */
export function describeComparison({ verdict, series }: Comparison): string {
  const named = series.filter((one) => one.verdict === verdict)
  const names = named.map(({ name }) => name).join(', ')
  const others = series.length - named.length
  const rest = others === 0 ? '' : `; ${others === 1 ? 'the other one is' : `the ${others} others are`} not`
  switch (verdict) {
    case 'worse':
    case 'better':
      return `After the event ${named.map(describeSeries).join('; ')}${rest}.`
    case 'same':
      return `Nothing has changed much in ${names}${others === 0 ? '' : `; ${others} had too little data`}.`
    case 'too little data':
      return series.length === 0
        ? 'There was nothing to compare.'
        : `There was too little data to tell: ${named.map(describeLack).join('; ')}.`
    default:
      return verdict satisfies never
  }
}

function describeLack({ name, lack }: ComparedSeries): string {
  return `${name}: ${lack}`
}

/** A sign that is seen before the word is read. */
export const SIGNS: Readonly<Record<Verdict, string>> = { worse: '🔴', better: '🟢', same: '⚪', 'too little data': '❔' }

/** Three significant digits, all before the point, thousands apart. */
function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2)
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')
}
