/** One of several charts: the answer to its query, and the actions on it in its view. */
import { useMemo, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { DEFAULT_VIEW, putAt } from '../address/view.ts'
import type { DatasetChartProps } from '../charts/dataset-chart.tsx'
import { displayAnswer } from '../charts/display.ts'
import { earlierRange } from '../charts/earlier.ts'
import { useReportFailure } from '../charts/failures.tsx'
import { QueryResult } from '../charts/query-result.tsx'
import { filterChart } from '../filters/filtered.ts'
import { ActionMenu } from '../parts/action-menu.tsx'
import { useLoad } from '../parts/use-load.ts'
import { queryTables } from '../service/query.ts'
import type { SavedChart } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { NameForm } from './name-form.tsx'
import type { Change } from './use-change.ts'

interface BoardChartProps {
  chart: SavedChart
  at: number
  charts: readonly SavedChart[]
  change: Change
  shared: Pick<DatasetChartProps, 'range' | 'version' | 'annotations' | 'found' | 'onFailure'>
  /** Absent if the token may not create annotations. */
  onMark: ((span: Range) => void) | undefined
}

export function BoardChart({ chart, at, charts, change, shared, onMark }: BoardChartProps) {
  const { title, aplQuery, wide = false } = chart
  const { range, version, onFailure } = shared
  const { compare, filters } = view.value
  const apl = filterChart(aplQuery, filters)
  const ask = (of: Range) => (signal: AbortSignal) => queryTables({ apl, ...formatRange(of) }, signal)
  const { data, error, isLoading } = useLoad(ask(range), [apl, range, version], apl)
  const before = earlierRange(range, compare)
  const earlier = useLoad(before && ask(before), [apl, range, version, compare], `${apl} ${compare}`)
  const part = partOf(at, title)
  const titled = useMemo(() => (error instanceof Error ? new Error(`${title}: ${error.message}`) : error), [title, error])
  useReportFailure(onFailure, part, titled)
  return (
    <section
      class={`board-chart ${isLoading ? 'is-loading' : ''} ${wide ? 'is-wide' : ''}`}
      aria-label={title}
      aria-busy={isLoading}
    >
      <div class="row">
        <h2 class="clip">{title}</h2>
        <ChartMenu chart={chart} at={at} charts={charts} change={change} />
      </div>
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && (
        <QueryResult
          {...shared}
          apl={apl}
          answer={data}
          display={displayAnswer(view.value, data)}
          earlier={earlier.data}
          label={title}
          sort={view.value.sort[at] ?? ''}
          onSort={(to) => navigate({ sort: putAt(view.value.sort, at, to) }, true)}
          onMark={onMark}
        />
      )}
    </section>
  )
}

/** The index is part of the name, because two charts may have the same title. */
function partOf(at: number, title: string): string {
  return `${at + 1}. ${title}`
}

type ChartMenuProps = Pick<BoardChartProps, 'chart' | 'at' | 'charts' | 'change'>

/** The last chart has no button that removes it: it goes with its view. */
function ChartMenu({ chart: { title, aplQuery, wide }, at, charts, change }: ChartMenuProps) {
  const [isRenaming, setRenaming] = useState(false)
  const others = [...charts.keys()].filter((place) => place !== at)
  const moveTo = (to: number) => change.arrange([...others.slice(0, to), at, ...others.slice(to)])
  const { startTime, endTime, compare, filters, sort, zone } = view.value
  const open = () =>
    navigate({ ...DEFAULT_VIEW, apl: aplQuery, filters, startTime, endTime, compare, sort: putAt([], 0, sort[at] ?? ''), zone })
  const mayChange = may('views|update')
  const put = (members: Partial<SavedChart>) =>
    change.saveCharts(charts.map((one, place) => (place === at ? { ...one, ...members } : one)))
  const actions = [
    { words: 'Open in Explore', isOffered: true, act: open },
    { words: 'Rename', isOffered: mayChange, act: () => setRenaming(true) },
    { words: wide ? 'Share the row' : 'Whole width', isOffered: mayChange && charts.length > 1, act: () => put({ wide: !wide }) },
    { words: 'Move up', isOffered: mayChange && at > 0, act: () => moveTo(at - 1) },
    { words: 'Move down', isOffered: mayChange && at < charts.length - 1, act: () => moveTo(at + 1) },
    { words: 'Remove', isOffered: mayChange && charts.length > 1, act: () => change.arrange(others) },
  ]
  return (
    <span class="push">
      <ActionMenu of={title} actions={actions} />
      {isRenaming && (
        <NameForm
          title="Rename the chart"
          name={title}
          onClose={() => setRenaming(false)}
          task={async (name) => {
            put({ title: name })
            setRenaming(false)
          }}
        />
      )}
    </span>
  )
}
