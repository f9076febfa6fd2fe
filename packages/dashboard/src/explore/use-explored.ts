/**
 * What the page of charts loads for a view: which datasets there are, the annotations of the range, and the answer to the query.
 * It is loaded again when the view changes, when the user refreshes, and by the clock while the page is live.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { queryDatasets } from '../events/source.ts'
import { isLoadUnderWay, useLoad } from '../parts/use-load.ts'
import { quoteName } from '../query/name.ts'
import { listAnnotations } from '../service/annotations.ts'
import { listDatasets } from '../service/datasets.ts'
import { queryTables, type TabularAnswer } from '../service/query.ts'
import { formatRange, type Range, resolveRange } from '../view/range.ts'
import type { View } from '../view/view.ts'
import { hasTimedRows } from './query-result.tsx'

/** So many datasets are charted where the view names none. */
const DATASETS_SHOWN = 3
const LIVE_MS = 5_000
const NO_ANNOTATIONS: readonly Annotation[] = []

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
  /** Of all datasets. */
  names: readonly string[]
  /** Datasets that are picked for charts. */
  picked: readonly string[]
  /** Datasets whose events are charted. */
  charted: readonly string[]
  /** Absent until they are known. */
  annotations: readonly Annotation[] | undefined
  /** The annotations, none until they are known. */
  known: readonly Annotation[]
  answered: AnsweredQuery | undefined
  isRunning: boolean
  queryError: unknown
  /** A query of the events to list; empty where there are none to list. */
  eventsOf: string
  errors: readonly unknown[]
  /** There is nothing in this service yet that a chart could show. */
  isEmpty: boolean
}

export function useExplored({ datasets: asked, apl, startTime, endTime, live }: View): Explored {
  // The user's refreshes and the clock's: the list of events follows the first only.
  const [version, setVersion] = useState(0)
  const tick = useTick(live)
  const refresh = () => setVersion((before) => before + 1)

  const listed = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version, tick])
  const datasets = useLoad(listDatasets, [version])
  const annotations = useLoad(range && ((signal) => listAnnotations(range.startMs, range.endMs, signal)), [range])
  const result = useLoad(range && apl !== '' ? (signal) => runQuery(apl, range, signal) : undefined, [apl, range])

  // A refresh that failed takes no chart away.
  const names = useRef<readonly string[]>([])
  if (datasets.data) names.current = datasets.data.map(({ name }) => name)
  const picked = asked.length > 0 ? asked : names.current.slice(0, DATASETS_SHOWN)
  // Until the answer to another query is there, the one before it is shown whole.
  const answered = apl === '' ? undefined : result.data
  const rowsOf = answered && hasTimedRows(answered.answer) ? answered.apl : ''
  return {
    range,
    listRange: listed.range,
    version,
    chartVersion: version + tick,
    refresh,
    names: names.current,
    picked,
    charted: apl === '' ? picked : (answered?.answer.datasetNames ?? []),
    annotations: annotations.data,
    known: annotations.data ?? NO_ANNOTATIONS,
    answered,
    isRunning: result.isLoading,
    queryError: result.error,
    eventsOf: apl === '' ? queryDatasets(picked.map(quoteName)) : rowsOf,
    errors: [rangeError, datasets.error, annotations.error].filter((error) => error !== undefined),
    isEmpty: datasets.data?.length === 0 && !annotations.data?.length && asked.length === 0 && apl === '',
  }
}

/** An answer, with the query that it is the answer to. */
interface AnsweredQuery {
  apl: string
  answer: TabularAnswer
}

async function runQuery(apl: string, range: Range, signal: AbortSignal): Promise<AnsweredQuery> {
  return { apl, answer: await queryTables({ apl, ...formatRange(range) }, signal) }
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
