/** What is charted, before and after an annotation: higher, lower, much the same, or too little data to tell. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { type Charted, type ComparedLine, compareAround } from './compare-around.ts'
import { Spark } from './spark.tsx'

interface BeforeAfterProps {
  annotation: Annotation
  charted: readonly Charted[]
  /** Another number compares again. */
  version: number
}

const WINDOWS: readonly [string, string][] = [
  ['', 'as on the chart'],
  [String(10 * UNIT_MS.m), '10 minutes'],
  [String(30 * UNIT_MS.m), '30 minutes'],
  [String(UNIT_MS.h), '1 hour'],
  [String(6 * UNIT_MS.h), '6 hours'],
]

export function BeforeAfter({ annotation, charted, version }: BeforeAfterProps) {
  const { id, time, endTime, datasets } = annotation
  const [windowText, setWindow] = useState('')
  const shown = charted.filter((one) => one.datasets.some((name) => datasets.includes(name)))
  const windowMs = windowText === '' ? undefined : Number(windowText)
  const { data, error, isLoading } = useLoad(
    shown.length === 0 ? undefined : (signal) => compareAround(annotation, shown, windowMs, signal),
    [id, time, endTime, JSON.stringify(shown), windowText, version],
    `${id} ${windowText}`,
  )
  if (shown.length === 0) return null
  return (
    <section class="before-after" aria-label="Before and after" aria-busy={isLoading}>
      <div class="row">
        <h4>Before and after</h4>
        <label for="before-after-window" class="visually-hidden">
          Time after it
        </label>
        <select
          id="before-after-window"
          class="push"
          value={windowText}
          onChange={({ currentTarget }) => setWindow(currentTarget.value)}
        >
          {WINDOWS.map(([ms, name]) => (
            <option key={ms} value={ms}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Comparing…</p>}
      {data && (
        <>
          <ul>
            {data.lines.map((line, at) => (
              // Two charts of a view may have one name.
              <Line key={`${at} ${line.name}`} line={line} />
            ))}
          </ul>
          <p class="hint">{data.times}</p>
        </>
      )}
    </section>
  )
}

function Line({ line: { word, name, move, text, isError, chart } }: { line: ComparedLine }) {
  const verdict = isError && word === 'Worse' ? 'is-worse' : isError && word === 'Better' ? 'is-better' : ''
  return (
    <li>
      <b class={verdict}>{word}</b> · {name}
      <span class="visually-hidden">: </span>
      {move !== '' && (
        <>
          <b class="move">{move}</b>
          <span class="visually-hidden">, </span>
        </>
      )}
      <span class="hint">{text}</span>
      <Spark {...chart} />
    </li>
  )
}
