/** One chart in its frame: what it is of, what the pointer is over, and the way to a new annotation. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useState } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { type Frame, totalOf, withoutCutBin } from '../chart/frame.ts'
import { toMarks } from '../chart/marks.ts'
import { may } from '../service/session.ts'
import { SERIES_COLOURS } from '../view/colours.ts'
import { formatCount, formatTime } from '../view/format-time.ts'
import type { Range } from '../view/range.ts'

export interface TimeChartProps {
  label: string
  frame: Frame
  range: Range
  annotations: readonly Annotation[]
  selected: readonly string[]
  utc: boolean
  /** The values count events, so that their sum says something. */
  isCount: boolean
  /** @param isRepeated by a key that is held: not a step of its own on the way back */
  onRange: (range: Range, isRepeated?: boolean) => void
  onSelect: (ids: string[]) => void
  onMark: (span?: Range) => void
}

export function TimeChart({ label, frame, annotations, isCount, onMark, ...rest }: TimeChartProps) {
  const [bin, setBin] = useState<number | undefined>()
  const marks = useMemo(() => toMarks(annotations), [annotations])
  const total = isCount ? countText(frame) : ''
  const drawn = useMemo(() => (isCount ? withoutCutBin(frame, rest.range) : frame), [frame])
  return (
    <figure class="card time-chart">
      <figcaption class="row">
        <h2>{label}</h2>
        <span class="hint">{bin === undefined ? total : <Readout frame={drawn} bin={bin} utc={rest.utc} />}</span>
        {may('annotations|create') && (
          <button type="button" class="push" onClick={() => onMark()} aria-label={`Annotate ${label}`}>
            Annotate
          </button>
        )}
      </figcaption>
      <Chart {...rest} label={label} frame={drawn} marks={marks} onMark={onMark} onHover={setBin} />
      {frame.series.length > 1 && <Legend frame={frame} />}
    </figure>
  )
}

function Readout({ frame, bin, utc }: { frame: Frame; bin: number; utc: boolean }) {
  const time = frame.times[bin]
  if (time === undefined) return null
  const values = frame.series.slice(0, 4).map(({ label, values: of }) => {
    const value = of[bin]
    const text = value === null || value === undefined ? '–' : formatCount(value)
    return frame.series.length > 1 ? `${label} ${text}` : text
  })
  return (
    <>
      {formatTime(time, utc)}: {values.join(', ')}
    </>
  )
}

function Legend({ frame }: { frame: Frame }) {
  return (
    <ul class="legend">
      {frame.series.map(({ label }, at) => (
        <li key={label}>
          <span class="swatch" style={{ background: `var(--series-${at % SERIES_COLOURS})` }} /> {label}
        </li>
      ))}
      {frame.leftOut > 0 && <li class="hint">and {frame.leftOut} smaller ones that are not drawn</li>}
    </ul>
  )
}

/** @returns nothing where it is not known: no answer is not the answer that there are none */
function countText({ series: [counts] }: Frame): string {
  if (counts?.values.every((value) => value === null)) return ''
  const count = counts ? totalOf(counts) : 0
  return count === 1 ? '1 event' : `${formatCount(count)} events`
}
