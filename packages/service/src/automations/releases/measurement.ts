/**
 * What it was like before and after an annotation: the service asks itself what the step, the command and the page ask it over HTTP.
 * Deliberately not here: when that is done and how far is looked (looks.ts), and what becomes of it (release-judge.ts).
 */
import { setImmediate } from 'node:timers/promises'
import {
  chooseQueries,
  compareEach,
  datasetsOf,
  examineEvents,
  hurtSpansOf,
  lookUntil,
  toMark,
  withShare,
} from '@deployment-annotations/compare/around'
import {
  type Answer,
  type Ask,
  type Comparison,
  ComparisonError,
  MissingEventsError,
} from '@deployment-annotations/compare/comparison'
import { isLive } from '@deployment-annotations/compare/environments'
import type { Told } from '@deployment-annotations/compare/headline'
import { areBack, listHurt } from '@deployment-annotations/compare/healed'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import { describeLag, LAG_MS_MAX, type Lag, Lags, notesOfLag } from '@deployment-annotations/compare/lag'
import type { NamedQuery } from '@deployment-annotations/compare/named-queries'
import { toReport } from '@deployment-annotations/compare/to-report'
import {
  ARRIVAL_MS,
  formatSpan,
  SEASONS_MS,
  type Span,
  type Windows,
  windowsAround,
} from '@deployment-annotations/compare/windows'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import { DeliveryError } from '@deployment-annotations/edge/messages/send-request'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { StoredAnnotation, StoredFilter } from '@deployment-annotations/records/annotations/annotation-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Annotations } from '../../annotations/annotations.ts'
import { listQueryable } from '../../query/catalog.ts'
import type { Queries } from '../../query/queries.ts'
import { toWire } from '../../wire/annotation.ts'
import { environmentOf } from '../../wire/tags.ts'
import { askItself } from '../own-queries.ts'
import { type DayAsk, KeptDays } from './kept-days.ts'
import { readLast } from './list-releases.ts'
import { AGAIN_PART, EARLY_MS, HOUR, hurtsStill, lookAfter, PAST_MS, PAST_MS_MIN, SHARES, spanOf, USUAL } from './looks.ts'
import { type MetricSource, type OpenSource, openMetricSource } from './metric-sources.ts'
import { findHealed, isSameRelease, nameOf, STORY_MS_MAX } from './stories.ts'

export interface MeasurementParts {
  queries: Pick<Queries, 'readTable'>
  datasets: Pick<EventStore['datasets'], 'find'>
  annotations: Pick<Annotations, 'list'>
  /** Says which types are releases. */
  isRelease: (type: string) => boolean
  /** Where else than in events is looked. */
  sources?: readonly MetricSource[] | undefined
  /** Resolves when datasets are known that other services made before. */
  refresh: () => Promise<void>
}

/** A verdict as it is stored. */
interface Judged {
  verdict: Verdict
  verdictDetails: string
}

/** What is stored with an annotation: what is answered, and by what it is recognized that there is nothing new. */
interface StoredDetails extends VerdictDetails {
  /** How many events there were, and which marks. */
  seen: string
  /** Whether old and new versions run side by side, so that more than the first minutes are looked at. */
  isRollOut?: boolean
}

export class ReleaseMeasurement {
  readonly #parts: MeasurementParts
  readonly #lags = new Lags()
  readonly #days = new KeptDays()

  constructor(parts: MeasurementParts) {
    this.#parts = parts
  }

  /**
   * @returns how late events arrive; and the verdict and its details as JSON, `undefined` where it is not time yet, nothing is new since
   *   the last one, or there is nothing to look at
   * @throws whatever a query throws that says nothing of the query itself
   */
  async judge(
    stored: StoredAnnotation,
    nowMs: number,
    signal: AbortSignal,
  ): Promise<{ judged: Judged | undefined; lagMs: number }> {
    const { refresh, datasets } = this.#parts
    await refresh()
    const annotation = toWire(stored, () => false)
    const event = spanOf(annotation)
    const there = annotation.datasets.filter((name) => datasets.find(name))
    const ask = this.#createAsk(nowMs, signal)
    const near = await this.#listNear(annotation)
    const known: Known = { stored, annotation, event, there, ask, near, nowMs }
    // Events are at least as late as those of batches.
    if (nowMs - ARRIVAL_MS < Math.min(event.endMs + EARLY_MS.from, endOfWindow(known)))
      return { judged: undefined, lagMs: ARRIVAL_MS }
    const lag = await this.#lags.longest(ask, there, event.endMs + HOUR.afterMs, nowMs)
    const horizonMs = nowMs - lag.ms
    const isElsewhere = (one: Annotation) => one.environment && environmentOf(one) !== environmentOf(annotation)
    if (near.some(isElsewhere) && (await this.#isByEnvironment(known, horizonMs)))
      known.near = near.filter((one) => !isElsewhere(one))
    const isTime =
      horizonMs >= endOfWindow(known) || (horizonMs >= event.endMs + EARLY_MS.from && horizonMs < event.endMs + EARLY_MS.until)
    const judged = isTime ? await this.#judge(known, lag) : sayLate(known, lag)
    return { judged: judged ?? (await this.#lookBack(known, horizonMs)), lagMs: lag.ms }
  }

  #createAsk(nowMs: number, signal: AbortSignal): Ask {
    const { queries, datasets } = this.#parts
    const ask: DayAsk = (query, range, until = signal) =>
      askItself({ queries, by: 'judge', signal: AbortSignal.any([signal, until]) })(query, range)
    // A dataset that is made anew has another table, and a virtual field may come to mean something else.
    const of = (apl: string) => datasetsOf(apl).map((name) => [datasets.find(name)?.table, datasets.find(name)?.virtualFields])
    return this.#days.reader(ask, of, nowMs)
  }

  /** @returns what is stored, with since when everything that it hurt is back, if that is so by now */
  async #lookBack(known: Known, horizonMs: number): Promise<Judged | undefined> {
    const { stored, event } = known
    const lengthMs = Math.min(HOUR.afterMs, Math.max(USUAL.afterMs, AGAIN_PART * (horizonMs - event.endMs)))
    const after = { startMs: horizonMs - lengthMs, endMs: horizonMs }
    const details = readStored(stored)
    if (!stored.verdict || !details || !hurtsStill(stored) || after.startMs < endOfWindow(known)) return undefined
    const { startTime, endTime } = details.windows.before
    const windows = { before: { startMs: Date.parse(startTime), endMs: Date.parse(endTime) }, after, seasonsMs: [] }
    const look = { ...known, near: [], windows, bucketsOfMs: lengthMs, pastMs: 0, isOver: true, seen: '' }
    const found = await this.#compare(look, SHARES.full)
    if (!found || !areBack(listHurt({ verdictDetails: details }), found.comparison.series)) return undefined
    return { verdict: stored.verdict, verdictDetails: JSON.stringify({ ...details, overAt: formatMillis(after.startMs) }) }
  }

  /** @param earlier the newest first @returns what it was compared with before, and found healed */
  async #findFixed(judged: Annotation, earlier: readonly Annotation[]): Promise<Told['fixed']> {
    const { startMs: endMs } = spanOf(judged)
    const worse = earlier.filter((one) => isWorse(one.verdict) && spanOf(one).endMs >= endMs - STORY_MS_MAX)
    const harmful = findHealed(judged, worse.toReversed())
    // What another one has fixed before is not fixed again.
    const since = harmful ? await this.#listWithin(judged, { startMs: Date.parse(harmful.time), endMs }) : []
    if (!harmful || since.some((one) => one.id !== judged.id && findHealed(one, [harmful]))) return undefined
    return { name: nameOf(harmful), series: listHurt(harmful).map(({ name }) => name) }
  }

  async #judge(known: Known, lag: Lag): Promise<Judged | undefined> {
    const { stored, event, nowMs } = known
    const horizonMs = nowMs - lag.ms
    const before = readStored(stored)
    const look = lookAfter(horizonMs - event.endMs, before?.isRollOut)
    const isSince = ({ startMs }: Span) => startMs >= event.endMs && startMs < event.endMs + look.fromMs
    // What an earlier look found stays found, and what another release may have done is not of this one.
    if (look.fromMs > 0 && (isWorse(stored.verdict) || marksOf(known).some(isSince))) return undefined
    const usual = await prepare(known, look, horizonMs)
    const hour = horizonMs >= event.endMs + HOUR.afterMs ? await prepare(known, HOUR, horizonMs) : undefined
    const seen = usual.seen + (hour?.seen ?? '')
    if (before && !before.isEarly && before.seen === seen) return undefined
    const earlier = await this.#listEarlier(known)
    const found = await this.#compare(usual, usual.isOver ? look.share : SHARES.early, earlier)
    const store = async ({ comparison, hasFailed, isRollOut }: Compared, isSlow = false): Promise<Judged> => {
      comparison.notes.push(...notesOfLag(lag))
      const told = { judgedMs: nowMs, isEarly: !usual.isOver, isSlow, own: known.annotation.service }
      const fixed = await this.#findFixed({ ...known.annotation, verdictDetails: toReport(comparison, told) }, earlier)
      const { verdict, event: _event, ...details } = toReport(comparison, { ...told, fixed })
      const whole: StoredDetails = { ...details, ...(before?.overAt && { overAt: before.overAt }), seen: hasFailed ? '' : seen }
      if ((isRollOut && usual.isOver) || before?.isRollOut) whole.isRollOut = true
      return { verdict, verdictDetails: JSON.stringify(whole) }
    }
    // What seems to be gone may only be late, where nobody knows how late events are.
    const isSure = usual.isOver || lag.isKnown || found?.comparison.verdict !== 'gone'
    if (found && isWorse(found.comparison.verdict) && isSure) return store(found)
    // Half of a window can show a disaster, and cannot show that all is well.
    if (!usual.isOver) return undefined
    const slow = hour && !this.#isShared(hour) ? await this.#compare(hour, SHARES.hour, earlier) : undefined
    // What is gone by then went later, and says nothing of a release before.
    if (slow?.comparison.verdict === 'worse') return store(slow, true)
    return found && store(found)
  }

  /** Whether the events say of which environment they are, so that marks of others changed nothing of what is looked at. */
  async #isByEnvironment({ ask, annotation, event, there }: Known, horizonMs: number): Promise<boolean> {
    const windows = windowsAround(event, { ...USUAL, seasonsMs: SEASONS_MS }, horizonMs)
    const choosing = { ask, windows, tags: annotation }
    for (const name of annotation.environment === undefined ? [] : there) {
      const fields = listQueryable(this.#parts.datasets.find(name))
      if ((await examineEvents({ name, source: `['${name}']`, fields }, choosing)).isByEnvironment) return true
    }
    return false
  }

  /** @returns `undefined` where there is nothing to look at */
  async #compare(prepared: Prepared, share: number, earlier: readonly Annotation[] = []): Promise<Compared | undefined> {
    const { stored, annotation, event, windows, bucketsOfMs, pastMs, there, ask } = prepared
    const fieldsOf = async (name: string) => listQueryable(this.#parts.datasets.find(name))
    const choosing = { ask, windows, afterMs: bucketsOfMs, tags: annotation, fieldsOf }
    const ofEvents = await chooseQueries(there, choosing)
    const source = openMetricSource(this.#parts.sources ?? [], stored, bucketsOfMs)
    const outside = source && (await chooseOutside(source, event.startMs, ofEvents))
    const askOutside = outside && this.#days.reader(outside.ask, () => source.of, prepared.nowMs)
    const longAgo = { startMs: event.startMs - PAST_MS, endMs: event.startMs - PAST_MS_MIN }
    const hasPast = pastMs > 0 && (outside !== undefined || (await countEvents(prepared, longAgo)).some((count) => count > 0))
    const chosen = [...ofEvents, ...(outside?.queries ?? [])]
    const askAny: Ask = (query, range) => ((outside?.queries.includes(query) && askOutside) || ask)(query, range)
    const isRollOut = chosen.some(({ beside }) => beside !== undefined)
    const options = {
      ...withShare(JUDGE_DEFAULTS, isRollOut ? Math.min(share, lookAfter(USUAL.afterMs, true).share) : share),
      windows,
      pastMs: hasPast ? pastMs : 0,
      event: annotation.title ?? annotation.type,
      marks: marksOf(prepared),
      pause: setImmediate,
      hurtSpans: hurtSpansOf(earlier, prepared.nowMs),
      readFields: ({ apl }: { apl: string }) => fieldsOf(datasetsOf(apl)[0] ?? ''),
    }
    if (chosen.length === 0) return undefined
    const comparison = await compareEach(askAny, chosen, options, explainQuery)
    comparison.notes.push(...(outside?.notes ?? []))
    return { comparison, hasFailed: outside?.hasFailed ?? false, isRollOut }
  }

  /** Soon after this one there was another release, and what comes later may be the doing of that one. */
  #isShared({ annotation, near, event }: Prepared): boolean {
    const isSoon = ({ time }: Annotation) => Date.parse(time) >= event.endMs && Date.parse(time) < event.endMs + HOUR.afterMs / 2
    // A rehearsal has nothing to do with it; of a rehearsal that cannot be said of what came after it.
    const isRehearsal = (one: Annotation) => isLive(annotation) && !isLive(one)
    return near.some((one) => this.#parts.isRelease(one.type) && isSoon(one) && !isRehearsal(one))
  }

  /** @returns what may have hurt in the past that is looked at, or was fixed, the newest first. Of what was the same, thousands would be read */
  #listEarlier({ annotation, event: { startMs: endMs } }: Known): Promise<Annotation[]> {
    const verdicts = ['worse', 'gone', 'better', 'inconclusive', ''] as const
    return this.#listWithin(annotation, { startMs: endMs - PAST_MS - UNIT_MS.d, endMs }, verdicts)
  }

  /** @returns the other annotations of these datasets whose span touches the longest look, and which are not of the same release */
  async #listNear(annotation: Annotation): Promise<Annotation[]> {
    const { startMs, endMs } = spanOf(annotation)
    const found = await this.#listWithin(annotation, { startMs: startMs - HOUR.beforeMs, endMs: endMs + HOUR.afterMs })
    const farMs = ({ time }: Annotation) => Math.abs(Date.parse(time) - endMs)
    const others = found.filter((one) => one.id !== annotation.id && !isSameRelease(annotation, one))
    return others.sort((a, b) => farMs(a) - farMs(b)).slice(0, NEAR_MAX)
  }

  /** @returns the annotations of its datasets whose span touches this one */
  async #listWithin(
    { datasets }: Annotation,
    { startMs, endMs }: Span,
    verdicts?: StoredFilter['verdicts'],
  ): Promise<Annotation[]> {
    const nsOf = (ms: number) => BigInt(Math.round(ms)) * UNIT_NS.ms
    const filter = { startNs: nsOf(startMs), endNs: nsOf(endMs), datasets, ...(verdicts && { verdicts }) }
    return (await readLast(this.#parts.annotations, filter, { mayQuery: () => true })).found
  }
}

/** What is known of an annotation before anything is compared. */
interface Known {
  stored: StoredAnnotation
  annotation: Annotation
  event: Span
  there: readonly string[]
  ask: Ask
  near: readonly Annotation[]
  nowMs: number
}

/** A look. */
interface Prepared extends Known {
  windows: Windows
  bucketsOfMs: number
  /** So far back is looked for what is rare. */
  pastMs: number
  /** Whether all events of the time after it have arrived; another annotation may end that time early. */
  isOver: boolean
  seen: string
}

const marksOf = ({ near, nowMs }: Known) => near.map((one) => toMark(one, nowMs))

const lookOf = (known: Known, look: typeof USUAL, horizonMs: number) =>
  lookUntil(
    { ...known.event, endMs: known.event.endMs + look.fromMs },
    { ...look, seasonsMs: SEASONS_MS },
    marksOf(known),
    horizonMs,
  )

const endOfWindow = (known: Known) => lookOf(known, USUAL, known.nowMs).after.endMs

async function prepare(known: Known, look: typeof USUAL, horizonMs: number): Promise<Prepared> {
  const { windows, after, isOver } = lookOf(known, look, horizonMs)
  const span = { startMs: windows.before.startMs, endMs: Math.min(after.endMs, horizonMs) }
  const bucketsOfMs = Math.min(look.bucketsOfMs, after.endMs - after.startMs)
  return { ...known, windows, bucketsOfMs, pastMs: look.pastMs, isOver, seen: await describeSeen(known, span) }
}

/** @returns a verdict that says why there is none so far, once, where events arrive later than is waited for */
function sayLate({ stored, event, nowMs }: Known, lag: Lag): Judged | undefined {
  if (lag.ms <= LAG_MS_MAX || nowMs - ARRIVAL_MS < event.endMs + USUAL.afterMs || stored.verdict !== undefined) return undefined
  const { before, after } = windowsAround(event, { ...USUAL, seasonsMs: [] }, nowMs)
  const headline = `Not judged yet: ${describeLag(lag, '')}`
  const windows = { before: formatSpan(before), after: formatSpan(after) }
  const said = { judgedAt: formatMillis(nowMs), isEarly: false, headline, text: `${headline}.`, windows, seen: '' }
  const details: StoredDetails = { ...said, series: [], neighbors: [], notes: [] }
  return { verdict: 'inconclusive', verdictDetails: JSON.stringify(details) }
}

interface Compared {
  comparison: Comparison
  isRollOut: boolean
  /** A source could not be asked: another look is worth it, though events are the same. */
  hasFailed: boolean
}

/** A query of a source that was not answered, or in part: the others are compared without it. */
class SourceError extends ComparisonError {}

/** What is asked of a source, beside what is asked of events. */
interface Outside {
  queries: NamedQuery[]
  ask: DayAsk
  notes: string[]
  /** It was not all answered: what was found is worth another look, though events are the same. */
  hasFailed: boolean
}

/**
 * @returns queries by other names than those of events have; without any where it has nothing of the service, and a note where it cannot
 *   be asked
 * @throws DeliveryError where there is nothing else to look at
 */
async function chooseOutside(source: OpenSource, timeMs: number, ofEvents: readonly NamedQuery[]): Promise<Outside> {
  const isTaken = (name: string) => ofEvents.some((one) => one.name === name)
  const outside: Outside = { queries: [], notes: [], hasFailed: false, ask: askWhole }
  try {
    const queries = await source.chooseQueries(timeMs)
    outside.queries = queries.map((one) => (isTaken(one.name) ? { ...one, name: `${one.name} (${source.title})` } : one))
  } catch (error) {
    const isAway = error instanceof DeliveryError
    if (!isAway && !(error instanceof ComparisonError)) throw error
    // That it has nothing of a service is no fault: it may be of events alone.
    if (isAway && ofEvents.length === 0) throw error
    outside.hasFailed = isAway
    if (ofEvents.length > 0) outside.notes.push(isAway ? awayText(source, error) : error.message)
  }
  return outside

  async function askWhole(...[query, range, until]: Parameters<DayAsk>): Promise<Answer> {
    // The past is not needed: without it there is nothing to look at again.
    if (until) return source.ask(query, range)
    try {
      const answer = await source.ask(query, range)
      if (!answer.status.isPartial) return answer
      const said = answer.status.messages?.map(({ msg }) => msg).join('; ')
      throw new SourceError(`${source.title} answered a part only${said ? `: ${said}` : ''}`)
    } catch (error) {
      outside.hasFailed = true
      throw error instanceof DeliveryError ? new SourceError(awayText(source, error)) : error
    }
  }
}

const awayText = ({ title }: OpenSource, { message }: Error) => `${title} could not be asked: ${message}`

/** More marks than anybody reads of one sentence. */
const NEAR_MAX = 100

/** A mistake in a query is that of its dataset, such as a field of two types; others are no less comparable. */
function explainQuery(error: unknown): string | undefined {
  if (error instanceof SourceError) return error.message
  if (error instanceof MissingEventsError || !(error instanceof ServiceError)) return undefined
  return ['query', 'not_found'].includes(error.code) ? error.message.split('\n')[0] : undefined
}

async function countEvents({ ask, there }: Known, span: Span): Promise<number[]> {
  const counts: number[] = []
  for (const name of there) {
    const { tables } = await ask({ name, apl: `['${name}'] | summarize events = count()` }, formatSpan(span))
    counts.push(Number(tables[0]?.columns[0]?.[0] ?? 0))
  }
  return counts
}

async function describeSeen(known: Known, span: Span): Promise<string> {
  const counts = await countEvents(known, span)
  const touches = ({ time, endTime = time }: Annotation) => Date.parse(endTime) >= span.startMs && Date.parse(time) <= span.endMs
  const marks = known.near.filter(touches).map(({ id, time, endTime, verdict }) => [id, time, endTime, isWorse(verdict)])
  return JSON.stringify([counts, marks, span])
}

function readStored({ verdictDetails }: StoredAnnotation): StoredDetails | undefined {
  return verdictDetails === undefined ? undefined : (JSON.parse(verdictDetails) as StoredDetails)
}
