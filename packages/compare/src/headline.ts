/**
 * Every sentence about a compared release. Who compares makes the sentence once (to-report.ts), and everything else shows that one, so
 * what only shows it does not load this.
 */
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { ComparedSeries, Comparison } from './comparison.ts'
import { isNamedIn, NEARLY_ALL } from './neighbors.ts'
import { USUAL_NAMES } from './usual-names.ts'
import { rankByHarm } from './verdict.ts'
import { capitalize, formatChange, formatTime, formatValue, isChanged, isMinor, joinValues, nameOf, partsOf } from './words.ts'

/** @returns `0.98 → 1.96 %`, `28/min → nothing` */
function describeMove(series: ComparedSeries): string {
  const from = series.before === 0 ? 'none' : formatValue(series.before, series)
  return joinValues(from, ' → ', series.verdict === 'gone' ? 'nothing' : formatValue(series.after, series))
}

/** @returns the series that changed, what hurts most first; of what is gone, its traffic */
function changedOf({ series }: Comparison): ComparedSeries[] {
  const telling = rankByHarm(series.filter((one) => isChanged(one) && !isMinor(one, series)))
  const isStopped = ({ verdict, kind, direction }: ComparedSeries) => verdict === 'gone' && kind === 'count' && !direction
  return [...telling.filter(isStopped), ...telling.filter((one) => !isStopped(one))]
}

/** What a sentence is made for. */
export interface Told {
  /** The service that was released; a metric of another one is named with it. */
  own?: string | undefined
  /** Whether it was found in the hour after the release only, such as a leak. */
  isSlow?: boolean
  /** The earlier release that hurt these series, which it found back at the level from before that one. */
  fixed?: { name: string; series: readonly string[] } | undefined
}

/** A sentence, and what it says beside the verdict: nobody who shows it has to read that from its words. */
type Said = [sentence: string, finding?: VerdictDetails['finding']]

/** The verdict in one sentence: metric, verb, before → after, where; and what it fixed. */
export function describeHeadline(comparison: Comparison, told: Told = {}): Said {
  const [sentence, finding] = describeVerdict(comparison, told)
  return [told.fixed ? `${sentence}. Fixed ${told.fixed.name}.` : sentence, finding]
}

interface End {
  afterMs: number
  /** Whether everything that was hurt is back; a rollback alone does not say that. */
  isOver: boolean
  isRolledBack: boolean
  /** The release that fixed it. */
  by?: string | undefined
}

/** How the harm of a release ended, behind its sentence. */
export function describeEnd({ afterMs, isOver, isRolledBack, by }: End): string {
  const after = `after ${formatDuration(Math.round(afterMs / UNIT_MS.m) * UNIT_MS.m)}`
  if (!isOver) return `Rolled back ${after}.`
  return `Over ${after}${isRolledBack ? ', rolled back' : by === undefined ? '' : `, fixed by ${by}`}.`
}

function describeVerdict(comparison: Comparison, told: Told): Said {
  const { series, verdict } = comparison
  if (series.length === 0) return ['Not judged: nothing to compare']
  const [first] = changedOf(comparison)
  if (first && first.verdict === verdict)
    return [describeChanged(first, comparison, told), isRestored(first, told) ? 'restored' : undefined]
  const foreign = series.filter(({ carriedBy }) => carriedBy && !carriedBy.isOwn)
  if (foreign.length > 0) return describeForeign(foreign, comparison, told)
  return isHarmless(series) ? [describeNoHarm(comparison, told), 'harmless'] : [describeUnknown(comparison, told)]
}

/** The sentence, those of the other series that changed, and the other annotations nearby. */
export function describeText(comparison: Comparison, headline: string, told: Told = {}): string {
  const [first, ...others] = changedOf(comparison)
  const rare = first ? describeEarlier(first) : ''
  const sentences = [
    headline,
    ...(rare === '' ? [] : [`That is ${rare}`]),
    ...others.map((one) =>
      [describeChanged(one, comparison, told), describeEarlier(one)].filter((part) => part !== '').join(', '),
    ),
  ]
  const ended = sentences.map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`))
  return [...ended, ...describeNeighbors(comparison)].join(' ')
}

/** @returns `more than at 299 of 300 earlier moments`, or '' */
function describeEarlier({ earlier, verdict }: ComparedSeries): string {
  if (!earlier || verdict === 'gone') return ''
  const { moments, reached } = earlier
  const many = reached === 0 ? `any of ${moments}` : `${moments - reached} of ${moments}`
  return `more than at ${many} earlier moments`
}

/** The text mentions the forecast if it differs from the value before by more than this share. */
const EXPECTED_DIFFERS = 0.05

function describeChanged(one: ComparedSeries, comparison: Comparison, told: Told): string {
  const metric = nameOf(one, comparison.series, told.own)
  const name = capitalize(metric)
  const move = describeMove(one)
  if (one.verdict === 'gone') return one.kind === 'count' ? `${name} stopped: ${move}` : `No data for ${metric}: ${move}`
  if (isRestored(one, told)) return `${name} ${metric.startsWith('errors') ? 'are' : 'is'} back: ${move}`
  const { before, after, expected, change } = one
  const differs = Number.isFinite(expected) && Math.abs(expected - before) > EXPECTED_DIFFERS * Math.abs(before)
  const rather = differs && before !== 0 ? `, ${formatValue(expected, one)} expected` : ''
  const verb = one.ofTheRest ? (after > before ? 'rose' : 'fell') : verbOf(change, told.isSlow)
  const rest = one.ofTheRest ? `, the rest ${verbOf(change, false)}` : ''
  const began = one.beganMs === undefined ? '' : `, from ${formatTime(one.beganMs)} on, before the release`
  const beside = one.isBeside ? `, against ${one.beside ?? 'the baseline'}` : ''
  return `${name} ${verb}: ${move}${rather}${rest}${beside}${describePlace(one, comparison.event)}${began}`
}

/** @returns whether it is back at the level from before an earlier release */
const isRestored = ({ name, verdict }: ComparedSeries, { fixed }: Told): boolean =>
  fixed?.series.includes(name) === true && !isWorse(verdict)

function verbOf(change: number, isSlow = false): string {
  const times = change + 1
  if (change === Number.POSITIVE_INFINITY) return 'began'
  if (isSlow) return `crept ${change > 0 ? 'up' : 'down'} within the hour`
  if (times >= 1.9 && times <= 2.25) return 'doubled'
  if (times >= 2.8 && times <= 3.3) return 'tripled'
  if (times >= 1.9) return `rose ${Number(times.toPrecision(2)).toLocaleString('en')}-fold`
  if (times <= 0) return 'fell to none'
  return `${change > 0 ? 'rose' : 'fell'} by ${Math.abs(change * 100).toFixed(0)} %`
}

/** How a value that carries the change is called, by what its field is: the most helpful first. */
const PLACES: readonly (readonly [readonly string[], (field: string, value: string) => string])[] = [
  [USUAL_NAMES.route, (_, value) => `on ${value}`],
  [USUAL_NAMES.place, (field, value) => `in ${field} ${value}`],
  [[...USUAL_NAMES.version, ...USUAL_NAMES.service], (field, value) => `in ${field} ${value}`],
  [USUAL_NAMES.message, (_, value) => `“${value}”`],
]
/** @returns `, nearly all on /checkout`, or ''. That a release carries its own version says nothing new. */
function describePlace({ carriers }: ComparedSeries, event: string): string {
  const telling = carriers.filter(({ value }) => !isNamedIn(event, value))
  for (const [names, describe] of PLACES) {
    const found = telling.find(({ field }) => names.includes(field))
    if (!found) continue
    const { part, field, value } = found
    return `, ${part >= NEARLY_ALL ? 'nearly all' : part >= 0.5 ? 'mostly' : 'partly'} ${describe(field, value)}`
  }
  return ''
}

/** What carries the change is of another release. */
function describeForeign(foreign: readonly ComparedSeries[], comparison: Comparison, told: Told): Said {
  const [one] = foreign as [ComparedSeries]
  const whose = one.carriedBy?.name ?? ''
  const datasetOf = ({ name }: ComparedSeries) => partsOf(name).dataset
  const shared = new Set(foreign.map(datasetOf))
  const free = comparison.series.filter((other) => !shared.has(datasetOf(other)))
  if (free.length > 0 && isHarmless(free)) {
    const places = [...new Set(free.map(datasetOf))].join(', ')
    return [`No harm on ${places}. On ${[...shared].join(', ')} it cannot be told apart from ${whose}.`, 'partly-harmless']
  }
  return [`Cannot tell: ${nameOf(one, comparison.series, told.own)} ${verbOf(one.change)} with ${whose}, ${describeMove(one)}`]
}

/** A service without any error before may have had this share of them unseen, and no more, to be called harmless. */
const UNSEEN_MAX = 0.05

/** @returns how far it may have changed for the worse: 1 is a doubling, 0.5 of a fall is half */
function harmOf({ direction, ofTheRest, low, high, kind }: ComparedSeries): { isRise: boolean; end: number } {
  const isRise = direction === undefined ? kind !== 'count' : (direction === 'higher-is-worse') !== ofTheRest
  return { isRise, end: isRise ? high : -low }
}

/** @returns whether it did not double, or halve, for the worse */
function isBounded(one: ComparedSeries): boolean {
  if (one.unseen !== undefined) return one.unseen <= UNSEEN_MAX
  const { isRise, end } = harmOf(one)
  return end < (isRise ? 1 : 0.5)
}

/** @returns whether no harm was found: some series did not change, and none that is uncertain can have doubled or halved for the worse */
function isHarmless(series: readonly ComparedSeries[]): boolean {
  const unknown = series.filter(({ verdict }) => verdict === 'inconclusive')
  return series.some(({ verdict, unseen }) => verdict === 'same' || unseen !== undefined) && unknown.every(isBounded)
}

const isOfErrors = ({ kind, name }: ComparedSeries) => kind === 'share' || partsOf(name).metric === 'errors'

/** A change below this share of a value shows as one value. */
const STILL = 0.02
/** A smaller change is never told. */
const EXCLUDED_MIN = 0.1

/** `No harm: errors 1.04 → 1.07 %, p95 75 ms; a rise of errors by more than 73 % would have shown` */
function describeNoHarm(comparison: Comparison, told: Told): string {
  const { series } = comparison
  const widest = (list: readonly ComparedSeries[]) => list.toSorted((a, b) => harmOf(b).end - harmOf(a).end)[0]
  const main = [widest(series.filter(isOfErrors)), widest(series.filter(({ name }) => name.endsWith('p95')))]
  const found = main.filter((one) => one !== undefined)
  const shown = found.length > 0 ? found : series.slice(0, 1)
  const figures = shown.map((one) => {
    const isStill = Math.abs(one.after - one.before) <= STILL * Math.abs(one.before)
    return `${nameOf(one, comparison.series, told.own)} ${isStill ? formatValue(one.after, one) : describeMove(one)}`
  })
  const [first, ...others] = shown
  // What is bounded as closely as the first is bounded by its sentence, too.
  const said = shown.filter((one) => one === first || others.length === 0 || (first && harmOf(one).end > harmOf(first).end))
  const excluded = said.map((one) => excludedOf(one, nameOf(one, comparison.series, told.own)))
  return `No harm: ${figures.join(', ')}; ${excluded.join(', or ')}${excluded.length > 1 ? ',' : ''} would have shown`
}

function excludedOf(one: ComparedSeries, name: string): string {
  if (one.unseen !== undefined) return `more than ${formatValue(one.unseen, one)} of ${name}`
  const { isRise, end } = harmOf(one)
  const percent = Math.ceil(Math.max(EXCLUDED_MIN, end) * 100)
  return `a ${isRise ? 'rise' : 'fall'} of ${one.ofTheRest ? 'the rest of ' : ''}${name} by more than ${percent} %`
}

/** Beyond this an end of an interval is too far to be told. */
const TOLD_MAX = 9

function describeUnknown(comparison: Comparison, told: Told): string {
  const unknown = comparison.series.filter(({ verdict }) => verdict === 'inconclusive')
  const unbounded = unknown.filter((one) => !isBounded(one))
  const rank = (one: ComparedSeries) => (isMinor(one, comparison.series) ? 2 : 0) + (one.kind === 'share' ? 0 : 1)
  const [one] = (unbounded.length > 0 ? unbounded : unknown).toSorted((a, b) => rank(a) - rank(b)) as [ComparedSeries]
  const name = nameOf(one, comparison.series, told.own)
  const { isRise, end } = harmOf(one)
  if (one.why === 'short') return `Not judged: ${one.lack}`
  if (one.why === 'uneven') return `Cannot tell: ${name} varied as much before${describeRange(one)}`
  if (one.why !== 'few') return `Cannot tell: ${name} ${describeMove(one)}${one.lack === undefined ? '' : `, ${one.lack}`}`
  const amount = amountOf(one, name)
  if (isBounded(one) || end > TOLD_MAX) return `Cannot tell: ${amount} are too few to be sure`
  const whose = name === 'errors' ? '' : ` of ${name}`
  return isRise
    ? `Cannot rule out a doubling${whose} (up to ${formatChange(end)}), ${amount}`
    : `Cannot rule out a halving${whose} (down to ${formatChange(-end)}), ${amount}`
}

/** @returns `24 errors`: how much was seen of it */
function amountOf({ events, kind, volume }: ComparedSeries, name: string): string {
  if (events === undefined) return `${volume.after} values of ${name}`
  if (name.startsWith('errors')) return `${events} ${name}`
  return kind === 'count' ? `${events} events` : `${events} events of ${name}`
}

/** @returns ` (70 to 110 ms)`: where nine of ten buckets before lay */
function describeRange(one: ComparedSeries): string {
  const sorted = one.chart.before.filter((value) => value !== null).sort((a, b) => a - b)
  const at = (share: number) => formatValue(sorted[Math.round(share * (sorted.length - 1))] ?? null, one)
  return sorted.length === 0 ? '' : ` (${joinValues(at(0.05), ' to ', at(0.95))})`
}

/** @returns a sentence about other annotations that may be the cause, or are near, and one about those at which the windows end */
function describeNeighbors({ neighbors, series }: Comparison): string[] {
  const list = (isCut: boolean) => neighbors.flatMap(({ isCutOff, name }) => (isCutOff === isCut ? [`“${name}”`] : [])).join(', ')
  const [sharing, cut] = [list(false), list(true)]
  const changed = series.filter(isChanged)
  const isShared = changed.length > 0 && !changed.every(({ carriedBy }) => carriedBy?.isOwn)
  return [
    ...(sharing === '' ? [] : [isShared ? `${sharing} may be the cause, too.` : `Also in this window: ${sharing}.`]),
    ...(cut === '' ? [] : [`Cut off at ${cut}.`]),
  ]
}
