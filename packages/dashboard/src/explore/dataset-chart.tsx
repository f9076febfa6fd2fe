/** Events of one dataset over time, with its annotations. */
import { useEffect, useMemo } from 'preact/hooks'
import { type Hidden, visibleOn } from '../annotations/visible.ts'
import { buildFrame, type Frame } from '../chart/frame.ts'
import { useLoad } from '../parts/use-load.ts'
import { quoteName } from '../query/name.ts'
import { queryTables } from '../service/query.ts'
import { may } from '../service/session.ts'
import { formatRange, formatStep, pickStep, type Range } from '../view/range.ts'
import type { ReportFailure } from './failures.tsx'
import { TimeChart, type TimeChartProps } from './time-chart.tsx'

/** About one bin for four pixels of a wide screen. */
const BINS = 300

interface CountChartProps extends Omit<TimeChartProps, 'frame' | 'isCount' | 'lack'> {
  /** A query of rows, whose events are counted; empty where there are none, or none that this token may read. */
  apl: string
  /** Another number asks again. */
  version: number
  onFailure: ReportFailure
}

export interface DatasetChartProps extends Omit<CountChartProps, 'apl' | 'label'> {
  dataset: string
  /** There are events, which this token may read. */
  hasEvents: boolean
  hidden: Hidden
}

/** @param annotations all there are in the range; the chart shows those of its dataset */
export function DatasetChart({ dataset, hasEvents, annotations, hidden, ...rest }: DatasetChartProps) {
  const visible = useMemo(
    () => visibleOn([dataset], annotations, hidden),
    [dataset, annotations, hidden.hiddenDatasets, hidden.hiddenTypes],
  )
  return <CountChart {...rest} apl={hasEvents ? quoteName(dataset) : ''} label={dataset} annotations={visible} />
}

export function CountChart({ apl, version, onFailure, ...rest }: CountChartProps) {
  const { range, label } = rest
  const stepMs = pickStep(range, BINS)
  const { data, error, isLoading } = useLoad(
    apl === ''
      ? undefined
      : (signal) =>
          queryTables({ apl: `${apl}\n| summarize count() by bin(_time, ${formatStep(stepMs)})`, ...formatRange(range) }, signal),
    [apl, range.startMs, range.endMs, version],
    apl,
  )
  useEffect(() => {
    onFailure(label, error)
    return () => onFailure(label, undefined)
  }, [label, error])
  const frame = useMemo(() => (data?.tables[0] && buildFrame(data.tables[0], range)) ?? emptyFrame(range), [data])
  return (
    <div class={isLoading ? 'is-loading' : ''} aria-busy={isLoading}>
      <TimeChart {...rest} frame={frame} isCount lack={apl === '' ? lackOfEvents() : ''} />
    </div>
  )
}

function lackOfEvents(): string {
  if (!may('query|read')) return 'The token that you are signed in with may see annotations, but not events.'
  return 'There are no events in this dataset yet.'
}

/** Nothing yet, or nothing there: marks are shown all the same. */
export function emptyFrame({ startMs, endMs }: Range): Frame {
  return { times: [startMs], stepMs: endMs - startMs, series: [{ label: 'count_', values: [null] }], leftOut: 0 }
}
