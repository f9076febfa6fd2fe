/** The page of charts: events over time with the annotations on them, and the events themselves. This file tells the story. */
import './explore.css'
import { useEffect, useState } from 'preact/hooks'
import { type Draft, Form } from '../annotations/form.tsx'
import { Panel } from '../annotations/panel.tsx'
import { Toggles } from '../annotations/toggles.tsx'
import { EventList } from '../events/event-list.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/use-lost-focus.ts'
import { useReturnFocus } from '../parts/use-return-focus.ts'
import { QueryEditor } from '../query/query-editor.tsx'
import { navigate, view } from '../view/navigation.ts'
import { formatRange, type Range } from '../view/range.ts'
import { DatasetChart } from './dataset-chart.tsx'
import { DatasetPicker } from './dataset-picker.tsx'
import { NoAnnotations, NoDatasets } from './empty.tsx'
import { QueryResult } from './query-result.tsx'
import { RangePicker } from './range-picker.tsx'
import { useExplored } from './use-explored.ts'

export function Explore() {
  const { apl, startTime, endTime, annotations: selected, live, utc } = view.value
  const explored = useExplored(view.value)
  const { range, names, picked, charted, known, answered, refresh } = explored
  const [draft, setDraft] = useState<Draft | undefined>()
  const [isWriting, setWriting] = useState(apl !== '')
  // Going back to a view without a query closes the editor, too.
  useEffect(() => setWriting(apl !== ''), [apl])
  const queryButton = useLostFocus<HTMLButtonElement>(isWriting ? 1 : 0)
  useReturnFocus(selected.length > 0)
  if (explored.isEmpty) return <NoDatasets onLook={refresh} />

  const select = (ids: string[]) => navigate({ annotations: ids })
  const onChart = range && {
    range,
    version: explored.chartVersion,
    annotations: known,
    hidden: view.value,
    selected,
    utc,
    onRange: (to: Range, isRepeated?: boolean) => navigate(formatRange(to), isRepeated),
    onSelect: select,
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
          isRunning={explored.isRunning}
          error={explored.queryError}
          datasets={names}
          onRun={(text) => (text === apl ? refresh() : navigate({ apl: text }))}
          onClose={() => {
            setWriting(false)
            navigate({ apl: '' })
          }}
        />
      )}
      {explored.errors.map((error, at) => (
        <Failure key={at} error={error} {...(!(error instanceof RangeError) && { onRetry: refresh })} />
      ))}
      <Toggles datasets={charted} annotations={known} view={view.value} onChange={(change) => navigate(change, true)} />
      <div class="charts">
        {onChart &&
          apl === '' &&
          picked.map((dataset) => (
            <DatasetChart {...onChart} key={dataset} dataset={dataset} onMark={(span) => setDraft(draftOf([dataset], span))} />
          ))}
        {onChart && answered && <QueryResult {...onChart} {...answered} onMark={(span) => setDraft(draftOf(charted, span))} />}
        {explored.annotations?.length === 0 && <NoAnnotations dataset={charted[0] ?? 'web'} />}
        {explored.eventsOf !== '' && explored.listRange && (
          <EventList
            apl={explored.eventsOf}
            range={explored.listRange}
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
          version={explored.version}
          utc={utc}
          onSelect={select}
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
            select([id])
          }}
        />
      )}
    </div>
  )
}

/** @param span where it was marked; by default it is about now */
function draftOf(datasets: readonly string[], span: Range = { startMs: Date.now(), endMs: Date.now() }): Draft {
  const { startTime, endTime } = formatRange(span)
  return { datasets: [...datasets], time: startTime, ...(span.endMs > span.startMs && { endTime }) }
}
