/** A chart of one dataset's events over time, with its annotations. */
import { useEffect, useMemo } from 'preact/hooks'
import { formatRange, type Range } from '../address/range.ts'
import { type Hidden, visibleOn } from '../annotations/visible.ts'
import { buildFrame, type Frame } from '../chart/frame.ts'
import { filterDataset } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { queryTables } from '../service/query.ts'
import { may } from '../service/session.ts'
import { countStep } from './display.ts'
import { earlierRange, shiftOf, whenOf, withEarlier } from './earlier.ts'
import type { ReportFailure } from './failures.tsx'
import { TimeChart, type TimeChartProps } from './time-chart.tsx'

/** The name of the series in legends and tooltips. */
const EVENTS = 'events'

interface CountChartProps extends Omit<TimeChartProps, 'frame' | 'isCount' | 'lack' | 'when'> {
  /** A query of the rows to count; empty if there are none that this token may read. */
  apl: string
  /** A new number asks again. */
  version: number
  onFailure: ReportFailure
  /** How much earlier the data is to compare with, as in the address. */
  compare: string
  /** The width of the intervals as in the address; empty for what suits the range. */
  bin: string
}

export interface DatasetChartProps extends Omit<CountChartProps, 'apl' | 'label'> {
  dataset: string
  /** Whether there are events that this token may read. */
  hasEvents: boolean
  /** Predicates that the events have to pass. */
  filters: readonly string[]
  hidden: Hidden
}

/** @param annotations all annotations of the range; the chart shows those of its dataset */
export function DatasetChart({ dataset, hasEvents, filters, annotations, hidden, ...rest }: DatasetChartProps) {
  const visible = useMemo(
    () => visibleOn([dataset], annotations, hidden),
    [dataset, annotations, hidden.hiddenDatasets, hidden.hiddenTypes],
  )
  return (
    <CountChart {...rest} apl={hasEvents ? filterDataset(dataset, filters, true) : ''} label={dataset} annotations={visible} />
  )
}

export function CountChart({ apl, version, onFailure, compare, bin, ...rest }: CountChartProps) {
  const { range, label } = rest
  const step = countStep(bin, range)
  const shiftMs = shiftOf(compare)
  const before = shiftMs === undefined ? undefined : earlierRange(range, shiftMs)
  const count = (of: Range) => (signal: AbortSignal) =>
    queryTables({ apl: `${apl}\n| summarize ${EVENTS} = count() by bin(_time, ${step})`, ...formatRange(of) }, signal)
  const inputs = [apl, range.startMs, range.endMs, version, step]
  const { data, error, isLoading } = useLoad(apl === '' ? undefined : count(range), inputs, apl)
  const earlier = useLoad(apl === '' || !before ? undefined : count(before), [...inputs, shiftMs], `${apl} ${compare}`)
  useEffect(() => {
    onFailure(label, error)
    return () => onFailure(label, undefined)
  }, [label, error])
  const frame = useMemo(() => {
    const now = (data?.tables[0] && buildFrame(data.tables[0], range)) ?? emptyFrame(range)
    return withEarlier(now, before && earlier.data?.tables[0] && buildFrame(earlier.data.tables[0], before), compare)
  }, [data, earlier.data, compare])
  return (
    <div class={isLoading ? 'is-loading' : ''} aria-busy={isLoading}>
      <TimeChart {...rest} frame={frame} when={whenOf(compare)} isCount lack={apl === '' ? lackOfEvents(label) : ''} />
    </div>
  )
}

function lackOfEvents(dataset: string): string {
  if (!may('query|read', [dataset])) return 'The token that you are signed in with may see annotations, but not events.'
  return 'There are no events in this dataset yet.'
}

/** A frame without series still shows annotations. */
export function emptyFrame({ startMs, endMs }: Range): Frame {
  return { times: [startMs], stepMs: endMs - startMs, series: [{ label: EVENTS, values: [null] }], leftOut: 0 }
}
