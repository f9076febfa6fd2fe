/** Events of one dataset over time, with its annotations. */
import { useMemo } from 'preact/hooks'
import { type Hidden, visibleOn } from '../annotations/visible.ts'
import { buildFrame, type Frame } from '../chart/frame.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { quoteName } from '../query/name.ts'
import { queryTables } from '../service/query.ts'
import { formatRange, formatStep, pickStep, type Range } from '../view/range.ts'
import { TimeChart, type TimeChartProps } from './time-chart.tsx'

/** About one bin for four pixels of a wide screen. */
const BINS = 300

interface CountChartProps extends Omit<TimeChartProps, 'frame' | 'isCount'> {
  /** A query of rows, whose events are counted. */
  apl: string
  /** Another number asks again. */
  version: number
}

export interface DatasetChartProps extends Omit<CountChartProps, 'apl' | 'label'> {
  dataset: string
  hidden: Hidden
}

/** @param annotations all there are in the range; the chart shows those of its dataset */
export function DatasetChart({ dataset, annotations, hidden, ...rest }: DatasetChartProps) {
  const visible = useMemo(
    () => visibleOn([dataset], annotations, hidden),
    [dataset, annotations, hidden.hiddenDatasets, hidden.hiddenTypes],
  )
  return <CountChart {...rest} apl={quoteName(dataset)} label={dataset} annotations={visible} />
}

export function CountChart({ apl, version, ...rest }: CountChartProps) {
  const { range } = rest
  const stepMs = pickStep(range, BINS)
  const { data, error, isLoading } = useLoad(
    (signal) =>
      queryTables({ apl: `${apl}\n| summarize count() by bin(_time, ${formatStep(stepMs)})`, ...formatRange(range) }, signal),
    [apl, range.startMs, range.endMs, version],
  )
  const frame = useMemo(() => (data?.tables[0] && buildFrame(data.tables[0], range)) ?? emptyFrame(range), [data])
  return (
    <div class={isLoading ? 'is-loading' : ''} aria-busy={isLoading}>
      <Failure error={error} />
      <TimeChart {...rest} frame={frame} isCount />
    </div>
  )
}

/** Nothing yet, or nothing there: marks are shown all the same. */
export function emptyFrame({ startMs, endMs }: Range): Frame {
  return { times: [startMs], stepMs: endMs - startMs, series: [{ label: 'count_', values: [null] }], leftOut: 0 }
}
