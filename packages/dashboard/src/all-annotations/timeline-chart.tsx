/** The timeline of annotations, with a row for each dataset or type. The list below it has the same annotations in words. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useMemo, useState } from 'preact/hooks'
import { navigate } from '../address/navigation.ts'
import { styleOf } from '../address/type-colors.ts'
import { describeMark, viewAround } from '../annotations/annotation-view.ts'
import { toneOf } from '../annotations/verdict.ts'
import { Select } from '../parts/select.tsx'
import { extentOf, MARKS_MAX, placeRows, type RowsBy, type TimelineRow, ticksOf } from './timeline.ts'

const ROWS_BY = [
  ['dataset', 'dataset'],
  ['type', 'type'],
] as const

export function TimelineChart({ annotations, zone }: { annotations: readonly Annotation[]; zone: string }) {
  const [by, setBy] = useState<RowsBy>('dataset')
  const extent = useMemo(() => extentOf(annotations), [annotations])
  const rows = useMemo(() => (extent ? placeRows(annotations, extent, by) : []), [annotations, extent, by])
  if (!extent) return null
  return (
    <section class="card timeline" aria-label="Timeline">
      <div class="row">
        <h2>Timeline</h2>
        <label for="timeline-by" class="push">
          A row for each
        </label>
        <Select id="timeline-by" value={by} options={ROWS_BY} onPick={setBy} />
      </div>
      <div class="timeline-rows" aria-hidden="true">
        {rows.map((row) => (
          <Row key={row.name} row={row} zone={zone} />
        ))}
        <div class="timeline-ticks">
          {ticksOf(extent, zone).map(({ ms, left, text, above }) => (
            <span key={ms} style={{ left: `${left * 100}%` }}>
              {text}
              {above && <span>{above}</span>}
            </span>
          ))}
        </div>
      </div>
      {annotations.length > MARKS_MAX && <p class="hint">The newest {MARKS_MAX.toLocaleString('en')} are drawn.</p>}
    </section>
  )
}

function Row({ row: { name, placed, tracks }, zone }: { row: TimelineRow; zone: string }) {
  return (
    <>
      <span class="timeline-name clip">{name}</span>
      <div class="timeline-row" style={{ height: `${0.4 + 1.1 * tracks}rem` }}>
        {placed.map(({ annotation, left, width, track }) => (
          <button
            key={annotation.id}
            type="button"
            // Keyboard users have the links of the list below.
            tabIndex={-1}
            class={`${width > 0 ? 'timeline-span' : 'timeline-point'}${toneOf(annotation) === 'bad' ? ' has-hurt' : ''}`}
            style={{
              ...styleOf(annotation.type),
              left: `${left * 100}%`,
              top: `${1.1 * track}rem`,
              width: width > 0 ? `${width * 100}%` : undefined,
            }}
            title={describeMark(annotation, zone)}
            onClick={() => navigate(viewAround(annotation, { zone }))}
          />
        ))}
      </div>
    </>
  )
}
