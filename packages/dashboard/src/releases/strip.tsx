/** The last releases above the charts, the verdict first. Each opens its panel. */
import './strip.css'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { navigate } from '../address/navigation.ts'
import { titleOf } from '../annotations/annotation-view.ts'
import { headlineOf, isRelease, roundDuration, signOf, toneOf } from '../annotations/verdict.ts'

/** More are on the page of releases. */
const SHOWN_MAX = 4

interface StripProps {
  annotations: readonly Annotation[]
  /** Those that are charted: releases of others are not shown. */
  datasets: readonly string[]
  /** The ids of those whose panel is open. */
  selected: readonly string[]
}

export function ReleaseStrip({ annotations, datasets, selected }: StripProps) {
  const nowMs = Date.now()
  const newest = annotations
    .filter((one) => isRelease(one) && one.datasets.some((name) => datasets.includes(name)))
    .sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
  if (newest.length === 0) return null
  return (
    <ul class="release-strip" aria-label="The last releases">
      {newest.slice(0, SHOWN_MAX).map((annotation) => (
        <li key={annotation.id}>
          <button
            type="button"
            class={`strip-release is-${toneOf(annotation)}`}
            aria-pressed={selected.includes(annotation.id)}
            title={annotation.judgement?.text}
            onClick={() => navigate({ annotations: [annotation.id] })}
          >
            <span class="strip-head">
              <span class="clip">{titleOf(annotation)}</span>
              <span class="hint">{roundDuration(nowMs - Date.parse(annotation.time))} ago</span>
            </span>
            <span class="strip-verdict">
              <span aria-hidden="true">{signOf(annotation)}</span> {headlineOf(annotation, nowMs)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
