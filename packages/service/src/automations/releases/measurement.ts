/**
 * What it was like before and after an annotation: the service asks itself what the step, the command and the page ask it over HTTP.
 * Deliberately not here: when that is done and how far is looked (looks.ts), and what becomes of it (release-judge.ts).
 */
import { chooseQueries, compareEach, datasetsOf, toMark, withShare } from '@deployment-annotations/compare/around'
import {
  type Answer,
  type Ask,
  type Comparison,
  ComparisonError,
  MissingEventsError,
} from '@deployment-annotations/compare/comparison'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import type { NamedQuery } from '@deployment-annotations/compare/named-queries'
import { toReport } from '@deployment-annotations/compare/report'
import { formatSpan, SEASONS_MS, type Span, type Windows, windowsAround } from '@deployment-annotations/compare/windows'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import { DeliveryError } from '@deployment-annotations/edge/messages/send-request'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Annotations } from '../../annotations/annotations.ts'
import { listFields } from '../../query/catalog.ts'
import type { Queries } from '../../query/queries.ts'
import { toWire } from '../../wire/annotation.ts'
import { readTags } from '../../wire/tags.ts'
import { askItself } from '../own-queries.ts'
import { HOUR, SHARES, spanOf, USUAL } from './looks.ts'
import { type MetricSource, type OpenSource, openMetricSource } from './metric-sources.ts'

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

/** What is stored with an annotation: what is answered, and by what it is recognized that there is nothing new. */
interface StoredDetails extends VerdictDetails {
  /** How many events there were, and which marks. */
  seen: string
}

export class ReleaseMeasurement {
  readonly #parts: MeasurementParts

  constructor(parts: MeasurementParts) {
    this.#parts = parts
  }

  /**
   * @returns the verdict and its details as JSON; `undefined` where nothing is new since `before`, or there is nothing to look at
   * @throws whatever a query throws that says nothing of the query itself
   */
  async judge(
    stored: StoredAnnotation,
    nowMs: number,
    signal: AbortSignal,
  ): Promise<{ verdict: Verdict; verdictDetails: string } | undefined> {
    await this.#parts.refresh()
    const usual = await this.#prepare(stored, USUAL, { nowMs, signal })
    const isEarly = nowMs < usual.event.endMs + USUAL.afterMs
    const isHourOver = nowMs >= usual.event.endMs + HOUR.afterMs
    const hour = isHourOver ? await this.#prepare(stored, HOUR, { nowMs, signal }) : undefined
    const seen = usual.seen + (hour?.seen ?? '')
    const known = readStored(stored)
    if (known && !known.isEarly && known.seen === seen) return undefined
    const found = await this.#compare(usual, isEarly ? SHARES.early : SHARES.full)
    const store = ({ comparison, hasFailed }: Compared, isSlow = false): { verdict: Verdict; verdictDetails: string } => {
      const own = readTags(stored).service
      const { verdict, event: _event, ...details } = toReport(comparison, { judgedMs: nowMs, isEarly, isSlow, own })
      const whole: StoredDetails = { ...details, seen: hasFailed ? '' : seen }
      return { verdict, verdictDetails: JSON.stringify(whole) }
    }
    if (found && isWorse(found.comparison.verdict)) return store(found)
    // Half of a window can show a disaster, and cannot show that all is well.
    if (isEarly) return undefined
    const slow = hour && !this.#isShared(hour) ? await this.#compare(hour, SHARES.hour) : undefined
    // What is gone by then went later, and says nothing of a release before.
    if (slow?.comparison.verdict === 'worse') return store(slow, true)
    return found && store(found)
  }

  async #prepare(
    stored: StoredAnnotation,
    look: typeof USUAL,
    { nowMs, signal }: { nowMs: number; signal: AbortSignal },
  ): Promise<Prepared> {
    const { queries, datasets } = this.#parts
    const annotation = toWire(stored, undefined)
    const event = spanOf(annotation)
    const windows = windowsAround(event, { ...look, seasonsMs: SEASONS_MS }, nowMs)
    const whole = { startMs: windows.before.startMs, endMs: windows.after.endMs }
    const there = annotation.datasets.filter((name) => datasets.find(name))
    const ask = askItself({ queries, by: 'judge', signal })
    const near = await this.#listNear(annotation, whole)
    const seen = await countEvents(ask, there, near, whole)
    return { stored, annotation, event, windows, bucketsOfMs: look.bucketsOfMs, there, ask, near, seen, nowMs }
  }

  /** @returns `undefined` where there is nothing to look at */
  async #compare(prepared: Prepared, share: number): Promise<Compared | undefined> {
    const { stored, annotation, event, windows, bucketsOfMs, there, ask, near, nowMs } = prepared
    const fieldsOf = async (name: string) => {
      const dataset = this.#parts.datasets.find(name)
      const virtual = dataset?.virtualFields.map((one) => ({ name: one.name, type: one.type, isVirtual: true })) ?? []
      return [...virtual, ...listFields(dataset)]
    }
    const ofEvents = await chooseQueries(there, bucketsOfMs, fieldsOf)
    const source = openMetricSource(this.#parts.sources ?? [], stored, bucketsOfMs)
    const outside = source && (await chooseOutside(source, event.startMs, ofEvents))
    const chosen = [...ofEvents, ...(outside?.queries ?? [])]
    const askAny: Ask = (query, range) => (outside?.queries.includes(query) ? outside.ask(query, range) : ask(query, range))
    const options = {
      ...withShare(JUDGE_DEFAULTS, share),
      windows,
      event: annotation.title ?? annotation.type,
      marks: near.map((one) => toMark(one, nowMs)),
      readFields: ({ apl }: { apl: string }) => fieldsOf(datasetsOf(apl)[0] ?? ''),
    }
    if (chosen.length === 0) return undefined
    const comparison = await compareEach(askAny, chosen, options, explainQuery)
    comparison.notes.push(...(outside?.notes ?? []))
    return { comparison, hasFailed: outside?.hasFailed ?? false }
  }

  /** Soon after this one there was another release, and what comes later may be the doing of that one. */
  #isShared({ stored, near, event }: Prepared): boolean {
    const own = readTags(stored).environment
    const isElsewhere = ({ environment = own }: Annotation) => environment !== own
    const sinceMs = ({ time }: Annotation) => Date.parse(time) - event.endMs
    const isSoon = (one: Annotation) => sinceMs(one) >= 0 && sinceMs(one) < HOUR.afterMs / 2
    // A rehearsal has nothing to do with it; of a rehearsal that cannot be said of what came after it.
    const isLive = /^(?:prod|live)/i.test(own ?? '')
    return near.some((one) => this.#parts.isRelease(one.type) && isSoon(one) && !(isLive && isElsewhere(one)))
  }

  /** @returns the other annotations of these datasets whose span touches this one */
  async #listNear({ id, datasets }: Annotation, { startMs, endMs }: Span): Promise<Annotation[]> {
    const near: Annotation[] = []
    const span = { startNs: BigInt(Math.round(startMs)) * NS_PER_MS, endNs: BigInt(Math.round(endMs)) * NS_PER_MS }
    for await (const page of this.#parts.annotations.list({ ...span, datasets })) {
      near.push(...page.filter((one) => one.id !== id).map((one) => toWire(one, () => false)))
      if (near.length >= NEAR_MAX) break
    }
    return near.slice(0, NEAR_MAX)
  }
}

/** A look with what is known before anything is compared. */
interface Prepared {
  stored: StoredAnnotation
  annotation: Annotation
  event: Span
  windows: Windows
  bucketsOfMs: number
  there: readonly string[]
  ask: Ask
  near: readonly Annotation[]
  seen: string
  nowMs: number
}

interface Compared {
  comparison: Comparison
  /** A source could not be asked: another look is worth it, though events are the same. */
  hasFailed: boolean
}

/** A query of a source that was not answered, or in part: the others are compared without it. */
class SourceError extends ComparisonError {}

/** What is asked of a source, beside what is asked of events. */
interface Outside {
  queries: NamedQuery[]
  ask: Ask
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
    // That it has nothing of a service is no fault: it may be of events alone.
    if (ofEvents.length > 0 && error instanceof ComparisonError) outside.notes.push(error.message)
    else if (ofEvents.length > 0 && error instanceof DeliveryError) {
      outside.hasFailed = true
      outside.notes.push(`${source.title} could not be asked: ${error.message}`)
    } else if (!(error instanceof ComparisonError)) throw error
  }
  return outside

  async function askWhole(...asked: Parameters<Ask>): Promise<Answer> {
    try {
      const answer = await source.ask(...asked)
      if (!answer.status.isPartial) return answer
      const said = answer.status.messages?.map(({ msg }) => msg).join('; ')
      throw new SourceError(`${source.title} answered a part only${said ? `: ${said}` : ''}`)
    } catch (error) {
      outside.hasFailed = true
      throw error instanceof DeliveryError ? new SourceError(`${source.title} could not be asked: ${error.message}`) : error
    }
  }
}

const NS_PER_MS = 1_000_000n
/** More marks than anybody reads of one sentence. */
const NEAR_MAX = 100

/** A mistake in a query is that of its dataset, such as a field of two types; others are no less comparable. */
function explainQuery(error: unknown): string | undefined {
  if (error instanceof SourceError) return error.message
  if (error instanceof MissingEventsError || !(error instanceof ServiceError)) return undefined
  return ['query', 'not_found'].includes(error.code) ? error.message.split('\n')[0] : undefined
}

async function countEvents(ask: Ask, datasets: readonly string[], near: readonly Annotation[], span: Span): Promise<string> {
  const counts: unknown[] = []
  for (const name of datasets) {
    const { tables } = await ask({ name, apl: `['${name}'] | summarize events = count()` }, formatSpan(span))
    counts.push(Number(tables[0]?.columns[0]?.[0] ?? 0))
  }
  const marks = near.map(({ id, time, endTime }) => [id, time, endTime])
  return JSON.stringify([counts, marks, span])
}

function readStored({ verdictDetails }: StoredAnnotation): StoredDetails | undefined {
  return verdictDetails === undefined ? undefined : (JSON.parse(verdictDetails) as StoredDetails)
}
