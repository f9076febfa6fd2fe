/** The page of charts: events over time with the annotations on them, and the events themselves. This file tells the story. */
import './explore.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Annotation } from '../../api/annotation.ts'
import { type Draft, Form } from '../annotations/form.tsx'
import { Panel } from '../annotations/panel.tsx'
import { Toggles } from '../annotations/toggles.tsx'
import { EventList } from '../events/event-list.tsx'
import { queryDatasets } from '../events/source.ts'
import { Failure } from '../parts/failure.tsx'
import { isLoadUnderWay, useLoad } from '../parts/use-load.ts'
import { useLostFocus } from '../parts/use-lost-focus.ts'
import { useReturnFocus } from '../parts/use-return-focus.ts'
import { QueryEditor } from '../query/query-editor.tsx'
import { listAnnotations } from '../service/annotations.ts'
import { listDatasets } from '../service/datasets.ts'
import { queryTables, quoteDataset } from '../service/query.ts'
import { navigate, view } from '../view/navigation.ts'
import { formatRange, type Range, resolveRange } from '../view/range.ts'
import { DatasetChart } from './dataset-chart.tsx'
import { DatasetPicker } from './dataset-picker.tsx'
import { NoAnnotations, NoDatasets } from './empty.tsx'
import { hasTimedRows, QueryResult } from './query-result.tsx'
import { RangePicker } from './range-picker.tsx'

/** So many datasets are charted where the view names none. */
const DATASETS_SHOWN = 3
const LIVE_MS = 5_000
const NO_ANNOTATIONS: readonly Annotation[] = []

export function Explore() {
  const { datasets: asked, apl, startTime, endTime, annotations: selected, live, utc } = view.value
  // What somebody asks for again, and what the clock does: the list of events follows the first only.
  const [version, setVersion] = useState(0)
  const tick = useTick(live)
  const refresh = () => setVersion((before) => before + 1)
  const [draft, setDraft] = useState<Draft | undefined>()
  const [isWriting, setWriting] = useState(apl !== '')
  useEffect(() => {
    if (apl !== '') setWriting(true)
  }, [apl])
  const queryButton = useLostFocus<HTMLButtonElement>(isWriting ? 1 : 0)
  useReturnFocus(selected.length > 0)

  const asOfRefresh = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version, tick])
  const datasets = useLoad(listDatasets, [version])
  const annotations = useLoad(range && ((signal) => listAnnotations(range.startMs, range.endMs, signal)), [range])
  const result = useLoad(range && apl !== '' ? (signal) => answer(apl, range, signal) : undefined, [apl, range])
  // A refresh that failed takes no chart away.
  const knownNames = useRef<readonly string[]>([])
  if (datasets.data) knownNames.current = datasets.data.map(({ name }) => name)
  const names = knownNames.current
  const picked = asked.length > 0 ? asked : names.slice(0, DATASETS_SHOWN)
  // Until the answer to another query is there, what is shown is all of the one before.
  const answered = apl === '' ? undefined : result.data
  const charted = apl === '' ? picked : (answered?.answer.datasetNames ?? [])
  const known = annotations.data ?? NO_ANNOTATIONS
  if (datasets.data?.length === 0 && known.length === 0 && asked.length === 0 && apl === '')
    return <NoDatasets onLook={refresh} />

  const rowsOf = answered && hasTimedRows(answered.answer) ? answered.apl : ''
  const eventsOf = apl === '' ? queryDatasets(picked.map(quoteDataset)) : rowsOf
  const onChart = range && {
    range,
    version: version + tick,
    annotations: known,
    hidden: view.value,
    selected,
    utc,
    onRange: (to: Range) => navigate(formatRange(to)),
    onSelect: (ids: string[]) => navigate({ annotations: ids }),
  }
  return (
    <div class={selected.length > 0 ? 'explore has-panel' : 'explore'}>
      <h1 class="visually-hidden">Explore</h1>
      <div class="row controls">
        {isWriting ? (
          <span />
        ) : (
          <div class="row">
            <DatasetPicker datasets={names} picked={picked} onChange={(list) => navigate({ datasets: list })} />
            <button type="button" ref={queryButton} onClick={() => setWriting(true)}>
              Query
            </button>
          </div>
        )}
        <RangePicker
          startTime={startTime}
          endTime={endTime}
          range={range}
          utc={utc}
          onChange={(times) => navigate(times)}
          onUtc={(inUtc) => navigate({ utc: inUtc }, true)}
          onRefresh={refresh}
        />
      </div>
      {isWriting && (
        <QueryEditor
          apl={apl}
          isRunning={result.isLoading}
          error={result.error}
          datasets={names}
          onRun={(text) => (text === apl ? refresh() : navigate({ apl: text }))}
          onClose={() => {
            setWriting(false)
            navigate({ apl: '' })
          }}
        />
      )}
      <Failure error={rangeError} />
      <Failure error={datasets.error} onRetry={refresh} />
      <Failure error={annotations.error} onRetry={refresh} />
      <Toggles datasets={charted} annotations={known} view={view.value} onChange={(change) => navigate(change, true)} />
      <div class="charts">
        {onChart &&
          apl === '' &&
          picked.map((dataset) => (
            <DatasetChart {...onChart} key={dataset} dataset={dataset} onMark={(span) => setDraft(draftOf([dataset], span))} />
          ))}
        {onChart && answered && <QueryResult {...onChart} {...answered} onMark={(span) => setDraft(draftOf(charted, span))} />}
        {annotations.data?.length === 0 && <NoAnnotations dataset={charted[0] ?? 'web'} />}
        {eventsOf !== '' && asOfRefresh.range && (
          <EventList
            apl={eventsOf}
            range={asOfRefresh.range}
            isLive={live}
            onLiveChange={(isLive) => navigate({ live: isLive }, true)}
            utc={utc}
          />
        )}
      </div>
      {selected.length > 0 && (
        <Panel
          ids={selected}
          annotations={known}
          version={version}
          utc={utc}
          onSelect={(ids) => navigate({ annotations: ids })}
          onEdit={setDraft}
          onChanged={refresh}
        />
      )}
      {draft && (
        <Form
          draft={draft}
          datasets={names}
          types={[...new Set(known.map(({ type }) => type))]}
          utc={utc}
          onClose={() => setDraft(undefined)}
          onSaved={({ id }) => {
            setDraft(undefined)
            refresh()
            navigate({ annotations: [id] })
          }}
        />
      )}
    </div>
  )
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

/** @param span where it was marked; by default it is about now */
function draftOf(datasets: readonly string[], span: Range = { startMs: Date.now(), endMs: Date.now() }): Draft {
  const { startTime, endTime } = formatRange(span)
  return { datasets: [...datasets], time: startTime, ...(span.endMs > span.startMs && { endTime }) }
}
