/** A chart of one dataset: its traffic, errors and latency over time where its fields tell them, with its annotations. */

import { isLive } from '@deployment-annotations/compare/environments'
import { ERRORS, EVENTS, findVitals, type Vitals, vitalsQuery } from '@deployment-annotations/compare/vitals'
import { isChanged } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, isOtherRange, type Range } from '../address/range.ts'
import { toggle } from '../address/view.ts'
import { isRelease } from '../annotations/verdict.ts'
import { filterDataset } from '../filters/filtered.ts'
import { SignButton } from '../parts/sign-button.tsx'
import { useLoad } from '../parts/use-load.ts'
import { listQueryable } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { may, user } from '../service/session.ts'
import { DefineFailed, type DefineFailedProps } from './define-failed.tsx'
import { countStep } from './display.ts'
import { earlierRange, whenOf, withEarlier } from './earlier.ts'
import { type ReportFailure, useReportFailure } from './failures.tsx'
import { useVisible } from './find-marks.ts'
import { LoadingChart } from './loading-chart.tsx'
import { OpenNotes } from './open-notes.tsx'
import { withNotes } from './pane-notes.ts'
import type { Cut } from './points.ts'
import { TimeChart, type TimeChartProps } from './time-chart.tsx'
import { buildVitals, emptyFrame } from './vitals.ts'

interface CountChartProps extends Omit<TimeChartProps, 'frame' | 'isVitals' | 'lack' | 'when'> {
  /** A query of the rows to count; empty if there are none that this token may read. */
  apl: string
  /** What is asked of them besides. */
  vitals: Vitals
  /** What is needed to define which events failed; absent if that is not offered. */
  defining?: DefineFailedProps | undefined
  /** Where its levels may change; by default at the releases among its annotations. */
  cuts?: readonly Cut[]
  /** The harm that goes on, also of releases before the range. */
  harm?: readonly Annotation[]
  /** A new number asks again. */
  version: number
  onFailure: ReportFailure
}

export interface DatasetChartProps extends Omit<CountChartProps, 'apl' | 'vitals' | 'label' | 'defining'> {
  dataset: string
  /** Whether there are events that this token may read. */
  hasEvents: boolean
  /** Predicates that the events have to pass. */
  filters: readonly string[]
  /** What goes on there and is not told above. */
  open?: readonly Annotation[]
}

/**
 * Asks which fields datasets have, once: a refresh asks for their events alone. @param version a new number asks again
 * @returns the fields by dataset, without those that may not be listed; `undefined` until they are known
 */
export function useFieldsOf(datasets: readonly string[], version = 0) {
  const asked = datasets.filter((name) => may('datasets|read', [name]))
  const of = asked.join()
  const read = async (signal: AbortSignal) => ({
    fields: new Map(await Promise.all(asked.map(async (name) => [name, await listQueryable(name, signal)] as const))),
    of,
  })
  // Which fields may be listed is known with the user.
  const { data, error } = useLoad(user.value && read, [of, user.value, version], of)
  if (asked.length === 0 || error) return NO_FIELDS
  return data?.of === of ? data.fields : undefined
}

const NO_FIELDS: ReadonlyMap<string, Awaited<ReturnType<typeof listQueryable>>> = new Map()

/** @param annotations all annotations of the range; the chart shows those of its dataset */
export function DatasetChart({ dataset, hasEvents, filters, annotations, open = [], ...rest }: DatasetChartProps) {
  const visible = useVisible([dataset], annotations)
  const apl = hasEvents ? filterDataset(dataset, filters, true) : ''
  const [defined, setDefined] = useState(0)
  const known = useFieldsOf(hasEvents ? [dataset] : [], defined)
  // Also a release whose mark is hidden changed something.
  const cuts = useMemo(() => cutsOf(annotations, dataset), [annotations, dataset])
  const vitals = useMemo(() => known && findVitals(apl, known.get(dataset) ?? []), [apl, known, dataset])
  if (!vitals) return <LoadingChart />
  const fields = known?.get(dataset)
  return (
    <CountChart
      {...rest}
      {...{ apl, vitals, label: dataset, annotations: visible, cuts }}
      aside={
        <>
          <OpenNotes open={open} />
          {annotations.some(({ datasets }) => datasets.includes(dataset)) && <MarksToggle dataset={dataset} />}
        </>
      }
      // Under filters there may be failed events alone.
      defining={fields && filters.length === 0 ? { dataset, fields, onDefined: () => setDefined(defined + 1) } : undefined}
    />
  )
}

/** Hides the annotations of a dataset, or shows them again. */
function MarksToggle({ dataset }: { dataset: string }) {
  const { hiddenDatasets } = view.value
  const flip = () => navigate({ hiddenDatasets: toggle(hiddenDatasets, dataset) }, true)
  return (
    <SignButton
      class="quiet marks-toggle"
      label={`Marks of ${dataset}`}
      isPressed={!hiddenDatasets.includes(dataset)}
      onClick={flip}
    >
      Marks
    </SignButton>
  )
}

/** @returns what asks for the metrics of a dataset in a range */
export function askVitals(apl: string, vitals: Vitals, step: string, range: Range) {
  return async (signal: AbortSignal) => {
    const { tables } = await queryTables({ apl: vitalsQuery(apl, vitals, step), ...formatRange(range) }, signal)
    return { table: tables[0], range }
  }
}

/** @param dataset without it, that of all of them @returns the releases among the annotations, at which the levels of its chart may change */
export function cutsOf(annotations: readonly Annotation[], dataset?: string): Cut[] {
  return annotations
    .filter((one) => isRelease(one) && isLive(one) && (dataset === undefined || one.datasets.includes(dataset)))
    .map(({ time, verdict }) => ({ ms: Date.parse(time), isChange: verdict !== undefined && isChanged({ verdict }) }))
}

export function CountChart({ apl, vitals, defining, version, onFailure, harm = [], cuts, ...rest }: CountChartProps) {
  const { bin } = view.value
  // Metrics are beside those of the day before unless the view says otherwise.
  const compare = view.value.compare || (Object.keys(vitals).length > 0 ? '1d' : '')
  const { range, label, annotations } = rest
  const step = countStep(bin, range)
  const ask = (of: Range | undefined) => (apl !== '' && of ? askVitals(apl, vitals, step, of) : undefined)
  const inputs = [apl, vitals, step, range.startMs, range.endMs, version]
  const { data, error, isLoading } = useLoad(ask(range), inputs, apl)
  // What is asked first is what is seen first.
  const before = data && earlierRange(range, compare)
  const earlier = useLoad(ask(before), [...inputs, compare, before !== undefined], `${apl} ${compare}`)
  useReportFailure(onFailure, label, error)
  const frame = useMemo(() => {
    const drawnAs = { cuts: cuts ?? cutsOf(annotations), isChosen: bin !== '' }
    const now = (data?.table && buildVitals(data.table, data.range, drawnAs)) ?? emptyFrame(range, vitals)
    const then = earlier.data?.table && buildVitals(earlier.data.table, earlier.data.range, { isChosen: bin !== '' })
    return withEarlier(now, then, compare)
  }, [data, earlier.data, compare, vitals, annotations, cuts])
  const noted = useMemo(() => withNotes(frame, label, [...harm, ...annotations]), [frame, label, annotations, harm])
  const valuesOf = (of: string) => frame.series.find((one) => one.label === of)?.values ?? []
  const isUnseen = data?.table && valuesOf(EVENTS).some(Boolean) && valuesOf(ERRORS).every((value) => value === null)
  const isStale = isLoading && data !== undefined && isOtherRange(range, data.range)
  return (
    <div class={`${isLoading ? 'is-loading' : ''} ${isStale ? 'is-stale' : ''}`} aria-busy={isLoading}>
      <TimeChart
        {...rest}
        frame={noted}
        when={whenOf(view.value.compare)}
        isVitals
        lack={apl === '' ? lackOfEvents(label) : ''}
        foot={isUnseen && defining && <DefineFailed {...defining} />}
      />
    </div>
  )
}

function lackOfEvents(dataset: string): string {
  if (!may('query|read', [dataset])) return 'The token that you are signed in with may see annotations, but not events.'
  return 'There are no events in this dataset yet.'
}
