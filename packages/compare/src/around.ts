/**
 * What all comparisons around an annotation share: the default queries, the other annotations nearby, and the part of the error rate
 * that early comparisons use.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { isRollback } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { Ask } from './comparison.ts'
import { type Asked, decisive, defaultQueries } from './default-queries.ts'
import { namesOfEnvironment } from './environments.ts'
import type { JudgeOptions } from './judge.ts'
import type { NamedQuery } from './named-queries.ts'
import { cutAtNeighbors, type Mark } from './neighbors.ts'
import { readPresence } from './presence.ts'
import { type KnownField, quoteField, quoteText } from './signs.ts'
import { findFields, USUAL_NAMES } from './usual-names.ts'
import { findVersions } from './versions.ts'
import { AFTER_MS, type Span, type WindowOptions, type Windows, windowsAround } from './windows.ts'

/** The number of buckets in the window after the event, if their length is not given … */
const BUCKETS = 10
/** … and at least, so that one of them may lie across each edge of a window that another annotation cuts. */
const BUCKETS_MIN = 9
/** The maximum of default queries: a dataset has three, and one more while two versions run. */
const QUERIES_MAX = 9

/** @returns the length of a bucket, as written in queries */
export function bucketOf(afterMs: number): string {
  const secondsMax = afterMs / BUCKETS_MIN / UNIT_MS.s
  const minutes = `${Math.max(1, Math.round(afterMs / BUCKETS / UNIT_MS.m))}m`
  return secondsMax >= 60 ? minutes : secondsMax >= 30 ? '30s' : '15s'
}

interface ChoiceOptions {
  ask: Ask
  windows: Pick<Windows, 'before' | 'after'>
  /** The whole length of the window after the event, as other annotations leave it; a part of it may be over. */
  afterMs: number
  /** Those of the annotation. Events that name others are left out, if any event names these. */
  tags?: Readonly<Pick<Annotation, 'service' | 'environment'>> | undefined
  fieldsOf: (dataset: string) => Promise<readonly KnownField[]>
}

/** @returns the default queries of each dataset, as far as its fields and the events of the windows say what to compare. @throws as `ask` */
export async function chooseQueries(datasets: readonly string[], options: ChoiceOptions): Promise<NamedQuery[]> {
  const chosen: NamedQuery[] = []
  for (const name of datasets) {
    if (chosen.length >= QUERIES_MAX) continue
    const events = { name, source: `['${name}']`, fields: await options.fieldsOf(name) }
    const examined = await examineEvents(events, options)
    const versions = await findVersions(options.ask, examined, options.windows)
    chosen.push(...defaultQueries({ ...examined, versions }, bucketOf(options.afterMs)))
  }
  return chosen.slice(0, QUERIES_MAX)
}

/**
 * @param source a query of the dataset's events, with their filters
 * @returns it with what those events have; `isByEnvironment`: they say of which environment they are, and those of others are left out
 * @throws as `ask`
 */
export async function examineEvents(
  { name, source, fields }: Asked,
  { ask, windows, tags: { service, environment } = {} }: Omit<ChoiceOptions, 'afterMs' | 'fieldsOf'>,
): Promise<Asked & { isByEnvironment: boolean }> {
  const [services, environments] = [service, environment].map((tag) => (tag === undefined ? [] : [tag])) as [string[], string[]]
  const tagged = [
    tagConditions(fields, USUAL_NAMES.service, services),
    tagConditions(fields, USUAL_NAMES.environment, namesOfEnvironment(environments) ?? environments),
  ]
  const presence = await readPresence(ask, source, [...decisive(fields), ...tagged.flat().map(({ isNamed }) => isNamed)], windows)
  const isUsed = ({ isNamed }: TagCondition) => presence.of(isNamed).before + presence.of(isNamed).after > 0
  const used = tagged.map((some) => some.find(isUsed))
  const where = used.map((one) => (one ? `\n| where isempty(${one.value}) or ${one.isNamed}` : ''))
  return { name, source: source + where.join(''), fields, presence, isByEnvironment: used[1] !== undefined }
}

interface TagCondition {
  /** The field that may name a service or an environment. */
  value: string
  isNamed: string
}

/** @param tags what the field may say, each for the same */
function tagConditions(fields: readonly KnownField[], names: readonly string[], tags: readonly string[]): TagCondition[] {
  if (tags.length === 0) return []
  const quoted = tags.map((one) => quoteText(one.toLowerCase())).join(', ')
  const texts = findFields(fields, names).filter(({ type }) => type === 'string')
  return texts.map(({ name }) => ({ value: quoteField(name), isNamed: `tolower(${quoteField(name)}) in (${quoted})` }))
}

/** @returns the datasets at the start of a query, as far as its text shows them */
export function datasetsOf(apl: string): string[] {
  const [head = ''] = apl.split('|')
  return [...head.matchAll(/\[\s*(['"])([A-Za-z0-9-]+)\1\s*\]/g)].map(([, , name = '']) => name)
}

/** @returns the time and title of an annotation; an open one ends now */
export function toMark({ title, type, time, endTime, open, verdict }: Annotation, nowMs: number): Mark {
  const startMs = Date.parse(time)
  const endMs = endTime === undefined ? (open ? Math.max(startMs, nowMs) : startMs) : Date.parse(endTime)
  return { name: title ?? type, startMs, endMs, isHarmful: isWorse(verdict) }
}

/**
 * @param horizonMs until when events have arrived
 * @returns the windows that can be compared; the time after as other annotations leave it, and whether its events have all arrived
 */
export function lookUntil(event: Span, options: WindowOptions, marks: readonly Mark[], horizonMs: number) {
  const whole = windowsAround(event, options, Number.POSITIVE_INFINITY)
  const { after } = cutAtNeighbors(whole, marks).windows
  const isOver = horizonMs >= after.endMs
  return { windows: isOver ? whole : windowsAround(event, options, horizonMs), after, isOver }
}

/** The types of incidents. */
export const INCIDENT = /incident|outage/

/** @returns the times at which something hurt, or was fixed: other days with such a time say nothing of today */
export function hurtSpansOf(annotations: readonly Annotation[], nowMs: number): Span[] {
  const isHurt = (one: Annotation) =>
    isWorse(one.verdict) || one.verdict === 'better' || isRollback(one) || INCIDENT.test(one.type)
  return annotations.filter(isHurt).map((one) => {
    const { startMs, endMs } = toMark(one, nowMs)
    // What was never closed is forgotten, or is what is usual by now.
    const lastMs = one.open ? Math.min(endMs, startMs + UNIT_MS.d) : endMs
    return { startMs, endMs: Math.max(lastMs, Date.parse(one.verdictDetails?.overAt ?? '') || 0) }
  })
}

/** The share of the error rate for all comparisons before the last one; the last one has the rest. */
export const EARLY_SHARE = 0.1

/** What the service's look at the whole time after takes. That at an hour takes as much as the early ones. */
export const FULL_SHARE = 1 - 2 * EARLY_SHARE

/**
 * Where old and new versions run side by side, the stretches of such a roll-out are looked at in its place, each until so long after the
 * event, and share what it takes. That at twenty minutes has most: a tenth of the requests is not enough before, and half of them is soon.
 */
export const STRETCHES = [
  { untilMs: AFTER_MS, part: 0.2 },
  { untilMs: 2 * AFTER_MS, part: 0.4 },
  { untilMs: 4 * AFTER_MS, part: 0.25 },
  { untilMs: 6 * AFTER_MS, part: 0.15 },
].map(({ untilMs, part }, at, all) => ({ untilMs, fromMs: all[at - 1]?.untilMs ?? 0, share: part * FULL_SHARE }))

/** @returns the options with this share of the error rate */
export function withShare<T extends JudgeOptions>(options: T, share: number): T {
  return { ...options, errorRate: options.errorRate * share }
}

/** As the service compares: a query that cannot be compared becomes a note. */
export { compare as compareEach } from './comparison.ts'
