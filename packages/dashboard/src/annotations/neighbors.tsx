/** What else happened around an annotation: the other ones near it in time, with what is said of each. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { describeWhen } from '@deployment-annotations/contract/release'
import { describeOpen, spanOf, titleOf } from './annotation-view.ts'
import { Pick } from './panel-frame.tsx'
import { headlineOf, isRelease } from './verdict.ts'

/** So far away at most. */
const NEAR_MS_MAX = UNIT_MS.h
const SHOWN_MAX = 6

interface NeighborsProps {
  annotation: Annotation
  /** The annotations in view. */
  annotations: readonly Annotation[]
}

export function Neighbors({ annotation, annotations }: NeighborsProps) {
  const near = listNear(annotation, annotations)
  if (near.length === 0) return null
  const shown = near.slice(0, SHOWN_MAX).sort((a, b) => Number(a.ms > 0) - Number(b.ms > 0) || Math.abs(a.ms) - Math.abs(b.ms))
  return (
    <section class="neighbors" aria-label="What else happened">
      <h3>What else happened</h3>
      {shown.map(({ one, ms }) => (
        <Pick key={one.id} annotation={one} words={describeNeighbor(one)} when={ms === 0 ? 'meanwhile' : describeWhen(-ms)} />
      ))}
      {near.length > shown.length && <p class="hint">and {near.length - shown.length} more within the hour</p>}
    </section>
  )
}

/** @returns the others within the hour, those of its datasets first, then the nearest; `ms` is negative before it */
function listNear(annotation: Annotation, annotations: readonly Annotation[]): { one: Annotation; ms: number }[] {
  const { startMs, endMs } = spanOf(annotation)
  const isOther = (one: Annotation) => !one.datasets.some((name) => annotation.datasets.includes(name))
  return annotations
    .filter(({ id }) => id !== annotation.id)
    .map((one) => {
      const span = spanOf(one)
      return { one, ms: span.endMs < startMs ? span.endMs - startMs : Math.max(0, span.startMs - endMs) }
    })
    .filter(({ ms }) => Math.abs(ms) <= NEAR_MS_MAX)
    .sort((a, b) => Number(isOther(a.one)) - Number(isOther(b.one)) || Math.abs(a.ms) - Math.abs(b.ms))
}

/** @returns `api 7.3.2: no harm`: the measure and the verb of its sentence */
function describeNeighbor(one: Annotation): string {
  const title = titleOf(one)
  if (one.open) return isRelease(one) ? `${title} is going out` : `${title}, ${describeOpen(one, Date.now())}`
  if (!isRelease(one)) return title
  const [said = ''] = headlineOf(one, Date.now()).split(/[:;]|\. /)
  return `${title}: ${said[0]?.toLowerCase()}${said.slice(1)}`
}
