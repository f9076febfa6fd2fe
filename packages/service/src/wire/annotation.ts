/**
 * An annotation as it is answered and told, and where people see it on its charts.
 */

import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import type { OWN_ANNOTATION_MEMBERS } from '@deployment-annotations/contract/header'
import { formatParameters } from '@deployment-annotations/contract/page-address'
import { formatMillis, formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { readTags } from './tags.ts'

/**
 * @param mayQuery whether events of a dataset may be read, for an answer with the members that only this service has: a verdict says
 *   something of them; `undefined` for an answer without these members
 * @returns the annotation as it is answered, its members in the contract's order
 */
export function toWire(stored: StoredAnnotation, mayQuery: MayQuery | undefined): Annotation {
  const { id, datasets } = stored
  return { id, datasets, ...contentOf(stored), ...(mayQuery && ownMembers(stored, mayQuery)) }
}

type Content = Pick<StoredAnnotation, 'timeNs' | 'endTimeNs' | 'title' | 'description' | 'type' | 'url'>

/** @returns when it is and what it says, as it is answered */
export function contentOf({ timeNs, endTimeNs, title, description, type, url }: Content) {
  const endTime = endTimeNs === undefined ? undefined : formatTimestamp(endTimeNs)
  return dropUndefined({ time: formatTimestamp(timeNs), endTime, title, description, type, url })
}

export type MayQuery = (dataset: string) => boolean

function ownMembers(stored: StoredAnnotation, mayQuery: MayQuery): Pick<Annotation, (typeof OWN_ANNOTATION_MEMBERS)[number]> {
  const { createdAtMs, createdBy, open, verdict, verdictDetails } = stored
  const isShown = verdict !== undefined && verdictDetails !== undefined && stored.datasets.every(mayQuery)
  return {
    createdAt: formatMillis(createdAtMs),
    createdBy,
    ...(open && { open }),
    ...(open && isStale(stored) && { isStale: true }),
    ...readTags(stored),
    ...(isShown && { verdict, verdictDetails: readVerdictDetails(verdictDetails) }),
  }
}

/** Whoever should have closed it is probably gone. */
const STALE_MS = UNIT_MS.d

function isStale({ timeNs }: StoredAnnotation): boolean {
  return Date.now() - Number(timeNs / UNIT_NS.ms) > STALE_MS
}

function readVerdictDetails(text: string): VerdictDetails {
  // By what was seen it is recognized that there is nothing new; it says nothing to people.
  const { seen: _, isRollOut: __, ...verdictDetails } = JSON.parse(text) as VerdictDetails & { seen: string; isRollOut?: boolean }
  return verdictDetails
}

/** @returns the address of the page with the annotation in the middle, relative to the folder of all pages */
export function pageOf({
  id,
  datasets,
  timeNs,
  endTimeNs = timeNs,
}: Pick<StoredAnnotation, 'id' | 'datasets' | 'timeNs' | 'endTimeNs'>): string {
  const view = {
    datasets: datasets.filter((name) => !DELETED_NAME_PATTERN.test(name)).join(','),
    startTime: new Date(Number(timeNs / UNIT_NS.ms) - UNIT_MS.h).toISOString(),
    endTime: new Date(Number(endTimeNs / UNIT_NS.ms) + UNIT_MS.h).toISOString(),
    annotations: id,
  }
  return formatParameters(new URLSearchParams(view))
}
