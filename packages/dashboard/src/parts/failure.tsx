/** An error where its cause is: what the service said, and where its log has the details. */
import { AnswerError, describeError } from '../service/request.ts'

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error) return null
  // What a token may not do, it may not do at the next try either.
  const mayRetry = !(error instanceof AnswerError && error.status === 403)
  const traceId = error instanceof AnswerError && error.status >= 500 ? error.traceId : ''
  return (
    <div class="failure" role="alert">
      <p>{error instanceof AnswerError && error.detail ? error.detail.message : describeError(error)}</p>
      {traceId && <p class="hint">The service's log has the details under the trace id {traceId}.</p>}
      {onRetry && mayRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
