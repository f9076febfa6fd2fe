/**
 * What the charts showed before and after an annotation, with a small chart of each.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { Select } from '../parts/select.tsx'
import { useLoad } from '../parts/use-load.ts'
import { type Charted, type ComparedLine, type ComparedTime, compareAround } from './compare-around.ts'

interface SparkProps {
  before: readonly (number | null)[]
  after: readonly (number | null)[]
}

const WIDTH = 220
const HEIGHT = 36
/** Between the two sides. */
const GAP = 6

function Spark({ before, after }: SparkProps) {
  const all = [...before, ...after].filter((value) => value !== null)
  if (before.length < 2 || all.length === 0) return null
  const high = Math.max(...all, 0) || 1
  const low = Math.min(...all, 0)
  const step = (WIDTH - GAP) / (before.length + after.length)
  const y = (value: number) => HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4)
  const middle = before.length * step
  return (
    <svg
      class="spark"
      preserveAspectRatio="none"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Before and after, as a chart"
    >
      <path class="spark-before" d={pathOf(before, 0, step, y)} />
      <line x1={middle + GAP / 2} x2={middle + GAP / 2} y1="0" y2={HEIGHT} />
      <path class="spark-after" d={pathOf(after, middle + GAP, step, y)} />
    </svg>
  )
}

/** Steps, because a bucket has one value; a bucket without one is a gap. */
function pathOf(values: readonly (number | null)[], from: number, step: number, y: (value: number) => number): string {
  let isOpen = false
  return values
    .map((value, at) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      const [left, right, height] = [from + at * step, from + (at + 1) * step, y(value)].map((px) => px.toFixed(1))
      const start = isOpen ? `V${height}` : `M${left} ${height}`
      isOpen = true
      return `${start}H${right}`
    })
    .join('')
}

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
  const afterMs = windowText === '' ? undefined : Number(windowText)
  const { data, error, isLoading } = useLoad(
    shown.length === 0 ? undefined : (signal) => compareAround(annotation, shown, afterMs, signal),
    [id, time, endTime, JSON.stringify(shown), windowText, version],
    `${id} ${windowText}`,
  )
  if (shown.length === 0) return null
  return (
    <section class="before-after" aria-label="Before and after" aria-busy={isLoading}>
      <div class="row">
        <h4>Before and after</h4>
        <span class="push">
          <Select name="Time after it" value={windowText} options={WINDOWS} onPick={setWindow} />
        </span>
      </div>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Comparing…</p>}
      {data?.map((time) => (
        <Times key={time.when} {...time} isAlone={data.length === 1} />
      ))}
    </section>
  )
}

const HEADINGS = { during: 'During it', after: 'After it' } as const

function Times({ when, lines, times, isAlone }: ComparedTime & { isAlone: boolean }) {
  return (
    <>
      {!(isAlone && when === 'after') && <h5>{HEADINGS[when]}</h5>}
      <ul>
        {lines.map((line, at) => (
          // Two charts of a view may have one name.
          <Line key={`${at} ${line.name}`} line={line} />
        ))}
      </ul>
      <p class="hint">{times}</p>
    </>
  )
}

const LOOKS = { gone: 'is-worse', worse: 'is-worse', better: 'is-better' } as const

function Line({ line: { verdict, word, name, move, text, carriers, chart } }: { line: ComparedLine }) {
  return (
    <li>
      <b class={verdict in LOOKS ? LOOKS[verdict as keyof typeof LOOKS] : ''}>{word}</b> · {name}
      <span class="visually-hidden">: </span>
      <b class="move">{move}</b>
      <span class="visually-hidden">, </span>
      <span class="hint">{text}</span>
      <Spark {...chart} />
      {carriers.length > 0 && (
        <dl class="carriers" aria-label="What changed">
          {carriers.map(({ what, move: of }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{of}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
