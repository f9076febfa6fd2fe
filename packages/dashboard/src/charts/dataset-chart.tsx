/** A chart of one dataset: its traffic, errors and latency over time where its fields tell them, with its annotations. */

import { isLive } from '@deployment-annotations/compare/environments'
import { ERRORS, EVENTS, findVitals, type Vitals, vitalsQuery } from '@deployment-annotations/compare/vitals'
import { isChanged } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { formatRange, isOtherRange, type Range } from '../address/range.ts'
import { isRelease } from '../annotations/verdict.ts'
import { filterDataset } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { listQueryable } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { may, user } from '../service/session.ts'
import { DefineFailed, type DefineFailedProps } from './define-failed.tsx'
import { countStep } from './display.ts'
import { earlierRange, whenOf, withEarlier } from './earlier.ts'
import { type ReportFailure, useReportFailure } from './failures.tsx'
import { useVisible } from './find-marks.ts'
import { OpenNotes } from './open-notes.tsx'
import { withNotes } from './pane-notes.ts'
import type { Cut } from './points.ts'
import { TimeChart, type TimeChartProps } from './time-chart.tsx'
import { buildVitals, emptyFrame } from './vitals.ts'

interface CountChartProps extends Omit<TimeChartProps, 'frame' | 'isCount' | 'lack' | 'when' | 'unit'> {
  /** A query of the rows to count; empty if there are none that this token may read. */
  apl: string
  /** What is asked of them besides; absent while that is not known, when nothing is asked. */
  vitals?: Vitals | undefined
  /** What is needed to define which events failed; absent if that is not offered. */
  defining?: DefineFailedProps | undefined
  /** The harm that goes on, also of releases before the range. */
  harm?: readonly Annotation[]
  /** How much earlier the values are that it is compared with unless the view says so. */
  compareWith?: string
  /** A new number asks again. */
  version: number
  onFailure: ReportFailure
}

export interface DatasetChartProps extends Omit<CountChartProps, 'apl' | 'vitals' | 'label' | 'defining' | 'compareWith'> {
  dataset: string
  /** Whether there are events that this token may read. */
  hasEvents: boolean
  /** Predicates that the events have to pass. */
  filters: readonly string[]
  /** What goes on there and is not told above. */
  open?: readonly Annotation[]
}

/** @param annotations all annotations of the range; the chart shows those of its dataset */
export function DatasetChart({ dataset, hasEvents, filters, annotations, open = [], ...rest }: DatasetChartProps) {
  const visible = useVisible([dataset], annotations)
  const apl = hasEvents ? filterDataset(dataset, filters, true) : ''
  const isAsked = hasEvents && may('datasets|read', [dataset])
  const [defined, setDefined] = useState(0)
  const isKnown = isAsked && user.value !== undefined
  const fields = useLoad(isKnown ? (signal) => listQueryable(dataset, signal) : undefined, [dataset, isKnown, defined], dataset)
  const vitals = useMemo(
    () => (isAsked && !fields.data && !fields.error ? undefined : findVitals(apl, fields.data ?? [])),
    [apl, isAsked, fields.data, fields.error],
  )
  // Under filters there may be failed events alone.
  const defining = fields.data &&
    filters.length === 0 && { dataset, fields: fields.data, onDefined: () => setDefined(defined + 1) }
  return (
    <CountChart
      {...rest}
      {...{ apl, vitals, label: dataset, annotations: visible }}
      defining={defining || undefined}
      compareWith={vitals && Object.keys(vitals).length > 0 ? '1d' : ''}
      aside={open.length > 0 && <OpenNotes open={open} />}
    />
  )
}

/** @returns what asks for the metrics of a dataset in a range */
export function askVitals(apl: string, vitals: Vitals, step: string, range: Range) {
  return async (signal: AbortSignal) => {
    const { tables } = await queryTables({ apl: vitalsQuery(apl, vitals, step), ...formatRange(range) }, signal)
    return { table: tables[0], range }
  }
}

/** @returns the releases among the annotations of a chart, at which its levels may change */
export function cutsOf(annotations: readonly Annotation[]): Cut[] {
  return annotations
    .filter((one) => isRelease(one) && isLive(one))
    .map(({ time, verdict }) => ({ ms: Date.parse(time), isChange: verdict !== undefined && isChanged({ verdict }) }))
}

export function CountChart({ apl, vitals, defining, version, onFailure, harm = [], compareWith = '', ...rest }: CountChartProps) {
  const { bin } = view.value
  const compare = view.value.compare || compareWith
  const { range, label, annotations } = rest
  const step = countStep(bin, range)
  const ask = (of: Range | undefined) => (vitals && apl !== '' && of ? askVitals(apl, vitals, step, of) : undefined)
  const inputs = [apl, vitals, step, range.startMs, range.endMs, version]
  const { data, error, isLoading } = useLoad(ask(range), inputs, apl)
  // What is asked first is what is seen first.
  const before = data && earlierRange(range, compare)
  const earlier = useLoad(ask(before), [...inputs, compare, before !== undefined], `${apl} ${compare}`)
  useReportFailure(onFailure, label, error)
  const frame = useMemo(() => {
    const drawnAs = { cuts: cutsOf(annotations), isChosen: bin !== '' }
    const now = (data?.table && buildVitals(data.table, data.range, drawnAs)) ?? emptyFrame(range, vitals)
    const then = earlier.data?.table && buildVitals(earlier.data.table, earlier.data.range, { isChosen: bin !== '' })
    return withEarlier(now, then, compare)
  }, [data, earlier.data, compare, vitals, annotations])
  const noted = useMemo(() => withNotes(frame, label, [...harm, ...annotations]), [frame, label, annotations, harm])
  const errors = frame.series.find((one) => one.label === ERRORS)?.values ?? []
  const events = frame.series.find((one) => one.label === EVENTS)?.values
  const isUnseen = data?.table && events?.some(Boolean) && errors.every((value) => value === null)
  const foot = isUnseen && defining && <DefineFailed {...defining} />
  const isStale = isLoading && data !== undefined && isOtherRange(range, data.range)
  return (
    <div class={`${isLoading ? 'is-loading' : ''} ${isStale ? 'is-stale' : ''}`} aria-busy={isLoading}>
      <TimeChart
        {...rest}
        frame={noted}
        when={whenOf(view.value.compare)}
        isCount
        lack={apl === '' ? lackOfEvents(label) : ''}
        foot={foot}
      />
    </div>
  )
}

function lackOfEvents(dataset: string): string {
  if (!may('query|read', [dataset])) return 'The token that you are signed in with may see annotations, but not events.'
  return 'There are no events in this dataset yet.'
}
