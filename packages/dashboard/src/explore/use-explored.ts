/**
 * What the page of charts loads for a view: which datasets there are, the annotations of the range, and the answer to the query.
 * It is loaded again when the view changes, when the user refreshes, and by the clock while the page is live. What the token may
 * not read is not asked for: annotations are shown without events.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { queryDatasets } from '../events/source.ts'
import { isLoadUnderWay, useLoad } from '../parts/use-load.ts'
import { leavesBinOpen, withBinWidth } from '../query/bin-width.ts'
import { quoteName } from '../query/name.ts'
import { listAnnotations } from '../service/annotations.ts'
import { listDatasets } from '../service/datasets.ts'
import { queryTables, type TabularAnswer } from '../service/query.ts'
import { AnswerError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { chosenStep, formatRange, type Range, resolveRange } from '../view/range.ts'
import type { View } from '../view/view.ts'
import type { Answered } from './display.ts'
import { earlierRange, shiftOf } from './earlier.ts'
import { listNames, pickFirst } from './picks.ts'
import { hasTimedRows } from './query-result.tsx'

const LIVE_MS = 5_000
const NO_ANNOTATIONS: readonly Annotation[] = []
const NO_NAMES: readonly string[] = []

export interface Explored {
  /** Of the charts; absent where the view's times cannot be read. */
  range: Range | undefined
  /** Of the list of events, which goes on by itself while the page is live. */
  listRange: Range | undefined
  /** Changes with each refresh that the user asks for. */
  version: number
  /** Changes with each refresh, by the user or by the clock. */
  chartVersion: number
  refresh: () => void
  /** Of all datasets, those that only annotations name last. */
  names: readonly string[]
  /** Datasets that are picked for charts. */
  picked: readonly string[]
  /** Those of the picked ones that have events which this token may read. */
  queried: readonly string[]
  /** Datasets whose events are charted. */
  charted: readonly string[]
  /** Absent until they are known. */
  annotations: readonly Annotation[] | undefined
  /** The annotations, none until they are known. */
  known: readonly Annotation[]
  answered: Answered | undefined
  /** The answer to the same query over the earlier time that the view compares with. */
  earlier: TabularAnswer | undefined
  isRunning: boolean
  /** Gives the query up that is running. */
  cancel: () => void
  queryError: unknown
  /** A query of the events to list; empty where there are none to list. */
  eventsOf: string
  errors: readonly unknown[]
  /** Whether it is not known yet which datasets there are, and which of them only annotations name. */
  isListing: boolean
  /** There are no events in this service yet, as far as is known. */
  hasNoEvents: boolean
}

export function useExplored(view: View): Explored {
  const { datasets: asked, apl, startTime, endTime, live } = view
  // The user's refreshes and the clock's: the list of events follows the first only.
  const [version, setVersion] = useState(0)
  const tick = useTick(live)
  const refresh = () => setVersion((before) => before + 1)

  const listed = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version, tick])
  const mayList = may('datasets|read')
  const datasets = useLoad(mayList ? listDatasets : undefined, [version, mayList])
  const annotations = useLoad(range && ((signal) => listAnnotations(range.startMs, range.endMs, signal)), [range])
  const { result, earlier } = useQuery(view, range)

  const known = annotations.data ?? NO_ANNOTATIONS
  const stored = useMemo(() => datasets.data?.map(({ name }) => name), [datasets.data])
  const names = useMemo(() => listNames(stored ?? NO_NAMES, known), [stored, known])
  const first = usePicks(names, known, !datasets.isLoading && !annotations.isLoading)
  const picked = asked.length > 0 ? asked : first
  const marked = useMarked(known)
  // One that only annotations name has no events to ask for. Until both lists are there, it is asked all the same: most have some.
  const isListing = datasets.isLoading || annotations.isLoading
  const isStored = (name: string) => stored?.includes(name) || isListing || !(stored && marked.has(name))
  const queried = may('query|read') ? picked.filter(isStored) : NO_NAMES
  // Until the answer to another query is there, the one before it is shown whole.
  const answered = apl === '' ? undefined : result.data
  const rowsOf = answered && hasTimedRows(answered.answer) ? answered.apl : ''
  return {
    range,
    listRange: listed.range,
    version,
    chartVersion: version + tick,
    refresh,
    names,
    picked,
    queried,
    charted: apl === '' ? picked : (answered?.answer.datasetNames ?? NO_NAMES),
    annotations: annotations.data,
    known,
    answered,
    earlier: earlier.data?.apl === answered?.apl ? earlier.data?.answer : undefined,
    isRunning: result.isLoading,
    cancel: result.cancel,
    queryError: result.error,
    eventsOf: apl === '' ? queryDatasets(queried.map(quoteName)) : rowsOf,
    errors: [rangeError, datasets.error, annotations.error].filter((error) => error !== undefined),
    isListing,
    hasNoEvents: stored?.length === 0 && asked.length === 0 && apl === '',
  }
}

/** The query of a view, over its range and over the earlier one that it is compared with. */
function useQuery({ apl, bin, compare }: View, range: Range | undefined) {
  // Of any other query it changes nothing.
  const width = leavesBinOpen(apl) ? bin : ''
  const result = useLoad(
    range && apl !== '' ? (signal) => runQuery(apl, range, bin, signal) : undefined,
    [apl, range, width],
    apl,
  )

  const shiftMs = shiftOf(compare)
  const before = range && shiftMs !== undefined && apl !== '' ? earlierRange(range, shiftMs) : undefined
  const earlier = useLoad(
    before && ((signal) => runQuery(apl, before, bin, signal)),
    [apl, range, shiftMs, width],
    `${apl} ${compare}`,
  )
  return { result, earlier }
}

/** Chosen once they are known, and filled up with new ones: zooming must not change which charts there are. */
function usePicks(names: readonly string[], annotations: readonly Annotation[], isKnown: boolean): readonly string[] {
  const picks = useRef<readonly string[]>(NO_NAMES)
  if (isKnown) {
    const filled = pickFirst(names, annotations, picks.current)
    if (filled.length > picks.current.length) picks.current = filled
  }
  return picks.current
}

/** @returns the datasets that an annotation has named since the page was opened */
function useMarked(annotations: readonly Annotation[]): ReadonlySet<string> {
  const marked = useRef(new Set<string>())
  for (const { datasets } of annotations) for (const name of datasets) marked.current.add(name)
  return marked.current
}

/** @param bin of the intervals, where the query leaves them open */
async function runQuery(apl: string, range: Range, bin: string, signal: AbortSignal): Promise<Answered> {
  const ask = (text: string) => queryTables({ apl: text, ...formatRange(range) }, signal)
  const asked = chosenStep(bin, range) === undefined ? apl : withBinWidth(apl, bin)
  if (asked === apl) return { apl, answer: await ask(apl) }
  try {
    return { apl, answer: await ask(asked) }
  } catch (error) {
    // What is wrong with a query is shown at its place in the text that the person wrote.
    if (error instanceof AnswerError && error.status === 400) return { apl, answer: await ask(apl) }
    throw error
  }
}

/** @returns a number that grows while the page is live and its tab is visible */
function useTick(live: boolean): number {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    if (!live) return
    const timer = setInterval(() => !document.hidden && !isLoadUnderWay() && setTick((before) => before + 1), LIVE_MS)
    return () => clearInterval(timer)
  }, [live])
  return tick
}

function tryRange(startTime: string, endTime: string): { range?: Range; rangeError?: unknown } {
  try {
    return { range: resolveRange(startTime, endTime, Date.now()) }
  } catch (rangeError) {
    return { rangeError }
  }
}
