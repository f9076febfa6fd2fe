/** A compared series in words and numbers, as every report says it. */

import { showInUnit } from '@deployment-annotations/contract/unit'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import type { ComparedSeries, Comparison } from './comparison.ts'
import { rankByHarm } from './verdict.ts'

type Shown = Pick<ComparedSeries, 'kind' | 'unit'>

/** @returns `1.02 %`, `3.2/min`, `412`, `412 ms`; `–` where there is none */
export function formatValue(value: number, { kind, unit = 'none' }: Shown): string {
  if (!Number.isFinite(value)) return '–'
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

/** Larger upper bounds are written `or more`. */
const CHANGE_MAX = 100

/** @returns the change with the ends of its interval */
export function describeChange({ change, low, high, ofTheRest }: ComparedSeries): string {
  if (Number.isNaN(change)) return '–'
  const end = high > CHANGE_MAX ? 'or more' : `to ${formatChange(high)}`
  const interval = Number.isNaN(low) ? '' : ` (${formatChange(low)} ${end})`
  return `${ofTheRest ? 'the rest ' : ''}${formatChange(change)}${interval}`
}

/** @returns `once in 2,300 times`: how often nothing but chance would do it */
function formatChance(chance: number): string {
  if (chance < 1 / 10_000) return 'less than once in 10,000 times'
  return `once in ${Math.round(Number((1 / chance).toPrecision(2))).toLocaleString('en')} times`
}

/** The text mentions the forecast if it differs from the value before by more than this share. */
const EXPECTED_DIFFERS = 0.05

/** @returns `1.02 % → 2.1 %`, with the forecast if it differs from the value before */
export function describeFigures(series: ComparedSeries): string {
  const { before, after, expected } = series
  const differs = Number.isFinite(expected) && Math.abs(expected - before) > EXPECTED_DIFFERS * Math.abs(before)
  const rather = differs && before !== 0 ? `, ${formatValue(expected, series)} expected` : ''
  return `${formatValue(before, series)} → ${series.verdict === 'gone' ? 'nothing' : formatValue(after, series)}${rather}`
}

/** @returns `×2.1 (+44 % to ×2.9), by chance once in 2,300 times`; chance is named of a change only */
export function describeSureChange(series: ComparedSeries): string {
  return [describeChange(series), howLikely(series)].filter((part) => part !== '').join(', ')
}

/** @returns how often chance alone would do it, why the verdict is “cannot tell”, or '' */
export function howLikely({ verdict, lack, chance }: ComparedSeries): string {
  if (lack !== undefined) return lack
  return chance === undefined || verdict === 'same' || verdict === 'gone' ? '' : `by chance ${formatChance(chance)}`
}

function describeSeries(series: ComparedSeries): string {
  const change = series.verdict === 'gone' ? '' : `, ${describeSureChange(series)}`
  return `${series.name} ${describeFigures(series)}${change}${describeCarriers(series)}${describeOnset(series)}`
}

function describeOnset({ beganMs }: ComparedSeries): string {
  return beganMs === undefined ? '' : `; it began at ${new Date(beganMs).toISOString().slice(11, 16)}, before the release`
}

/** @returns `, carried by version 2.15.0 (0.00/min → 5.78/min)`, or '' */
function describeCarriers({ carriers }: Pick<ComparedSeries, 'carriers'>): string {
  if (carriers.length === 0) return ''
  const rate = (value: number) => formatValue(value, { kind: 'count' })
  const values = carriers.map(({ field, value, before, after }) => `${field} ${value} (${rate(before)} → ${rate(after)})`)
  return `, carried by ${values.join(' and ')}`
}

/** Each verdict in words, for sentences and headings. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  gone: 'gone',
  worse: 'worse',
  lower: 'lower',
  higher: 'higher',
  better: 'better',
  inconclusive: 'cannot tell',
  same: 'no change',
}

/** The comparison in one or two sentences, the most serious verdict first. */
export function describeComparison(comparison: Comparison): string {
  const { series } = comparison
  if (series.length === 0) return 'There was nothing to compare.'
  const of = (...verdicts: Verdict[]) => series.filter(({ verdict }) => verdicts.includes(verdict))
  const changed = of('gone', 'worse', 'lower', 'higher', 'better')
  const [unknown, same] = [of('inconclusive'), of('same')]
  const names = (list: readonly ComparedSeries[]) => list.map(({ name }) => name).join(', ')
  const sentences = [
    changed.length > 0 && `${changed.map((one) => `${VERDICT_WORDS[one.verdict]}: ${describeSeries(one)}`).join('; ')}`,
    unknown.length > 0 && `cannot tell: ${unknown.map(describeUnknown).join('; ')}`,
    same.length > 0 && `no change: ${names(same)}`,
  ].filter((sentence) => sentence !== false)
  const text = sentences.map((sentence) => `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`).join(' ')
  return `${text}${describeNeighbors(comparison, changed.length > 0)}`
}

/** A headline has space for two values, such as a route and a version. The table names the others. */
const HEADLINE_CARRIERS = 2

/** The comparison in a few words, of its most serious series alone: `Web errors ×2.0: 0.93 % → 1.85 %, carried by version 2.15.0`. */
export function describeHeadline({ verdict, series }: Comparison): string {
  const equal = series.filter((one) => one.verdict === verdict)
  const anothers = verdict === 'inconclusive' ? equal.find(({ carriedBy }) => carriedBy) : undefined
  const one =
    anothers ?? (verdict === 'inconclusive' ? equal.find(({ kind }) => kind === 'share') : rankByHarm(equal)[0]) ?? equal[0]
  if (!one || verdict === 'same') return one ? 'No change' : 'There was nothing to compare'
  const short = shortName(one.name)
  if (verdict === 'inconclusive') {
    if (one.carriedBy) return `Cannot tell: ${short} ${formatChange(one.change)} came with “${one.carriedBy.name}”`
    return isHarmless(series)
      ? `No harm found: ${short} ${describeFigures(one)} (${formatChange(one.low)} to ${formatChange(one.high)})`
      : `Cannot tell: ${short} ${describeFigures(one)}`
  }
  const name = `${short[0]?.toUpperCase()}${short.slice(1)}`
  if (verdict === 'gone') return `${name}: ${describeFigures(one)}`
  const carriers = one.carriers
    .slice(0, HEADLINE_CARRIERS)
    .map(({ field, value }) => `${field} ${value}`)
    .join(' and ')
  const change = `${one.ofTheRest ? 'the rest ' : ''}${formatChange(one.change)}`
  return `${name} ${change}: ${describeFigures(one)}${carriers === '' ? '' : `, carried by ${carriers}`}`
}

/** @returns whether no harm was found: some series did not change, and no uncertain series can have doubled or halved for the worse */
function isHarmless(series: readonly ComparedSeries[]): boolean {
  const unknown = series.filter(({ verdict }) => verdict === 'inconclusive')
  const isBounded = ({ direction, ofTheRest, low, high }: ComparedSeries) => {
    const [isRiseBad, isFallBad] = [direction !== 'lower-is-worse' || ofTheRest, direction !== 'higher-is-worse' || ofTheRest]
    return (high < 1 || !isRiseBad) && (low > -0.5 || !isFallBad)
  }
  return unknown.length < series.length && unknown.every(isBounded)
}

/** @returns `web p95` for `web duration_ms · p95`: a dataset has one latency in a headline */
function shortName(name: string): string {
  return name.replace(/^(\S+) .* · (p\d+)$/, '$1 $2')
}

function describeUnknown(series: ComparedSeries): string {
  return `${series.name} ${describeFigures(series)}, ${describeSureChange(series)}`
}

/** The text names other annotations that may be the cause, and those at which the windows end. */
export function describeNeighbors({ neighbors, event, series }: Comparison, isChanged: boolean): string {
  const quote = (name: string) => `“${name}”`
  const sharing = neighbors.filter(({ isCutOff }) => !isCutOff)
  const cut = neighbors.filter(({ isCutOff }) => isCutOff)
  const others = sharing.map(({ name }) => quote(name)).join(' and ')
  const whose = event === '' ? others : `${quote(event)} and ${others}`
  const changed = series.filter(({ verdict }) => verdict !== 'same' && verdict !== 'inconclusive')
  const isShared = isChanged && !changed.every(({ carriedBy }) => carriedBy?.isOwn)
  const shared =
    sharing.length === 0 ? '' : isShared ? ` It is shared by ${whose}.` : ` Within these times there was ${others}, too.`
  const ended = cut.length === 0 ? '' : ` The times end at ${cut.map(({ name }) => quote(name)).join(' and ')}.`
  return shared + ended
}

/** A sign for each verdict, for tables and headings. */
export const SIGNS: Readonly<Record<Verdict, string>> = {
  gone: '⛔',
  worse: '🔴',
  lower: '🔽',
  higher: '🔼',
  better: '🟢',
  inconclusive: '❔',
  same: '⚪',
}

/** Three significant digits, all before the point, thousands apart. */
function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2)
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')
}
