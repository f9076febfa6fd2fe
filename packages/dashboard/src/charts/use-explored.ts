/**
 * Loads what the page of charts shows: the datasets, the annotations of the range, and the answer to the query. Everything is loaded
 * again when the view changes, when the user refreshes, and by the clock while the page is live. What the token may not read is not
 * requested.
 */
import { isLive, PRODUCTION } from '@deployment-annotations/compare/environments'
import { listHurt } from '@deployment-annotations/compare/healed'
import { partsOf } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useMemo, useRef } from 'preact/hooks'
import { formatRange, type Range, tryRange } from '../address/range.ts'
import { ANYWHERE, type View } from '../address/view.ts'
import { listAnnotations } from '../annotations/list-annotations.ts'
import { queryDatasets } from '../events/source.ts'
import { filterQuery } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { compareNames } from '../query/name.ts'
import { hasTime, kindOf } from '../query/shown-as.ts'
import { intervalMs } from '../range/refresh.ts'
import { annotationRequests } from '../service/annotations.ts'
import { datasetRequests } from '../service/datasets.ts'
import { may, user } from '../service/session.ts'
import type { Answered } from './display.ts'
import { type Harms, listHarm } from './harm.ts'
import { listNames, pickFirst } from './legend.tsx'
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
  const all = annotations.data ?? NO_ANNOTATIONS
  const environment = environmentOf(view, all)
  const known = useMemo(() => all.filter((one) => isIn(one, environment)), [all, environment])
  const { judged, harms, ...judging } = useJudged({ ...view, environment }, range, known)
  const stored = useMemo(() => datasets.data?.map(({ name }) => name), [datasets.data])
  const isListing = datasets.isLoading || annotations.isLoading
  const shown = usePicked({ asked, stored, known, judged, harms, isKnown: !isListing && !judging.isLoading })
  const { picked, queried } = shown
  // Rows with a time can be charted and listed.
  const rowsOf = answered && kindOf(answered.answer) === 'rows' && hasTime(answered.answer) ? answered.apl : ''
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
    ...shown,
    harms,
    /** The annotations of the range and the harmful releases of the last day, on the datasets that were asked for. */
    judged,
    /** The datasets whose events are charted. */
    charted: apl === '' ? picked : (answered?.answer.datasetNames ?? NO_NAMES),
    annotations: annotations.data,
    known,
    environment,
    /** Those to choose from; none if no annotation names one. */
    environments: listEnvironments(all),
    /** Absent until they are known, and for a token that may not list them. */
    datasets: datasets.data,
    /** The charted query, with the filters in it. */
    query: apl === '' ? queryDatasets(queried, filters) : filterQuery(apl, filters),
    /** The datasets whose fields can be listed. */
    fieldsOf: apl === '' ? queried : namedBy(answered, stored),
    /** A query of the events to list; empty if there are none. */
    eventsOf: apl === '' ? queryDatasets(queried, filters) : rowsOf,
    errors: [rangeError, datasets.error, annotations.error, judging.error].filter((error) => error !== undefined),
    /** Whether datasets or annotations are still being loaded. */
    isListing,
  }
}

/** @returns production by default, where anything is of it, and nothing of another one is open */
function environmentOf({ environment, annotations }: View, all: readonly Annotation[]): string {
  const isElsewhere = all.some((one) => annotations.includes(one.id) && !isLive(one))
  return environment || (isElsewhere || !all.some(isLive) ? ANYWHERE : PRODUCTION)
}

function listEnvironments(all: readonly Annotation[]): string[] {
  const named = new Set(all.flatMap(({ environment = [] }) => environment))
  return named.size === 0 ? [] : [...named.add(PRODUCTION)].sort(compareNames)
}

const isIn = (one: Annotation, environment: string) =>
  environment === ANYWHERE || (environment === PRODUCTION ? isLive(one) : one.environment === environment)

/** Loads the harmful releases of the last day, which matter now whatever the range is. @param known the annotations of the range */
function useJudged(
  { datasets: asked, apl, endTime, environment, zone }: View,
  range: Range | undefined,
  known: readonly Annotation[],
) {
  const isAsked = apl === '' && endTime.trim() === 'now' && may('query|read')
  const { data = NO_ANNOTATIONS, error, isLoading } = useLoad(isAsked ? listHarmful : undefined, [range, isAsked])
  const judged = useMemo(() => {
    const byId = new Map([...data, ...known].map((one) => [one.id, one]))
    const isAmong = (one: Annotation) => asked.length === 0 || one.datasets.some((name) => asked.includes(name))
    return [...byId.values()].filter((one) => isIn(one, environment) && isAmong(one))
  }, [data, known, asked, environment])
  const harms = useMemo(() => listHarm(judged, zone, Date.now()), [judged, zone])
  return { judged, harms, error, isLoading }
}

const DAY_MS = UNIT_MS.d

/** @returns the releases of the last day that were found harmful */
function listHarmful(signal: AbortSignal): Promise<Annotation[]> {
  const endMs = Date.now()
  const { startTime: start, endTime: end } = formatRange({ startMs: endMs - DAY_MS, endMs })
  return annotationRequests.list({ start, end, verdict: ['worse'] }, signal)
}

/** Of more datasets that were asked for only those that are hurt have large charts, so that a shared page is the one that was seen. */
const LARGE_MAX = 3

interface Known {
  /** The datasets that the view names. */
  asked: readonly string[]
  stored: readonly string[] | undefined
  known: readonly Annotation[]
  judged: readonly Annotation[]
  harms: Harms
  /** Whether everything is loaded by which datasets are picked. */
  isKnown: boolean
}

function usePicked({ asked, stored, known, judged, harms, isKnown }: Known) {
  // An annotation on several datasets may name some that the token may not read.
  const isReached = (name: string) => may('annotations|read', [name]) || stored?.includes(name) === true
  const names = useMemo(() => listNames(stored ?? NO_NAMES, known).filter(isReached), [stored, known, user.value])
  const first = usePicks(names, judged, isKnown, isReached)
  const hurt = new Set(listHurtNames(harms).filter((name) => names.includes(name)))
  const picked = asked.length > 0 ? asked : [...new Set([...hurt, ...first])]
  const hurting = picked.filter((name) => hurt.has(name))
  // Until the list is loaded all datasets are queried, because most have events. One that only annotations name has none, and of one that
  // nobody names the service says that it does not exist.
  const isNowhere = (name: string) => asked.includes(name) && !names.includes(name)
  const isStored = (name: string) => stored === undefined || stored.includes(name) || isNowhere(name)
  return {
    /** All datasets; those that only annotations name come last. */
    names,
    /** The datasets that are picked for charts. */
    picked,
    /** Those of them whose charts are large: a few that were asked for, that are hurt, or else the one with the last release. */
    large: asked.length > 0 && asked.length <= LARGE_MAX ? asked : hurting.length > 0 ? hurting : picked.slice(0, 1),
    /** The picked datasets with events that this token may read. */
    queried: picked.filter((name) => may('query|read', [name]) && isStored(name)),
  }
}

/** @returns the datasets whose metrics are hurt */
function listHurtNames({ goingOn }: Harms): string[] {
  return goingOn.flatMap(({ release }) => listHurt(release).map(({ name }) => partsOf(name).dataset))
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
  const first = useMemo(() => (isKnown ? pickFirst(names, annotations, picks.current) : NO_NAMES), [names, annotations, isKnown])
  if (first.length > picks.current.length) picks.current = first
  return picks.current
}

/** Other sources of a query, such as `_annotations`, have no list of fields. */
function namedBy(answered: Answered | undefined, stored: readonly string[] = NO_NAMES): readonly string[] {
  return answered?.answer.datasetNames.filter((name) => stored.includes(name)) ?? NO_NAMES
}
