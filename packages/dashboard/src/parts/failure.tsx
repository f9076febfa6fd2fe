/** An error, shown where its cause is, with the service's message and the id that finds it in the log. */
import { AnswerError, describeError } from '../service/request.ts'

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error) return null
  // Trying again does not help if the token has no permission.
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
