/** What became of a release as a sign, with its word for screen readers. The signs differ in shape, and not only in color. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { readResult } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'

const SIGNS = {
  now: ['●', 'hurts now'],
  hurt: ['●', 'hurt'],
  open: ['◐', 'open'],
  failed: ['✕', 'failed'],
  canceled: ['✕', 'canceled'],
  better: ['+', 'better'],
  changed: ['◇', 'changed'],
  harmless: ['✓', 'no harm'],
  unknown: ['–', 'cannot tell'],
} as const satisfies Readonly<Record<string, readonly [sign: string, word: string]>>

/** @param isHarmful also of what was rolled back, whatever its verdict is */
export function stateOf(annotation: Annotation, isHarmful = isWorse(annotation.verdict)): keyof typeof SIGNS {
  const { hurtsNow, open, verdict = 'inconclusive', verdictDetails: { headline = '' } = {} } = annotation
  const result = readResult(annotation)
  if (isHarmful) return hurtsNow ? 'now' : 'hurt'
  if (open) return 'open'
  if (result === 'failed' || result === 'canceled') return result
  // Traffic that is back is higher, and that is better.
  if (verdict === 'better' || / (?:is|are) back: /.test(headline)) return 'better'
  if (verdict === 'lower' || verdict === 'higher') return 'changed'
  return verdict === 'same' || headline.startsWith('No harm') ? 'harmless' : 'unknown'
}

export function Sign({ state }: { state: keyof typeof SIGNS }) {
  const [sign, word] = SIGNS[state]
  return (
    <span class={`sign is-${state}`}>
      <span aria-hidden="true">{sign}</span>
      <span class="visually-hidden">{word}</span>
    </span>
  )
}
