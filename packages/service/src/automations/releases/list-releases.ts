/**
 * The answer about the releases of a time: their stories, what goes on besides, and the metrics.
 */

import { INCIDENT } from '@deployment-annotations/compare/around'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Release, Releases } from '@deployment-annotations/contract/release'
import { clampStorable, formatMillis } from '@deployment-annotations/contract/timestamp'
import type { StoredFilter } from '@deployment-annotations/records/annotations/annotation-records'
import type { Annotations } from '../../annotations/annotations.ts'
import { type MayQuery, toWire } from '../../wire/annotation.ts'
import { hasTags } from '../../wire/tags.ts'
import { countDays, measureAll, measureEach } from './delivery.ts'
import { tellStories } from './stories.ts'

/** Where nobody says since when. */
const RANGE_MS = 30 * UNIT_MS.d
/** A rollback at the start of the range undid a release before it. */
export const EARLIER_MS = UNIT_MS.d
/** More are not read. */
const READ_MAX = 10_000
/** More are counted, and not listed. */
const LISTED_MAX = 500

export interface ReleaseParts {
  annotations: Pick<Annotations, 'list'>
  /** Says which annotations are releases. */
  judge: { isRelease: (type: string) => boolean }
  now: () => number
}

/** @param asked within the reach of its caller */
export async function listReleases(
  { annotations, judge, now }: ReleaseParts,
  { tags, ...asked }: StoredFilter,
  mayQuery: MayQuery,
): Promise<Releases> {
  const msOf = (ns: bigint) => Number(ns / UNIT_NS.ms)
  const nowMs = now()
  const endMs = asked.endNs === undefined ? nowMs : msOf(asked.endNs)
  const startMs = asked.startNs === undefined ? endMs - RANGE_MS : msOf(asked.startNs)
  // The time before, which is as long, is measured, too.
  const beforeMs = startMs - (endMs - startMs)
  const [startNs, endNs] = [beforeMs - EARLIER_MS, endMs].map((ms) => clampStorable(BigInt(ms) * UNIT_NS.ms)) as [bigint, bigint]
  const last = await readLast(annotations, { ...asked, startNs, endNs }, { mayQuery, where: 'of this time' })
  const found = last.found.toReversed()
  const isRelease = ({ type }: Annotation) => judge.isRelease(type)
  const isAsked = (one: Annotation) => hasTags(one, tags)
  const range = { startMs, endMs, nowMs }
  const isSince = (ms: number, { time, endTime = time, open }: Annotation) => open === true || Date.parse(endTime) >= ms
  const isNow = (one: Annotation) => isSince(startMs, one)
  const isBefore = (one: Annotation) => !isNow(one) && isSince(beforeMs, one)
  // What healed a release of a time in the past may have come after that time.
  const stories = tellStories(found.filter(isRelease), found, endMs < nowMs ? undefined : nowMs)
  const others = found.filter((one) => !isRelease(one))
  const periodOf = (...are: ((one: Annotation) => boolean)[]) => ({
    releases: stories.filter(({ annotation }) => are.every((is) => is(annotation))),
    incidents: others.filter((one) => INCIDENT.test(one.type) && are.every((is) => is(one))),
  })
  const [current, before] = [periodOf(isNow, isAsked), periodOf(isBefore, isAsked)]
  const releases = current.releases.toReversed()
  const listed = `${LISTED_MAX} of ${releases.length} releases are listed, first those that hurt, failed or go on; all are counted.`
  if (releases.length > LISTED_MAX) last.notes.unshift(listed)
  return {
    start: formatMillis(startMs),
    end: formatMillis(endMs),
    releases: chooseListed(releases),
    count: releases.filter(({ duplicateOf }) => duplicateOf === undefined).length,
    open: others.filter((one) => one.open && isAsked(one)),
    total: measureAll(current, range),
    before: measureAll(before, range),
    delivery: await measureEach(periodOf(isNow), range),
    days: countDays(current, range),
    daysBefore: countDays(before, { startMs: beforeMs, endMs: startMs, nowMs }),
    notes: last.notes,
  }
}

/** @param releases the newest first @returns those that somebody may look for before those of routine, the newest first */
function chooseListed(releases: readonly Release[]): Release[] {
  const isTelling = ({ isHarmful, result }: Release) => isHarmful || result === 'failed' || result === 'running'
  const listed = new Set([...new Set([...releases.filter(isTelling), ...releases])].slice(0, LISTED_MAX))
  return releases.filter((one) => listed.has(one))
}

/** @returns the last annotations that are like the filter, the newest first, and a note where there are more */
export async function readLast(
  annotations: Pick<Annotations, 'list'>,
  filter: StoredFilter,
  { mayQuery, where = '' }: { mayQuery: MayQuery; where?: string },
): Promise<{ found: Annotation[]; notes: string[] }> {
  const found: Annotation[] = []
  for await (const page of annotations.list(filter, { order: 'desc' })) {
    found.push(...page.map((one) => toWire(one, mayQuery)))
    if (found.length <= READ_MAX) continue
    return { found: found.slice(0, READ_MAX), notes: [`Only the last ${READ_MAX} annotations ${where} were searched.`] }
  }
  return { found, notes: [] }
}
