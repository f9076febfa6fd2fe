/** The page of a saved view with several charts, which share the range, the annotations and the pointer. */
import { useEffect, useMemo } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { ChartPage } from '../charts/chart-page.tsx'
import { useExplored } from '../charts/use-explored.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { BoardChart } from './board-chart.tsx'
import { SaveChanges, useChange } from './save-changes.tsx'
import { fromSaved } from './saved-view.ts'

export function Board({ id }: { id: string }) {
  const [version, reload] = useRefresh()
  const { data: saved, error } = useLoad((signal) => savedViewRequests.get(id, signal), [id, version], id)
  useArrival(saved)
  return (
    <div class="board">
      <div class="row">
        <h1 class="clip">{saved?.name ?? 'Saved view'}</h1>
        <ViewLink to={{ ...DEFAULT_VIEW, page: 'views', zone: view.value.zone }}>All saved views</ViewLink>
      </div>
      <Failure error={error} onRetry={reload} />
      {saved && <Charts saved={saved} onChanged={reload} />}
    </div>
  )
}

/** Without a range in the address, the view has the range that was saved. One of one chart is a part of Explore. */
function useArrival(saved: SavedView | undefined): void {
  useEffect(() => {
    if (!saved || (saved.charts.length > 0 && new URLSearchParams(location.search).has('startTime'))) return
    const { annotations } = view.value
    navigate({ ...fromSaved(saved, view.value), annotations }, true)
  }, [saved?.id])
}

function Charts({ saved, onChanged }: { saved: SavedView; onChanged: () => void }) {
  const { charts } = saved
  const datasets = useMemo(() => [...new Set(charts.flatMap((chart) => chart.datasets))], [charts])
  const explored = useExplored({ ...view.value, datasets })
  const change = useChange(saved, onChanged)
  return (
    <ChartPage
      explored={explored}
      controls={
        <>
          <SaveChanges saved={saved} charted={datasets} change={change} />
          <Failure error={change.error} />
        </>
      }
    >
      {(shared) => (
        <div class="board-charts">
          {charts.map((chart, at) => (
            <BoardChart key={`${at} ${chart.aplQuery}`} {...{ chart, at, charts, change, shared }} />
          ))}
        </div>
      )}
    </ChartPage>
  )
}
