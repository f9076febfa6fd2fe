/** A chart of one dataset: its traffic, errors and latency over time where its fields tell them, with its annotations. */
import { ERRORS, findVitals, type Vitals, vitalsQuery } from '@deployment-annotations/compare/vitals'
import { useMemo, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { formatRange, isOtherRange, type Range } from '../address/range.ts'
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
import { withNotes } from './pane-notes.ts'
import { TimeChart, type TimeChartProps } from './time-chart.tsx'
import { buildVitals, emptyFrame } from './vitals.ts'

interface CountChartProps extends Omit<TimeChartProps, 'frame' | 'isCount' | 'lack' | 'when'> {
  /** A query of the rows to count; empty if there are none that this token may read. */
  apl: string
  /** What is asked of them besides; absent while that is not known, when nothing is asked. */
  vitals?: Vitals | undefined
  /** What is needed to define which events failed; absent if that is not offered. */
  defining?: DefineFailedProps | undefined
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
}

/** @param annotations all annotations of the range; the chart shows those of its dataset */
export function DatasetChart({ dataset, hasEvents, filters, annotations, ...rest }: DatasetChartProps) {
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
  return <CountChart {...rest} apl={apl} vitals={vitals} defining={defining || undefined} label={dataset} annotations={visible} />
}

export function CountChart({ apl, vitals, defining, version, onFailure, ...rest }: CountChartProps) {
  const { compare, bin } = view.value
  const { range, label, annotations } = rest
  const step = countStep(bin, range)
  const before = earlierRange(range, compare)
  const query = vitals && apl !== '' ? vitalsQuery(apl, vitals, step) : ''
  const ask = (of: Range | undefined) =>
    query === '' || !of
      ? undefined
      : async (signal: AbortSignal) => {
          const { tables } = await queryTables({ apl: query, ...formatRange(of) }, signal)
          return { table: tables[0], range: of }
        }
  const inputs = [query, range.startMs, range.endMs, version]
  const { data, error, isLoading } = useLoad(ask(range), inputs, apl)
  const earlier = useLoad(ask(before), [...inputs, compare], `${apl} ${compare}`)
  useReportFailure(onFailure, label, error)
  const frame = useMemo(() => {
    const now = (data?.table && buildVitals(data.table, data.range)) ?? emptyFrame(range, vitals)
    return withEarlier(now, before && earlier.data?.table && buildVitals(earlier.data.table, before), compare)
  }, [data, earlier.data, compare, vitals])
  const noted = useMemo(() => withNotes(frame, label, annotations), [frame, label, annotations])
  const errors = frame.series.find((one) => one.label === ERRORS)?.values ?? []
  const isUnseen = data?.table && frame.series[0]?.values.some(Boolean) && errors.every((value) => value === null)
  const foot = isUnseen && defining && <DefineFailed {...defining} />
  const isStale = isLoading && data !== undefined && isOtherRange(range, data.range)
  return (
    <div class={`${isLoading ? 'is-loading' : ''} ${isStale ? 'is-stale' : ''}`} aria-busy={isLoading}>
      <TimeChart
        {...rest}
        frame={noted}
        when={whenOf(compare)}
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
