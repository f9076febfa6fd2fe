/** The last releases and what goes on, above the charts, the verdict first. Each opens its panel. */
import './strip.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeOpen, titleOf } from '../annotations/annotation-view.ts'
import { select } from '../annotations/select.ts'
import { headlineOf, isRelease, roundDuration, signOf, toneOf } from '../annotations/verdict.ts'
import { chooseForStrip } from './strip-order.ts'

interface StripProps {
  annotations: readonly Annotation[]
  /** Those that somebody picked: releases of others are not shown. None for all. */
  datasets: readonly string[]
  /** The ids of those whose panel is open. */
  selected: readonly string[]
}

export function ReleaseStrip({ annotations, datasets, selected }: StripProps) {
  const nowMs = Date.now()
  const isPicked = (one: Annotation) => datasets.length === 0 || one.datasets.some((name) => datasets.includes(name))
  const chosen = chooseForStrip(annotations.filter(isPicked))
  if (chosen.length === 0) return null
  return (
    <ul class="release-strip" aria-label="The last releases">
      {chosen.map((annotation) => (
        <li key={annotation.id}>
          <button
            type="button"
            class={`strip-release is-${isRelease(annotation) ? toneOf(annotation) : 'open'}`}
            aria-pressed={selected.includes(annotation.id)}
            title={annotation.verdictDetails?.text}
            onClick={() => select([annotation.id])}
          >
            <span class="strip-head">
              <span class="clip">{titleOf(annotation)}</span>
              {isRelease(annotation) && <span class="hint">{roundDuration(nowMs - Date.parse(annotation.time))} ago</span>}
            </span>
            <span class="strip-verdict">
              {isRelease(annotation) ? (
                <>
                  <span aria-hidden="true">{signOf(annotation)}</span> {headlineOf(annotation, nowMs)}
                </>
              ) : (
                `${annotation.type}, ${describeOpen(annotation, nowMs)}`
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
