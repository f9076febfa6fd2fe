/** The page of charts: events over time with the annotations on them, and the events themselves. This file puts it together. */
import './explore.css'
import { useState } from 'preact/hooks'
import { AnnotationForm } from '../annotations/annotation-form.tsx'
import type { Draft } from '../annotations/draft.ts'
import { Panel } from '../annotations/panel.tsx'
import { Toggles } from '../annotations/toggles.tsx'
import { Failure } from '../parts/failure.tsx'
import { useReturnFocus } from '../parts/use-return-focus.ts'
import { navigate, view } from '../view/navigation.ts'
import { formatRange, type Range } from '../view/range.ts'
import { listCharted } from './charted.ts'
import { Charts } from './charts.tsx'
import { Controls } from './controls.tsx'
import { NoDatasets } from './empty.tsx'
import { useExplored } from './use-explored.ts'

export function Explore() {
  const { annotations: selected, utc } = view.value
  const explored = useExplored(view.value)
  const { charted, known, names, refresh } = explored
  const [draft, setDraft] = useState<Draft>()
  useReturnFocus(selected.length > 0)
  if (explored.isEmpty) return <NoDatasets onLook={refresh} />
  return (
    <div class={selected.length > 0 ? 'explore has-panel' : 'explore'}>
      <h1 class="visually-hidden">Explore</h1>
      <Controls explored={explored} />
      {explored.errors.map((error, at) => (
        <Failure key={at} error={error} {...(!(error instanceof RangeError) && { onRetry: refresh })} />
      ))}
      <Toggles datasets={charted} annotations={known} view={view.value} onChange={(change) => navigate(change, true)} />
      <Charts explored={explored} onSelect={select} onMark={(datasets, span) => setDraft(draftOf(datasets, span))} />
      {selected.length > 0 && (
        <Panel
          ids={selected}
          annotations={known}
          version={explored.version}
          charted={listCharted(view.value.apl, explored)}
          utc={utc}
          onSelect={select}
          onEdit={setDraft}
          onChanged={refresh}
        />
      )}
      {draft && (
        <AnnotationForm
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

function select(ids: string[]): void {
  navigate({ annotations: ids })
}

/** @param span what was marked on a chart; by default a point in time, now */
function draftOf(datasets: readonly string[], span: Range = { startMs: Date.now(), endMs: Date.now() }): Draft {
  const { startTime, endTime } = formatRange(span)
  return { datasets: [...datasets], time: startTime, ...(span.endMs > span.startMs && { endTime }) }
}
