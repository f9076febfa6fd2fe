/**
 * Loads what the page of charts shows: the datasets, the annotations of the range, and the answer to the query. Everything is loaded
 * again when the view changes, when the user refreshes, and by the clock while the page is live. What the token may not read is not
 * requested.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useRef } from 'preact/hooks'
import { tryRange } from '../address/range.ts'
import type { View } from '../address/view.ts'
import { listAnnotations } from '../annotations/list-annotations.ts'
import { queryDatasets } from '../events/source.ts'
import { filterQuery } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { intervalMs } from '../range/refresh.ts'
import { datasetRequests } from '../service/datasets.ts'
import { may, user } from '../service/session.ts'
import type { Answered } from './display.ts'
import { listNames, pickFirst } from './legend.tsx'
import { hasTimedRows } from './query-result.tsx'
import { useAnswer } from './use-answer.ts'

const LIVE_MS = 5_000
const NO_ANNOTATIONS: readonly Annotation[] = []
const NO_NAMES: readonly string[] = []

export type Explored = ReturnType<typeof useExplored>

export function useExplored(view: View) {
  const { datasets: asked, apl, startTime, endTime, filters, live, refresh: every } = view
  // The list of events follows only the user's refreshes, and not the clock.
  const [version, refresh] = useRefresh()
  const [tick] = useRefresh(live ? LIVE_MS : intervalMs(every))

  const listed = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version, tick])
  const mayList = may('datasets|read')
  const datasets = useLoad(mayList ? datasetRequests.list : undefined, [version, mayList])
  const annotations = useLoad(range && ((signal) => listAnnotations(range, signal)), [range])
  const { answered, ...answers } = useAnswer(view, range)

  const known = annotations.data ?? NO_ANNOTATIONS
  const stored = useMemo(() => datasets.data?.map(({ name }) => name), [datasets.data])
  // An annotation on several datasets may name some that the token may not read.
  const isReached = (name: string) => may('annotations|read', [name]) || stored?.includes(name) === true
  const names = useMemo(() => listNames(stored ?? NO_NAMES, known).filter(isReached), [stored, known, user.value])
  const first = usePicks(names, known, !datasets.isLoading && !annotations.isLoading, isReached)
  const picked = asked.length > 0 ? asked : first
  const marked = useMarked(known)
  // A dataset that only annotations name has no events. Until both lists are loaded all datasets are queried, because most have events.
  const isListing = datasets.isLoading || annotations.isLoading
  const isStored = (name: string) => stored?.includes(name) || isListing || !(stored && marked.has(name))
  const queried = picked.filter((name) => may('query|read', [name]) && isStored(name))
  const rowsOf = answered && hasTimedRows(answered.answer) ? answered.apl : ''
  return {
    ...answers,
    answered,
    range,
    /** The range of the list of events, which updates by itself while the page is live. */
    listRange: listed.range,
    /** Changes with each refresh by the user. */
    version,
    /** Changes with each refresh by the user or by the clock. */
    chartVersion: version + tick,
    refresh,
    /** All datasets; those that only annotations name come last. */
    names,
    /** The datasets that are picked for charts. */
    picked,
    /** The picked datasets with events that this token may read. */
    queried,
    /** The datasets whose events are charted. */
    charted: apl === '' ? picked : (answered?.answer.datasetNames ?? NO_NAMES),
    annotations: annotations.data,
    known,
    /** The charted query, with the filters in it. */
    query: apl === '' ? queryDatasets(queried, filters) : filterQuery(apl, filters),
    /** The datasets whose fields can be listed. */
    fieldsOf: apl === '' ? queried : namedBy(answered, stored),
    /** A query of the events to list; empty if there are none. */
    eventsOf: apl === '' ? queryDatasets(queried, filters) : rowsOf,
    errors: [rangeError, datasets.error, annotations.error].filter((error) => error !== undefined),
    /** Whether datasets or annotations are still being loaded. */
    isListing,
    /** Whether the service has no events yet, as far as is known. */
    hasNoEvents: stored?.length === 0 && asked.length === 0 && apl === '',
  }
}

/** Picks datasets once they are known and later adds new ones only: zooming must not change the charts. */
function usePicks(
  names: readonly string[],
  annotations: readonly Annotation[],
  isKnown: boolean,
  isReached: (name: string) => boolean,
): readonly string[] {
  const picks = useRef<readonly string[]>(NO_NAMES)
  // Some may have been picked before the token's permissions were known.
  if (!picks.current.every(isReached)) picks.current = picks.current.filter(isReached)
  if (isKnown) {
    const filled = pickFirst(names, annotations, picks.current)
    if (filled.length > picks.current.length) picks.current = filled
  }
  return picks.current
}

/** @returns the datasets that annotations have named since the page was opened */
function useMarked(annotations: readonly Annotation[]): ReadonlySet<string> {
  const marked = useRef(new Set<string>())
  for (const { datasets } of annotations) for (const name of datasets) marked.current.add(name)
  return marked.current
}

/** Other sources of a query, such as `_annotations`, have no list of fields. */
function namedBy(answered: Answered | undefined, stored: readonly string[] = NO_NAMES): readonly string[] {
  return answered?.answer.datasetNames.filter((name) => stored.includes(name)) ?? NO_NAMES
}
