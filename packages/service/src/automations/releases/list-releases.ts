/**
 * The answer about the releases of a time: their stories, what goes on besides, and the metrics.
 */
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import type { Releases } from '@deployment-annotations/contract/schemas/release'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { StoredFilter } from '@deployment-annotations/records/annotation-records'
import type { Annotations } from '../../annotations/annotations.ts'
import { hasTags } from '../../annotations/tags.ts'
import { type MayQuery, toWire } from '../../annotations/wire.ts'
import { countDays, measureAll, measureEach } from './delivery.ts'
import type { ReleaseJudge } from './release-judge.ts'
import { endOf, startOf, tellStories } from './stories.ts'

/** Where nobody says since when. */
const RANGE_MS = 30 * UNIT_MS.d
/** A rollback at the start of the range undid a release before it. */
export const EARLIER_MS = UNIT_MS.d
/** More are counted, and not listed. */
const LISTED_MAX = 500
export const INCIDENT = /incident|outage/

interface ReleaseParts {
  annotations: Pick<Annotations, 'list'>
  /** Says which annotations are releases. */
  judge: Pick<ReleaseJudge, 'isRelease'>
  now: () => number
}

/** @param asked within the reach of its caller */
export async function listReleases(
  { annotations, judge, now }: ReleaseParts,
  { tags, ...asked }: StoredFilter,
  mayQuery: MayQuery,
): Promise<Releases> {
  const msOf = (ns: bigint) => Number(ns / UNIT_NS.ms)
  const endMs = asked.endNs === undefined ? now() : msOf(asked.endNs)
  const startMs = asked.startNs === undefined ? endMs - RANGE_MS : msOf(asked.startNs)
  const found: Annotation[] = []
  const filter = { ...asked, startNs: BigInt(startMs - EARLIER_MS) * UNIT_NS.ms, endNs: BigInt(endMs) * UNIT_NS.ms }
  for await (const page of annotations.list(filter)) found.push(...page.map((one) => toWire(one, mayQuery)))
  const isRelease = ({ type }: Annotation) => judge.isRelease(type)
  const range = { startMs, endMs }
  const isWithin = ({ time, endTime = time, open }: Annotation) => open || Date.parse(endTime) >= startMs
  const all = tellStories(found.filter(isRelease)).filter(
    (one) => one.annotation.open || endOf(one) >= startMs || startOf(one) >= startMs,
  )
  const releases = all.filter(({ annotation }) => hasTags(annotation, tags))
  const others = found.filter((one) => !isRelease(one) && isWithin(one))
  const incidents = others.filter(({ type }) => INCIDENT.test(type))
  const notes =
    releases.length > LISTED_MAX ? [`The newest ${LISTED_MAX} of ${releases.length} releases are listed; all are counted.`] : []
  return {
    start: formatMillis(startMs),
    end: formatMillis(endMs),
    releases: releases.toReversed().slice(0, LISTED_MAX),
    open: others.filter(({ open }) => open),
    total: measureAll(releases, incidents, range),
    delivery: measureEach(all, incidents, range),
    days: countDays(releases, incidents, range),
    notes,
  }
}
