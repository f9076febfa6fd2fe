/** The page of a saved view with several charts, which share the range, the annotations and the pointer. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { type Range, tryRange } from '../address/range.ts'
import { DEFAULT_VIEW, formatView } from '../address/view.ts'
import { type Draft, draftOf } from '../annotations/draft.ts'
import { listAnnotations } from '../annotations/list-annotations.ts'
import { Share } from '../annotations/share.tsx'
import { DraftForm } from '../charts/draft-form.tsx'
import { Failures, useFailures } from '../charts/failures.tsx'
import { useFindMarks } from '../charts/find-marks.ts'
import { laterPanel } from '../charts/later-parts.ts'
import type { MarksChoicesProps } from '../charts/marks-choices.tsx'
import { MarksMenu } from '../charts/marks-menu.tsx'
import { useFound } from '../charts/use-found.ts'
import { FilterChips } from '../filters/filter-chips.tsx'
import { Failure } from '../parts/failure.tsx'
import { useReturnFocus } from '../parts/focus.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { toOrder } from '../query/sorting.ts'
import { PageRange } from '../range/page-range.tsx'
import { intervalMs } from '../range/refresh.ts'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { BoardChart } from './board-chart.tsx'
import { boardOf, chartsOfSaved, isAlike, savedMembers } from './saved-view.ts'
import { type Change, severalOf, useChange } from './use-change.ts'

/** What can be changed on the page of a saved view. */
const CHANGED = ['startTime', 'endTime', 'compare', 'filters', 'hiddenDatasets', 'hiddenTypes'] as const

function SaveBoard({ saved, change }: { saved: SavedView; change: Change }) {
  const now = view.value
  const then = boardOf(saved, now)
  const isSorted = isAlike(now, then, ['sort'])
  if ((isSorted && isAlike(now, then, CHANGED)) || !may('views|update')) return null
  const save = () => {
    const sorted = chartsOfSaved(saved).map((chart, at) => ({ ...chart, order: toOrder(now.sort[at]) }))
    // The one chart of a view has its filters in its query.
    const names = saved.charts.length > 0 ? CHANGED : CHANGED.filter((name) => name !== 'filters')
    change.save({ ...savedMembers(now, names), ...(!isSorted && severalOf(sorted)) })
  }
  return (
    <button type="button" aria-disabled={change.isBusy} onClick={save}>
      Save the changes
    </button>
  )
}

const NONE: readonly Annotation[] = []

export function Board({ id }: { id: string }) {
  const [version, reload] = useRefresh(intervalMs(view.value.refresh))
  const { data: saved, error } = useLoad((signal) => savedViewRequests.get(id, signal), [id, version], id)
  useArrival(saved)
  return (
    <div class="board">
      <div class="row">
        <h1 class="clip">{saved?.name ?? 'Saved view'}</h1>
        <ViewLink to={{ ...DEFAULT_VIEW, page: 'views', zone: view.value.zone }}>All saved views</ViewLink>
      </div>
      <Failure error={error} onRetry={reload} />
      {saved && <Charts saved={saved} version={version} onReload={reload} />}
    </div>
  )
}

/** Without a range in the address, the view has the range that was saved. */
function useArrival(saved: SavedView | undefined): void {
  useEffect(() => {
    if (!saved || new URLSearchParams(location.search).has('startTime')) return
    const { annotations } = view.value
    navigate({ ...boardOf(saved, view.value), annotations }, true)
  }, [saved?.id])
}

interface ChartsProps {
  saved: SavedView
  version: number
  onReload: () => void
}

function Charts({ saved, version, onReload }: ChartsProps) {
  const { startTime, endTime, annotationsQuery, annotations: selected } = view.value
  const { range, rangeError } = useMemo(() => tryRange(startTime, endTime), [startTime, endTime, version])
  const marks = useLoad(range && ((signal) => listAnnotations(range, signal)), [range])
  const [chartErrors, onFailure] = useFailures()
  const found = useFound(annotationsQuery, range, onFailure)
  const change = useChange(saved, onReload)
  const charts = chartsOfSaved(saved)
  const known = marks.data ?? NONE
  const marked = useFindMarks(known)
  const [draft, setDraft] = useState<Draft>()
  useReturnFocus(selected.join(), '.panel')
  const datasets = [...new Set(charts.flatMap((chart) => chart.datasets))]
  const errors = [rangeError, marks.error, ...chartErrors].filter((error) => error !== undefined)
  return (
    <>
      <BoardControls {...{ saved, change, range, onReload }} marks={{ datasets, annotations: known, found: marked }} />
      <Failures errors={errors} hasContent={marks.data !== undefined} onRetry={onReload} />
      <div class="beside-panel">
        {selected.length > 0 && (
          <laterPanel.View annotations={known} version={version} takesFocus onEdit={setDraft} onChanged={onReload} />
        )}
        <div class="board-charts">
          {range &&
            charts.map((chart, at) => (
              <BoardChart
                key={`${at} ${chart.aplQuery}`}
                chart={chart}
                at={at}
                change={change}
                charts={charts}
                shared={{ range, version, annotations: marked, found, onFailure }}
                onMark={may('annotations|create', chart.datasets) ? (span) => setDraft(draftOf(chart.datasets, span)) : undefined}
              />
            ))}
        </div>
      </div>
      <DraftForm {...{ draft, datasets, known }} onClose={() => setDraft(undefined)} onChanged={onReload} />
    </>
  )
}

type BoardControlsProps = Parameters<typeof SaveBoard>[0] & {
  range: Range | undefined
  onReload: () => void
  marks: MarksChoicesProps
}

function BoardControls({ saved, change, range, onReload, marks }: BoardControlsProps) {
  return (
    <>
      <div class="row controls">
        <FilterChips />
        <SaveBoard saved={saved} change={change} />
        <span class="row push">
          <MarksMenu {...marks} />
          <PageRange range={range} onRefresh={onReload} />
          <Share key={formatView(view.value)} range={range} datasets={marks.datasets} annotations={marks.annotations} />
        </span>
      </div>
      <Failure error={change.error} />
    </>
  )
}
