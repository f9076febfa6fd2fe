/**
 * What the page of charts loads for a view: which datasets there are, the annotations of the range, and the answer to the query.
 * Asked for again when the view changes, when somebody refreshes, and by the clock while the page is live.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { queryDatasets } from '../events/source.ts'
import { isLoadUnderWay, useLoad } from '../parts/use-load.ts'
import { quoteName } from '../query/name.ts'
import { listAnnotations } from '../service/annotations.ts'
import { listDatasets } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { formatRange, type Range, resolveRange } from '../view/range.ts'
import type { View } from '../view/view.ts'
import { hasTimedRows } from './query-result.tsx'

/** So many datasets are charted where the view names none. */
const DATASETS_SHOWN = 3
const LIVE_MS = 5_000
const NO_ANNOTATIONS: readonly Annotation[] = []

export function useExplored({ datasets: asked, apl, startTime, endTime, live }: View) {
  // What somebody asks for again, and what the clock does: the list of events follows the first only.
  const [version, setVersion] = useState(0)
  const tick = useTick(live)
  const refresh = () => setVersion((before) => before + 1)

  const listed = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version, tick])
  const datasets = useLoad(listDatasets, [version])
  const annotations = useLoad(range && ((signal) => listAnnotations(range.startMs, range.endMs, signal)), [range])
  const result = useLoad(range && apl !== '' ? (signal) => answer(apl, range, signal) : undefined, [apl, range])

  // A refresh that failed takes no chart away.
  const names = useRef<readonly string[]>([])
  if (datasets.data) names.current = datasets.data.map(({ name }) => name)
  const picked = asked.length > 0 ? asked : names.current.slice(0, DATASETS_SHOWN)
  // Until the answer to another query is there, what is shown is all of the one before.
  const answered = apl === '' ? undefined : result.data
  const rowsOf = answered && hasTimedRows(answered.answer) ? answered.apl : ''
  return {
    /** Of the charts. */
    range,
    /** Of the list of events, which goes on by itself while the page is live. */
    listRange: listed.range,
    /** Another number: asked again by somebody. */
    version,
    /** Another number: asked again by anybody. */
    chartVersion: version + tick,
    refresh,
    /** Names of all datasets. */
    names: names.current,
    /** Those that are picked for charts. */
    picked,
    /** Those whose events are charted. */
    charted: apl === '' ? picked : (answered?.answer.datasetNames ?? []),
    /** Absent until it is known. */
    annotations: annotations.data,
    known: annotations.data ?? NO_ANNOTATIONS,
    /** The answer to a query, with the query. */
    answered,
    isRunning: result.isLoading,
    queryError: result.error,
    /** A query of the events to list; empty where there are none to list. */
    eventsOf: apl === '' ? queryDatasets(picked.map(quoteName)) : rowsOf,
    errors: [rangeError, datasets.error, annotations.error].filter((error) => error !== undefined),
    /** There is nothing yet in this service that a chart could show. */
    isEmpty: datasets.data?.length === 0 && !annotations.data?.length && asked.length === 0 && apl === '',
  }
}

/** An answer, with the query that it is the answer to. */
async function answer(apl: string, range: Range, signal: AbortSignal) {
  return { apl, answer: await queryTables({ apl, ...formatRange(range) }, signal) }
}

/** @returns a number that grows while the page is live and looked at */
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
