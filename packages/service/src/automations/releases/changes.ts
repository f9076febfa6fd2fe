/**
 * "What changed?": the annotations of all datasets around a moment, ranked by how near they are, what they are, and whether they hurt.
 * What goes on counts from its start: that it is still open changed nothing at the moment.
 */

import { describeUnsent } from '@deployment-annotations/compare/pipeline'
import { ANNOTATION_ID_PATTERN, type Annotation } from '@deployment-annotations/contract/annotation'
import { parseDuration, UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { withinYears } from '@deployment-annotations/contract/relative-time'
import {
  type Change,
  type ChangeKind,
  type ChangeListParameters,
  type Changes,
  LIKELIHOODS,
  type ReleaseResult,
  readResult,
} from '@deployment-annotations/contract/release'
import { clampStorable, formatMillis } from '@deployment-annotations/contract/timestamp'
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import type { StoredFilter } from '@deployment-annotations/records/annotations/annotation-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { invalid, ServiceError, showValue } from '@deployment-annotations/runtime/errors'
import type { Annotations } from '../../annotations/annotations.ts'
import { toWire } from '../../wire/annotation.ts'
import { readTimeParameter } from '../../wire/request-time.ts'
import type { Monitors } from '../monitors/monitors.ts'
import { tellHarm } from './hurting.ts'
import { isSetting, kindOf } from './kinds.ts'
import { readLast } from './list-releases.ts'
import type { ReleaseJudge } from './release-judge.ts'

interface ChangeParts {
  annotations: Pick<Annotations, 'get' | 'list'>
  monitors: Pick<Monitors, 'history'>
  judge: Pick<ReleaseJudge, 'isRelease'>
  now: () => number
}

const BEFORE_MS = UNIT_MS.d
const BEFORE_MS_MAX = 30 * UNIT_MS.d
/** Clocks differ, and an alert is late: what began a little later counts, too, and little. */
const AFTER_MS = 5 * UNIT_MS.m
const AFTER_SHARE = 0.25
/** What lies so long before counts half as much as what was at the moment itself. */
const HALF_MS = 30 * UNIT_MS.m
/** What is on other charts counts so much less. */
const ELSEWHERE = 0.5
const LISTED_MAX = 50

/** How often each is the cause. An alert is mostly another sign of the same. */
const KIND_WEIGHTS: Readonly<Record<ChangeKind, number>> = {
  rollback: 0.9,
  release: 1,
  flag: 0.9,
  configuration: 0.9,
  maintenance: 0.7,
  incident: 0.4,
  alert: 0.2,
  other: 0.5,
}
const VERDICT_WEIGHTS: Readonly<Record<Verdict, number>> = {
  gone: 1,
  worse: 1,
  lower: 0.7,
  higher: 0.7,
  inconclusive: 0.5,
  better: 0.3,
  same: 0.2,
}
/** Nobody has judged it. */
const UNJUDGED = 0.5
/** What did not arrive changed little. */
const NOT_ARRIVED = 0.5
/** A release that hurt is likely for 45 minutes, one that nobody has judged for seven; one without harm is possible for 12. */
const LIKELY_MIN = 0.4
const POSSIBLE_MIN = 0.14

/** The moment that is asked about. */
interface AskedMoment {
  atMs: number
  annotation?: Annotation
}

/** @throws ServiceError `invalid`, `not_found` */
export async function findChanges(
  parts: ChangeParts,
  { asked, filter: { tags: _, ...filter }, by }: { asked: ChangeListParameters; filter: StoredFilter; by: Caller },
  isWanted: (annotation: Annotation) => boolean,
): Promise<Changes> {
  const mayQuery = (dataset: string) => by.may('query|read', dataset)
  const { atMs, annotation } = await readMoment(parts, asked, by)
  // Times that no annotation can have may be asked for.
  const [startMs, endMs] = [atMs - readBefore(asked.before), atMs + AFTER_MS].map(withinYearsMs) as [number, number]
  const [startNs, endNs] = [startMs, endMs].map((ms) => clampStorable(BigInt(ms) * UNIT_NS.ms)) as [bigint, bigint]
  const here = new Set(annotation?.datasets)
  const reading = { mayQuery, where: 'before the moment' }
  const { found, notes } = await readLast(parts.annotations, { ...filter, startNs, endNs }, reading)
  const wanted = found.filter((one) => one.id !== annotation?.id && isWanted(one))
  const changes = (await tellHarm(parts, wanted, mayQuery))
    .map((one) => rank(one, atMs, here.size === 0 || one.datasets.some((name) => here.has(name)), parts.judge.isRelease))
    .sort((a, b) => b.score - a.score || Math.abs(a.msBefore) - Math.abs(b.msBefore))
  if (changes.length > LISTED_MAX) notes.push(`The likeliest ${LISTED_MAX} of ${changes.length} are listed.`)
  return {
    time: formatMillis(atMs),
    ...(annotation && { annotation }),
    start: formatMillis(startMs),
    end: formatMillis(endMs),
    changes: changes.slice(0, LISTED_MAX),
    total: changes.length,
    notes,
  }
}

/** @returns the nearest moment that can be written */
const withinYearsMs = (ms: number) => Number(withinYears(BigInt(ms) * UNIT_NS.ms) / UNIT_NS.ms)

async function readMoment(parts: ChangeParts, asked: ChangeListParameters, by: Caller): Promise<AskedMoment> {
  const { time = '', annotation = '', monitor = '' } = asked
  if ([time, annotation, monitor].filter((text) => text !== '').length > 1) {
    throw invalid(VALIDATION_CODES.pattern, 'only one of time, annotation and monitor may be given')
  }
  if (monitor !== '') return readAlert(parts, monitor, by)
  if (annotation !== '') return readAnnotation(parts.annotations, annotation, by)
  const ns = readTimeParameter('time', time === '' ? 'now' : time, BigInt(parts.now()) * UNIT_NS.ms)
  return { atMs: withinYearsMs(Number(ns / UNIT_NS.ms)) }
}

async function readAlert({ annotations, monitors, now }: ChangeParts, id: string, by: Caller): Promise<AskedMoment> {
  const history = await monitors.history(id, { startMs: 0, endMs: now() }, by)
  const last = history.filter(({ state }) => state === 'open').sort((a, b) => b.atMs - a.atMs)[0]
  if (!last) throw new ServiceError('not_found', `the monitor ${id} has not triggered yet: its last alert was not found`)
  return readAnnotation(annotations, last.checkId, by)
}

async function readAnnotation(annotations: ChangeParts['annotations'], id: string, by: Caller): Promise<AskedMoment> {
  if (!ANNOTATION_ID_PATTERN.test(id)) throw invalid(VALIDATION_CODES.pattern, `annotation must be an id, got ${showValue(id)}`)
  const stored = await annotations.get(id, by)
  return { atMs: Number(stored.timeNs / UNIT_NS.ms), annotation: toWire(stored, (dataset) => by.may('query|read', dataset)) }
}

function readBefore(text = ''): number {
  if (text === '') return BEFORE_MS
  const ms = Number((parseDuration(text) ?? 0n) / UNIT_NS.ms)
  if (ms > 0 && ms <= BEFORE_MS_MAX) return ms
  throw invalid(VALIDATION_CODES.pattern, `before must be a length of at most 30d, such as 6h, got ${showValue(text)}`)
}

const hasArrived = (result: ReleaseResult | undefined): boolean => result !== 'failed' && result !== 'canceled'

function rank(annotation: Annotation, atMs: number, isHere: boolean, isRelease: (type: string) => boolean): Change {
  const { time, endTime = time, verdict, verdictDetails } = annotation
  const [startMs, endMs] = [Date.parse(time), Date.parse(endTime)]
  const msBefore = startMs > atMs ? atMs - startMs : Math.max(0, atMs - endMs)
  const kind = kindOf(annotation, isRelease)
  const near = (startMs > atMs ? AFTER_SHARE : 1) / (1 + Math.abs(msBefore) / HALF_MS)
  const arrived = hasArrived(readResult(annotation)) ? 1 : NOT_ARRIVED
  // Harm that was over by then is no cause of what is seen.
  const isOver = isWorse(verdict) && Date.parse(verdictDetails?.overAt ?? '') < atMs
  const hurt = verdict === undefined ? UNJUDGED : VERDICT_WEIGHTS[isOver ? 'better' : isHarmless(annotation) ? 'same' : verdict]
  const score = near * KIND_WEIGHTS[kind] * hurt * arrived * (isHere ? 1 : ELSEWHERE)
  const likelihood = LIKELIHOODS[score >= LIKELY_MIN ? 0 : score >= POSSIBLE_MIN ? 1 : 2]
  return { annotation, kind, msBefore, score: Number(score.toPrecision(3)), likelihood, reason: explain(annotation, kind) }
}

const isHarmless = ({ verdict, verdictDetails }: Annotation): boolean =>
  verdict === 'same' || verdictDetails?.finding === 'harmless'

/** The verdict as it is told everywhere; of what has none, what it is and where. */
function explain(annotation: Annotation, kind: ChangeKind): string {
  const { type, verdictDetails, datasets, open, isStale } = annotation
  const place = datasets.join(', ')
  const unsent = describeUnsent(annotation)
  if (unsent !== undefined) return unsent
  if (isHarmless(annotation)) return `No harm on ${place}`
  if (verdictDetails) return verdictDetails.headline
  if (open) return isStale ? `Open for more than a day on ${place}: still on?` : `Open, on ${place}`
  const isJudged = kind === 'release' || kind === 'rollback' || isSetting(type)
  return isJudged ? `Not judged, on ${place}` : `${(kind[0] ?? '').toUpperCase()}${kind.slice(1)} on ${place}`
}
