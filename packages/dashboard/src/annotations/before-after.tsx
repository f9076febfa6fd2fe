/** What is charted, before and after an annotation: higher, lower, much the same, or too little data to tell. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { type Charted, compareAround } from './compare-around.ts'

interface BeforeAfterProps {
  annotation: Annotation
  charted: readonly Charted[]
  /** Another number compares again. */
  version: number
}

export function BeforeAfter({ annotation, charted, version }: BeforeAfterProps) {
  const { id, time, endTime, datasets } = annotation
  const shown = charted.filter((one) => one.datasets.some((name) => datasets.includes(name)))
  const { data, error } = useLoad(shown.length === 0 ? undefined : (signal) => compareAround(annotation, shown, signal), [
    id,
    time,
    endTime,
    JSON.stringify(shown),
    version,
  ])
  if (error) return <Failure error={error} />
  if (!data || shown.length === 0) return null
  return (
    <section class="before-after" aria-label="Before and after">
      <h4>Before and after</h4>
      <ul>
        {data.lines.map(({ word, name, text }) => (
          <li key={name}>
            <b>{word}</b> · {name}: {text}
          </li>
        ))}
      </ul>
      <p class="hint">{data.times}</p>
    </section>
  )
}
