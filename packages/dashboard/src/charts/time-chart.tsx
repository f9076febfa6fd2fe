/** One chart in its frame: what it is of, how much that is, and the ways to a new annotation and to a picture. */

import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import type { ComponentChildren } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { formatValue } from '../address/unit.ts'
import { Chart } from '../chart/chart.tsx'
import { eachFigure } from '../chart/figures.ts'
import type { Found } from '../chart/found.ts'
import { type Frame, hasValues, withoutCutBin } from '../chart/frame.ts'
import { toMarks } from '../chart/marks.ts'
import type { ChartStyle } from '../chart/style.ts'
import { isDrawn } from '../query/shown-as.ts'
import { TopList } from '../query/top-list.tsx'
import { binText, ChartFigures } from './chart-figures.tsx'
import type { Display } from './display.ts'
import { FrameNumbers } from './frame-numbers.tsx'
import { FiguresLegend, Legend } from './legend.tsx'
import { PictureButton } from './picture-button.tsx'

export interface TimeChartProps {
  label: string
  frame: Frame
  range: Range
  annotations: readonly Annotation[]
  /** What the query of marks found, ascending by time. */
  found: readonly Found[]
  selected: readonly string[]
  utc: boolean
  display: Display
  /** When the earlier values were, if there are some: `a day earlier`. */
  when: string
  /** The values count events, so that their sum says something. */
  isCount: boolean
  /** What is charted, if it is the answer to a query. */
  query?: string
  /** Why there is nothing on the chart; empty where there is. */
  lack: string
  /** Below the chart, in its frame. */
  foot?: ComponentChildren
  /** @param isRepeated by a key that is held: not a step of its own on the way back */
  onRange: (range: Range, isRepeated?: boolean) => void
  onSelect: (ids: string[]) => void
  /** Absent where the token may not mark. */
  onMark: ((span?: Range) => void) | undefined
}

export function TimeChart(props: TimeChartProps) {
  const { label, frame, display, isCount, lack, foot, onMark } = props
  const place = useRef<HTMLElement>(null)
  const style = useStyle(display)
  const isChart = display.kind !== 'number' && display.kind !== 'top'
  return (
    <figure ref={place} class={hasValues(frame) ? 'card time-chart' : 'card time-chart has-no-values'}>
      <figcaption class="row">
        <h2>{label}</h2>
        {lack === '' && isCount ? (
          <ChartFigures frame={frame} style={style} />
        ) : (
          <span class="hint">{lack || binText(frame, style)}</span>
        )}
        <span class="row push">
          {isChart && lack === '' && (
            <PictureButton place={place} label={label} query={props.query ?? ''} range={props.range} utc={props.utc} />
          )}
          {onMark && (
            <button type="button" class="quiet" onClick={() => onMark()} aria-label={`Annotate ${label}`}>
              Annotate
            </button>
          )}
        </span>
      </figcaption>
      {display.kind === 'number' && <FrameNumbers frame={frame} display={display} when={props.when} />}
      {display.kind === 'top' && <FrameTop frame={frame} display={display} when={props.when} />}
      {isChart && <Drawn {...props} style={style} />}
      {foot}
    </figure>
  )
}

const IGNORE = () => undefined
const NONE: ReadonlySet<string> = new Set()

function Drawn({
  label,
  frame,
  annotations,
  isCount,
  display,
  style,
  onMark = IGNORE,
  ...rest
}: TimeChartProps & { style: ChartStyle }) {
  const [hidden, setHidden] = useState(NONE)
  const marks = useMemo(() => toMarks(annotations), [annotations])
  const drawn = useMemo(() => (isCount ? withoutCutBin(frame, rest.range) : frame), [frame])
  const legend = { frame, hidden, onChange: setHidden }
  return (
    <>
      <Chart {...rest} label={label} frame={drawn} marks={marks} hidden={hidden} style={style} onMark={onMark} />
      {display.hasFigures && !frame.heat ? (
        <FiguresLegend {...legend} hasTotals={display.addsUp} unit={display.unit} />
      ) : (
        frame.series.length > 1 && <Legend {...legend} />
      )}
    </>
  )
}

/** The same object for the same style. */
function useStyle({ kind, unit, isLog }: Display): ChartStyle {
  const shape = isDrawn(kind) ? kind : undefined
  return useMemo(() => ({ shape, unit, isLog }), [shape, unit, isLog])
}

function FrameTop({ frame, display: { unit }, when }: { frame: Frame; display: Display; when: string }) {
  const items = eachFigure(frame, 'total').map(({ label, at, value, before }) => ({
    ...{ names: [label], value, before, colour: at },
    texts: [formatValue(value, unit)],
  }))
  const isCompared = items.some(({ before }) => before !== undefined)
  return (
    <TopList
      heads={[{ name: 'series', column: 0 }]}
      figures={[{ name: 'total', isChosen: true }]}
      items={items}
      when={isCompared ? when : ''}
    />
  )
}
