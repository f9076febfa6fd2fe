/** The sign of a result, with its word for screen readers. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeResult, RESULT_SIGNS, resultOf } from './result.ts'

export function ResultSign({ annotation }: { annotation: Annotation }) {
  const result = resultOf(annotation)
  if (!result) return null
  return (
    <span class={`result is-${result.replace(' ', '-')}`} title={describeResult(annotation)}>
      <span aria-hidden="true">{RESULT_SIGNS[result]}</span>
      <span class="visually-hidden"> {describeResult(annotation)}</span>{' '}
    </span>
  )
}
