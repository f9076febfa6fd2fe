/** A chart over time with its title, main numbers and legend. */
import { EVENTS } from '@deployment-annotations/compare/vitals'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import type { Unit } from '../address/unit.ts'
import { select } from '../annotations/select.ts'
import { askedMs, askWhatChanged } from '../changes/moment.ts'
import { ranked } from '../changes/ranked.ts'
import { Chart } from '../chart/chart.tsx'
import type { Found } from '../chart/found.ts'
import { type Frame, hasValues, totalOf, withoutCutBin } from '../chart/frame.ts'
import { toMarks } from '../chart/marks.ts'
import { describeValueChange } from '../query/change.ts'
import { whenOf } from './earlier.ts'
import { Legend } from './legend.tsx'

function ChartFigures({ frame, when }: { frame: Frame; when: string }) {
  const counts = frame.series.find(({ label }) => label === EVENTS) ?? frame.series[0]
  const values = counts?.values.filter((value) => value !== null) ?? []
  // A series without values has not been loaded yet; an answer without events has no series.
  if (counts && values.length === 0) return null
  const total = counts ? totalOf(counts) : 0
  const earlier = frame.series.find(({ earlierOf }) => earlierOf !== undefined && frame.series[earlierOf] === counts)
  const change = when !== '' && counts && earlier && describeSumChange(counts.values, earlier.values)
  const noun = total === 1 ? 'event' : 'events'
  if (frame.panes)
    return (
      <>
        <span class="hint">
          <span class="chart-count">
            {total.toLocaleString('en')} {noun}
          </span>
          {view.value.bin !== '' && `, ${binText(frame)}`}
        </span>
        {change && <span class="change">{change}</span>}
      </>
    )
  return (
    <>
      <span class="chart-count">
        <strong class="figure">{total.toLocaleString('en')}</strong> {noun}
      </span>
      {change && <span class="change">{change}</span>}
      <span class="hint">
        {binText(frame)}
        {total > 0 && `, max ${Math.max(...values).toLocaleString('en')}`}
      </span>
    </>
  )
}

/** What the lines of panes are, as far as they are drawn. */
function PaneLegend({ frame: { series, panes = [] }, when, range }: Pick<TimeChartProps, 'frame' | 'when' | 'range'>) {
  const isToday = when === '' && view.value.endTime === 'now' && range.endMs - range.startMs <= UNIT_MS.d
  const hasEarlier = series.some(({ earlierOf, points }) => earlierOf !== undefined && points?.some((one) => one !== undefined))
  const keys = [
    ['is-now', isToday ? 'today' : 'now'],
    ['is-worse', panes.some(({ hurt }) => hurt) && 'worse'],
    ['is-earlier', hasEarlier && (isToday ? 'yesterday' : when || whenOf('1d'))],
  ]
  return (
    <span class="pane-legend">
      {keys.map(
        ([look, words]) =>
          words && (
            <span key={look}>
              <span class={`line-key ${look}`} aria-hidden="true" /> {words}
            </span>
          ),
      )}
    </span>
  )
}

const ONE: Readonly<Record<string, string>> = { '1 s': 'second', '1 min': 'minute', '1 h': 'hour', '1 d': 'day' }

/** @returns such as `per 5 min` */
function binText({ stepMs }: Frame): string {
  const width = describeDuration(stepMs)
  return `per ${ONE[width] ?? width}`
}

/** @returns how the sum of the bins that both have has changed; `undefined` if the earlier sum is zero */
function describeSumChange(now: readonly (number | null)[], before: readonly (number | null)[]): string | undefined {
  let [sum, earlier] = [0, 0]
  for (const [bin, value] of now.entries()) {
    const other = before[bin] ?? null
    if (value === null || other === null) continue
    sum += value
    earlier += other
  }
  return earlier === 0 ? undefined : `${describeValueChange(sum, earlier)} compared with the earlier time`
}

export interface TimeChartProps {
  label: string
  frame: Frame
  range: Range
  annotations: readonly Annotation[]
  /** The marks that a query found, ascending by time. */
  found: readonly Found[]
  /** The unit of the values of a frame without panes; none by default. */
  unit?: Unit
  /** The earlier time in words, such as `a day earlier`; empty without a comparison. */
  when: string
  /** Whether the values count events, so that they may be added. */
  isCount: boolean
  /** Why the chart is empty; empty if it is not. */
  lack: string
  /** Content beside the name. */
  aside?: ComponentChildren
  /** Content below the chart, in its frame. */
  foot?: ComponentChildren
  /** Absent if the token may not create annotations. */
  onMark: ((span: Range) => void) | undefined
}

export function TimeChart(props: TimeChartProps) {
  const { label, frame, isCount, lack, aside, foot } = props
  return (
    <figure class={hasValues(frame) ? 'card time-chart' : 'card time-chart has-no-values'}>
      <figcaption class="row">
        <h2>{label}</h2>
        {lack === '' && isCount ? (
          <ChartFigures frame={frame} when={props.when} />
        ) : (
          <span class="hint">{lack || binText(frame)}</span>
        )}
        {aside}
        {frame.panes && <PaneLegend {...props} />}
      </figcaption>
      <Drawn {...props} />
      {foot}
    </figure>
  )
}

const IGNORE = () => undefined
const NONE: ReadonlySet<string> = new Set()

function Drawn({ label, frame, annotations, isCount, onMark = IGNORE, ...rest }: TimeChartProps) {
  const { annotations: selected, page, zone } = view.value
  const [hidden, setHidden] = useState(NONE)
  // While they are ranked, what may have caused it is shown on all charts, and nothing else.
  const shown = ranked.value.length > 0 ? ranked.value : annotations
  const marks = useMemo(() => toMarks(shown), [shown])
  const drawn = useMemo(() => (isCount ? withoutCutBin(frame, rest.range) : frame), [frame])
  return (
    <>
      <Chart
        {...rest}
        {...{ label, marks, hidden, onMark, zone }}
        frame={drawn}
        selected={selected}
        onRange={(to, isRepeated) => navigate(formatRange(to), isRepeated)}
        onSelect={select}
        momentMs={askedMs()}
        onMoment={page === 'views' ? undefined : askWhatChanged}
      />
      {frame.series.length > 1 && !frame.panes && <Legend frame={frame} hidden={hidden} onChange={setHidden} />}
    </>
  )
}
