/** Shows the errors of a page's parts, each once: a service that is not reachable fails every request in the same way. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { AnswerError, describeError } from '../service/request.ts'
import { user } from '../service/session.ts'

/**
 * @param part of the page, such as the chart of a dataset
 * @param error why the part failed; `undefined` if it did not
 */
export type ReportFailure = (part: string, error: unknown) => void

/** @returns whether the request was refused because it was sent before the token's permissions were known; it is not sent again */
export function isEarly(error: unknown): boolean {
  return error instanceof AnswerError && error.status === 403 && user.value === undefined
}

/** @returns the errors that the parts reported, and the function that they report with; `undefined` takes a report back */
export function useFailures(): [errors: readonly unknown[], report: ReportFailure] {
  const [errors, setErrors] = useState<ReadonlyMap<string, unknown>>(new Map())
  const report = useCallback((part: string, error: unknown) => {
    if (isEarly(error)) return
    const now = error === undefined ? [] : [[part, error] as const]
    setErrors((before) =>
      before.get(part) === error ? before : new Map([...[...before].filter(([name]) => name !== part), ...now]),
    )
  }, [])
  return [[...errors.values()], report]
}

/** Reports the error of a part while it has one and is shown. */
export function useReportFailure(report: ReportFailure, part: string, error: unknown): void {
  useEffect(() => {
    report(part, error)
    return () => report(part, undefined)
  }, [part, error])
}

interface FailuresProps {
  errors: readonly unknown[]
  /** Whether the page still shows content from before. */
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
      {told.size > 0 && hasContent && <p class="hint">The content below is from before this error.</p>}
    </>
  )
}

/** @returns whether another error already says the same */
export function isTold(error: unknown, others: readonly unknown[]): boolean {
  return others.some((other) => subjectOf(other) === subjectOf(error))
}

/** Requests to a service that is not reachable differ only in their paths. */
function subjectOf(error: unknown): string {
  return error instanceof AnswerError && error.status === 0 ? 'no answer' : describeError(error)
}
