/** The signs of an annotation: of its result alone, with its word for screen readers, and of the most that is known of it. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeResult, RESULT_SIGNS, resultOf } from './result.ts'
import { colorOf, signOf } from './verdict.ts'

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

/** That of the verdict, otherwise that of the result; a diamond for what is neither. The words beside it say the same. */
export function Sign({ annotation }: { annotation: Annotation }) {
  const result = annotation.open ? 'running' : resultOf(annotation)
  return (
    <span class="sign" style={{ color: colorOf(annotation) }} aria-hidden="true">
      {signOf(annotation) || (result ? RESULT_SIGNS[result] : '◇')}
    </span>
  )
}
