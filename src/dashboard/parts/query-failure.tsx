/** Why a query failed, with its place in the query where the service knows it. */
import { AnswerError } from '../service/request.ts'
import { parseExplanation } from './explanation.ts'
import { Failure } from './failure.tsx'

/** @param error as of a request */
export function QueryFailure({ error }: { error: unknown }) {
  if (!(error instanceof AnswerError && error.detail)) return <Failure error={error} />
  return (
    <div class="failure" role="alert">
      <ExplainedText text={error.message} />
    </div>
  )
}

export function ExplainedText({ text }: { text: string }) {
  const { message, excerpt, hint } = parseExplanation(text)
  return (
    <>
      <p>{message}</p>
      {excerpt !== undefined && <pre>{excerpt}</pre>}
      {hint && <p>{hint}</p>}
    </>
  )
}
