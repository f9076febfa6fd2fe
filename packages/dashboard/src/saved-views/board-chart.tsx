/** One of several charts: the answer to its query, and the actions on it in its view. */
import { useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { DEFAULT_VIEW, putAt } from '../address/view.ts'
import type { ShownOnCharts } from '../charts/chart-page.tsx'
import { displayAnswer } from '../charts/display.ts'
import { QueryResult } from '../charts/query-result.tsx'
import { useAnswer } from '../charts/use-answer.ts'
import { filterChart } from '../filters/filtered.ts'
import { ActionMenu } from '../parts/action-menu.tsx'
import { Failure } from '../parts/failure.tsx'
import type { FormOf } from '../resources/fields.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import type { SavedChart } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import type { Change } from './save-changes.tsx'
import { NAME } from './save-form.tsx'

interface BoardChartProps {
  chart: SavedChart
  at: number
  charts: readonly SavedChart[]
  change: Change
  shared: ShownOnCharts
}

export function BoardChart({ shared: { markOn, ...shared }, ...menu }: BoardChartProps) {
  const { at } = menu
  const { title, aplQuery, datasets, wide = false } = menu.chart
  const apl = filterChart(aplQuery, view.value.filters)
  const { answered, isRunning, queryError, ...asked } = useAnswer({ ...view.value, apl, filters: [] }, shared.range)
  return (
    <section
      class={`board-chart ${isRunning ? 'is-loading' : ''} ${wide ? 'is-wide' : ''}`}
      aria-label={title}
      aria-busy={isRunning}
    >
      <div class="row">
        <h2 class="clip">{title}</h2>
        <ChartMenu {...menu} />
      </div>
      <Failure error={queryError} />
      {!answered && isRunning && <p class="hint">Loading…</p>}
      {answered && (
        <QueryResult
          {...shared}
          {...asked}
          apl={answered.apl}
          answer={answered.answer}
          display={displayAnswer(view.value, answered.answer)}
          label={title}
          sort={view.value.sort[at] ?? ''}
          onSort={(to) => navigate({ sort: putAt(view.value.sort, at, to) }, true)}
          onMark={markOn(datasets)}
        />
      )}
    </section>
  )
}

const FORM: FormOf = {
  fields: [
    { ...NAME, name: 'title', label: 'Title' },
    { name: 'wide', label: 'Whole width', kind: 'switch' },
  ],
}

/** The last chart has no button that removes it: it goes with its view. */
function ChartMenu({ chart, at, charts, change }: Omit<BoardChartProps, 'shared'>) {
  const [isChanging, setChanging] = useState(false)
  const { startTime, endTime, compare, filters, sort, zone } = view.value
  const others = [...charts.keys()].filter((place) => place !== at)
  /** Keeps the charts at these places, in this order. The sorting of each in the address moves with it. */
  const arrange = (places: readonly number[]) =>
    change.save(
      { charts: places.flatMap((place) => charts[place] ?? []) },
      places.map((place) => sort[place] ?? ''),
    )
  const moveTo = (to: number) => arrange(others.toSpliced(to, 0, at))
  const open = () =>
    navigate({
      ...DEFAULT_VIEW,
      ...{ startTime, endTime, compare, filters, zone },
      apl: chart.aplQuery,
      sort: putAt([], 0, sort[at] ?? ''),
    })
  const mayChange = may('views|update')
  const actions = [
    { words: 'Open in Explore', isOffered: true, act: open },
    { words: 'Change', isOffered: mayChange, act: () => setChanging(true) },
    { words: 'Move up', isOffered: mayChange && at > 0, act: () => moveTo(at - 1) },
    { words: 'Move down', isOffered: mayChange && at < charts.length - 1, act: () => moveTo(at + 1) },
    { words: 'Remove', isOffered: mayChange && charts.length > 1, act: () => arrange(others) },
  ]
  return (
    <span class="push">
      <ActionMenu of={chart.title} actions={actions} />
      {isChanging && (
        <ResourceForm
          title="Change the chart"
          form={FORM}
          one={chart}
          isNew={false}
          action="Save"
          task={async (members) => {
            change.save({ charts: charts.with(at, { ...chart, ...members }) })
            setChanging(false)
          }}
          onClose={() => setChanging(false)}
        />
      )}
    </span>
  )
}
