/** The page of charts: events over time with the annotations on them, and the events themselves. This file tells the story. */
import './explore.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Annotation } from '../../api/annotation.ts'
import { type Draft, Form } from '../annotations/form.tsx'
import { Panel } from '../annotations/panel.tsx'
import { Toggles } from '../annotations/toggles.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { listAnnotations } from '../service/annotations.ts'
import { listDatasets } from '../service/datasets.ts'
import { navigate, view } from '../view/navigation.ts'
import { formatRange, type Range, resolveRange } from '../view/range.ts'
import { DatasetChart } from './dataset-chart.tsx'
import { DatasetPicker } from './dataset-picker.tsx'
import { NoAnnotations, NoDatasets } from './empty.tsx'
import { RangePicker } from './range-picker.tsx'

/** So many datasets are charted where the view names none. */
const DATASETS_SHOWN = 3
const LIVE_MS = 5_000
const NONE: readonly Annotation[] = []

export function Explore() {
  const { datasets: asked, startTime, endTime, annotations: selected, live, utc } = view.value
  const [version, setVersion] = useState(0)
  const [draft, setDraft] = useState<Draft | undefined>()
  const refresh = () => setVersion((before) => before + 1)
  useEffect(() => {
    if (!live) return
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), LIVE_MS)
    return () => clearInterval(timer)
  }, [live])

  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const datasets = useLoad(listDatasets, [version])
  const annotations = useLoad<Annotation[]>(range && ((signal) => listAnnotations(range.startMs, range.endMs, signal)), [range])
  const names = datasets.data?.map(({ name }) => name) ?? []
  const picked = asked.length > 0 ? asked : names.slice(0, DATASETS_SHOWN)
  const known = annotations.data ?? NONE
  if (datasets.data?.length === 0 && known.length === 0 && asked.length === 0) return <NoDatasets />

  const mark = (dataset: string) => (span?: Range) => setDraft(draftOf(dataset, span))
  return (
    <div class={selected.length > 0 ? 'explore has-panel' : 'explore'}>
      <h1 class="visually-hidden">Explore</h1>
      <div class="row controls">
        <DatasetPicker datasets={names} picked={picked} onChange={(list) => navigate({ datasets: list })} />
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
      <Failure error={rangeError} />
      <Failure error={datasets.error} onRetry={refresh} />
      <Failure error={annotations.error} onRetry={refresh} />
      <Toggles datasets={picked} annotations={known} view={view.value} onChange={(change) => navigate(change, true)} />
      <div class="charts">
        {range &&
          picked.map((dataset) => (
            <DatasetChart
              key={dataset}
              dataset={dataset}
              range={range}
              version={version}
              annotations={known}
              hidden={view.value}
              selected={selected}
              utc={utc}
              onRange={(to) => navigate(formatRange(to))}
              onSelect={(ids) => navigate({ annotations: ids })}
              onMark={mark(dataset)}
            />
          ))}
        {annotations.data?.length === 0 && <NoAnnotations dataset={picked[0] ?? 'web'} />}
      </div>
      {selected.length > 0 && (
        <Panel
          ids={selected}
          annotations={known}
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

function tryRange(startTime: string, endTime: string): { range?: Range; rangeError?: unknown } {
  try {
    return { range: resolveRange(startTime, endTime, Date.now()) }
  } catch (rangeError) {
    return { rangeError }
  }
}

/** @param span where it was marked; by default it is about now */
function draftOf(dataset: string, span: Range = { startMs: Date.now(), endMs: Date.now() }): Draft {
  const { startTime, endTime } = formatRange(span)
  return { datasets: [dataset], time: startTime, ...(span.endMs > span.startMs && { endTime }) }
}
