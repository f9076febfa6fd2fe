/** The main part of the page: a chart for each dataset or the result of a query, and the events below. */
import { useMemo, useRef } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { placeOf, putAt } from '../address/view.ts'
import type { ShownOnCharts } from '../charts/chart-page.tsx'
import { DatasetChart } from '../charts/dataset-chart.tsx'
import { displayAnswer } from '../charts/display.ts'
import { isTold } from '../charts/failures.tsx'
import { lastRelease, listOpen } from '../charts/harm.ts'
import { laterEvents, laterResult } from '../charts/later-parts.ts'
import { LoadingChart } from '../charts/loading-chart.tsx'
import { QuietServices } from '../charts/quiet-services.tsx'
import type { Explored } from '../charts/use-explored.ts'
import { actsOnValues } from '../filters/value-menu.tsx'
import { HurtCards } from './hurt-cards.tsx'

interface ChartsProps {
  explored: Explored
  shown: ShownOnCharts
  /** The errors that are already shown above the charts. */
  errors: readonly unknown[]
}

export function Charts({ explored, shown, errors }: ChartsProps) {
  const { apl, sort } = view.value
  const { charted, answered, earlier, isStale, eventsOf } = explored
  const { markOn, ...shared } = shown
  const display = answered && displayAnswer(view.value, answered.answer)
  const hasDatasets = useDatasetsShown(answered !== undefined)
  return (
    <div class="charts">
      {hasDatasets && <Services explored={explored} shown={shown} />}
      {answered && display && (
        <laterResult.View
          {...shared}
          {...{ display, earlier, isStale }}
          apl={answered.apl}
          answer={answered.answer}
          onMark={markOn(charted)}
          acts={actsOnValues(apl)}
          sort={sort[0] ?? ''}
          onSort={(to) => navigate({ sort: putAt([], 0, to) }, true)}
        />
      )}
      {(apl === '' || !hasDatasets) && isWaiting(explored) && <LoadingChart />}
      {eventsOf !== '' && display?.kind !== 'table' && placeOf(view.value) !== 'home' && (
        <Events explored={explored} errors={errors} />
      )}
    </div>
  )
}

/** What hurts, a large chart of each service that is hurt or was asked for, and a line for each of the others. */
function Services({ explored, shown: { markOn, ...shared } }: Omit<ChartsProps, 'errors'>) {
  const { datasets, filters, moment } = view.value
  const { names, picked, large, harms, judged, queried } = explored
  const quiet = picked.filter((name) => !large.includes(name))
  const hurting = useMemo(() => harms.goingOn.map(({ release }) => release), [harms])
  // Who asks about a moment has a question of their own.
  const isUnasked = placeOf(view.value) === 'home' && moment === ''
  return (
    <>
      {isUnasked && <HurtCards harms={harms} last={lastRelease(judged)} />}
      {large.map((dataset) => (
        <DatasetChart
          {...shared}
          key={dataset}
          dataset={dataset}
          hasEvents={queried.includes(dataset)}
          filters={filters}
          harm={hurting}
          open={hurting.some((one) => one.datasets.includes(dataset)) ? [] : listOpen(judged, [dataset])}
          onMark={markOn([dataset])}
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

function Events({ explored: { eventsOf, listRange, chartVersion, charted }, errors }: Omit<ChartsProps, 'shown'>) {
  return (
    listRange && (
      <laterEvents.View
        apl={eventsOf}
        range={listRange}
        tick={chartVersion}
        datasets={charted}
        isTold={(error) => isTold(error, errors)}
      />
    )
  )
}
