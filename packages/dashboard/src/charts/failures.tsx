/**
 * What went wrong with the parts of a page, each thing once: a service that is away fails every request, and is one thing to say.
 */
import { useCallback, useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { AnswerError, describeError } from '../service/request.ts'
import { user } from '../service/session.ts'

/** @param part of the page, such as the chart of a dataset; without an error, all is well with it */
export type ReportFailure = (part: string, error: unknown) => void

/** @returns whether it comes of asking for more than the token may read, before it was known what it may; that is not asked for again */
export function isEarly(error: unknown): boolean {
  return error instanceof AnswerError && error.status === 403 && user.value === undefined
}

/** @returns what the parts have told, and what they tell it with */
export function useFailures(): [errors: readonly unknown[], report: ReportFailure] {
  const [errors, setErrors] = useState<ReadonlyMap<string, unknown>>(new Map())
  const report = useCallback((part: string, error: unknown) => {
    if (isEarly(error)) return
    setErrors((before) => {
      if (before.get(part) === error) return before
      const after = new Map(before)
      if (error === undefined) after.delete(part)
      else after.set(part, error)
      return after
    })
  }, [])
  return [[...errors.values()], report]
}

interface FailuresProps {
  errors: readonly unknown[]
  /** Something from before is shown still. */
  hasContent: boolean
  onRetry: () => void
}

export function Failures({ errors, hasContent, onRetry }: FailuresProps) {
  const told = new Map(errors.map((error) => [subjectOf(error), error]))
  return (
    <>
      {[...told].map(([subject, error]) => (
        <Failure key={subject} error={error} {...(!(error instanceof RangeError) && { onRetry })} />
      ))}
      {told.size > 0 && hasContent && <p class="hint">What is shown below is from before that.</p>}
    </>
  )
}

/** @returns whether an error says nothing that others do not say already */
export function isTold(error: unknown, others: readonly unknown[]): boolean {
  return others.some((other) => subjectOf(other) === subjectOf(error))
}

/** Requests to a service that is away differ in their paths only. */
function subjectOf(error: unknown): string {
  return error instanceof AnswerError && error.status === 0 ? 'no answer' : describeError(error)
}
