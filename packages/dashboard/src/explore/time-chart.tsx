/** One chart in its frame: what it is of, how much that is, and the way to a new annotation. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useState } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { type Frame, withoutCutBin } from '../chart/frame.ts'
import { toMarks } from '../chart/marks.ts'
import { may } from '../service/session.ts'
import type { Range } from '../view/range.ts'
import { binText, ChartFigures } from './chart-figures.tsx'
import { Legend } from './legend.tsx'

export interface TimeChartProps {
  label: string
  frame: Frame
  range: Range
  annotations: readonly Annotation[]
  selected: readonly string[]
  utc: boolean
  /** The values count events, so that their sum says something. */
  isCount: boolean
  /** Why there is nothing on the chart; empty where there is. */
  lack: string
  /** @param isRepeated by a key that is held: not a step of its own on the way back */
  onRange: (range: Range, isRepeated?: boolean) => void
  onSelect: (ids: string[]) => void
  onMark: (span?: Range) => void
}

const NONE: ReadonlySet<string> = new Set()

export function TimeChart({ label, frame, annotations, isCount, lack, onMark, ...rest }: TimeChartProps) {
  const [hidden, setHidden] = useState(NONE)
  const marks = useMemo(() => toMarks(annotations), [annotations])
  const drawn = useMemo(() => (isCount ? withoutCutBin(frame, rest.range) : frame), [frame])
  return (
    <figure class={lack === '' ? 'card time-chart' : 'card time-chart has-lack'}>
      <figcaption class="row">
        <h2>{label}</h2>
        {lack === '' && isCount ? <ChartFigures frame={frame} /> : <span class="hint">{lack || binText(frame)}</span>}
        {may('annotations|create') && (
          <button type="button" class="push quiet" onClick={() => onMark()} aria-label={`Annotate ${label}`}>
            Annotate
          </button>
        )}
      </figcaption>
      <Chart {...rest} label={label} frame={drawn} marks={marks} hidden={hidden} onMark={onMark} />
      {frame.series.length > 1 && <Legend frame={frame} hidden={hidden} onChange={setHidden} />}
    </figure>
  )
}
