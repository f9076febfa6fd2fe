/** The main part of the page: a chart for each dataset or the result of a query, and the events below. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useRef } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { putAt } from '../address/view.ts'
import { DatasetChart, type DatasetChartProps } from '../charts/dataset-chart.tsx'
import { displayAnswer } from '../charts/display.ts'
import { isTold, type ReportFailure } from '../charts/failures.tsx'
import { lastRelease, listOpen } from '../charts/harm.ts'
import { laterEvents, laterResult } from '../charts/later-parts.ts'
import { LoadingChart } from '../charts/loading-chart.tsx'
import { QuietServices } from '../charts/quiet-services.tsx'
import type { Explored } from '../charts/use-explored.ts'
import { useFound } from '../charts/use-found.ts'
import { useListLook } from '../events/list-look.ts'
import { actsOnValues } from '../filters/value-menu.tsx'
import { intervalMs } from '../range/refresh.ts'
import { may } from '../service/session.ts'
import { HurtCards } from './hurt-cards.tsx'

interface ChartsProps {
  explored: Explored
  /** The annotations that the charts may show. */
  marked: readonly Annotation[]
  onFailure: ReportFailure
  /** The errors that are already shown above the charts. */
  errors: readonly unknown[]
  /** Called when the user marks a span or a moment, for a new annotation on these datasets. */
  onMark: (datasets: readonly string[], span: Range) => void
}

export function Charts({ explored, marked, onFailure, errors, onMark }: ChartsProps) {
  const { apl, events, live, annotationsQuery, sort } = view.value
  const { range, charted, answered } = explored
  const found = useFound(annotationsQuery, range, onFailure)
  const shared = range && {
    range,
    found,
    version: explored.chartVersion,
    annotations: marked,
    onFailure,
  }
  const display = answered && displayAnswer(view.value, answered.answer)
  const hasDatasets = useDatasetsShown(answered !== undefined)
  const marks = (names: readonly string[]) =>
    may('annotations|create', names) ? (span: Range) => onMark(names, span) : undefined
  return (
    <div class="charts">
      {shared && hasDatasets && <Services explored={explored} shared={shared} marks={marks} />}
      {shared && answered && display && (
        <laterResult.View
          {...shared}
          apl={answered.apl}
          answer={answered.answer}
          isStale={explored.isStale}
          display={display}
          earlier={explored.earlier}
          onMark={marks(charted)}
          acts={actsOnValues(apl)}
          sort={sort[0] ?? ''}
          onSort={(to) => navigate({ sort: putAt([], 0, to) }, true)}
        />
      )}
      {(apl === '' || !hasDatasets) && isWaiting(explored) && <LoadingChart />}
      {explored.eventsOf !== '' &&
        display?.kind !== 'table' &&
        (apl !== '' || events || live ? <Events explored={explored} errors={errors} /> : <FoldedEvents />)}
    </div>
  )
}

interface ServicesProps {
  explored: Explored
  shared: Pick<DatasetChartProps, 'range' | 'found' | 'version' | 'annotations' | 'onFailure'>
  marks: (names: readonly string[]) => DatasetChartProps['onMark']
}

/** What hurts, a large chart of each service that is hurt or was asked for, and a line for each of the others. */
function Services({ explored, shared, marks }: ServicesProps) {
  const { datasets, events, filters, annotations, moment, zone } = view.value
  const { names, picked, large, harms, judged, queried } = explored
  const quiet = picked.filter((name) => !large.includes(name))
  const hurting = useMemo(() => harms.goingOn.map(({ release }) => release), [harms])
  // Who looks at events, or asks about a moment, has a question of their own.
  const isHome = filters.length === 0 && !events && moment === ''
  return (
    <>
      {isHome && <HurtCards {...{ harms, zone }} last={lastRelease(judged)} hasPanel={annotations.length > 0} />}
      {large.map((dataset) => (
        <DatasetChart
          {...shared}
          key={dataset}
          dataset={dataset}
          hasEvents={queried.includes(dataset)}
          filters={filters}
          harm={hurting}
          open={hurting.some((one) => one.datasets.includes(dataset)) ? [] : listOpen(judged, [dataset])}
          onMark={marks([dataset])}
        />
      ))}
      {quiet.length > 0 && (
        <QuietServices
          {...shared}
          names={quiet}
          queried={quiet.filter((name) => queried.includes(name))}
          more={datasets.length > 0 ? 0 : names.length - picked.length}
        />
      )}
    </>
  )
}

/** @returns whether the datasets are charted: also during a first query, of which a mistake should take no chart away */
function useDatasetsShown(isAnswered: boolean): boolean {
  const before = useRef(false)
  before.current = view.value.apl === '' || (before.current && !isAnswered)
  return before.current
}

/** @returns whether nothing has arrived yet and nothing has failed */
function isWaiting({ picked, answered, isListing, isRunning, errors }: Explored): boolean {
  if (view.value.apl !== '') return isRunning && !answered
  return isListing && picked.length === 0 && errors.length === 0
}

/** Few people read events before they know which. */
function FoldedEvents() {
  return (
    <section class="events" aria-labelledby="events-title">
      <div class="row events-head">
        <h2 id="events-title">Events</h2>
        <button
          type="button"
          class="quiet"
          onPointerEnter={laterEvents.prefetch}
          onFocus={laterEvents.prefetch}
          onClick={() => navigate({ events: true }, true)}
        >
          ▸ Show
        </button>
      </div>
    </section>
  )
}

function Events({ explored: { eventsOf, listRange, charted }, errors }: Pick<ChartsProps, 'explored' | 'errors'>) {
  const { apl, live, refresh } = view.value
  const look = useListLook(view.value, charted)
  return (
    listRange && (
      <laterEvents.View
        apl={eventsOf}
        range={listRange}
        isLive={live}
        onLiveChange={(isLive) => navigate({ live: isLive, events: true }, true)}
        onFold={apl === '' ? () => navigate({ events: false, live: false }, true) : undefined}
        refreshMs={intervalMs(refresh)}
        look={look}
        isTold={(error) => isTold(error, errors)}
      />
    )
  )
}
