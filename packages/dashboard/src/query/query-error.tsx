/** The error of a query, below the query: the service's message, the line with a caret, and a button that moves the cursor there. */
import { cutText } from '@deployment-annotations/contract/text'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { AnswerError } from '../service/request.ts'
import { parseErrorMessage } from './error-message.ts'
import { type ErrorPlace, findErrorPlace } from './error-place.ts'
import { showUnseen } from './name.ts'

/** The limit of a message, which may contain values of the query. */
const MESSAGE_POINTS_MAX = 300

interface QueryErrorProps {
  error: unknown
  /** The text that was run, which may have changed since. */
  text: string
  onGo: (offset: number) => void
  onMend: (text: string) => void
}

export function QueryError({ error, text, onGo, onMend }: QueryErrorProps) {
  const detail = error instanceof AnswerError ? error.detail : undefined
  const place = detail && findErrorPlace(text, detail)
  if (!detail || !place) return <Failure error={error} />
  const { hint } = parseErrorMessage((error as AnswerError).message)
  return (
    <div class="failure" role="alert">
      <p>{cutText(showUnseen(detail.message), MESSAGE_POINTS_MAX)}</p>
      <Excerpt {...place} />
      {hint && <p class="query-advice">{cutText(showUnseen(hint), MESSAGE_POINTS_MAX)}</p>}
      <button type="button" onClick={() => onGo(place.offset)}>
        Go to line {detail.line}, column {detail.column}
      </button>
      {detail.suggestion !== undefined && (
        <button type="button" onClick={() => onMend(detail.suggestion as string)}>
          Correct it
        </button>
      )}
    </div>
  )
}

/** The caret follows an invisible copy of the text before the position, so it is placed correctly for any width of that text. */
function Excerpt({ before, behind }: ErrorPlace) {
  const start = showInLine(before)
  return (
    <Code class="query-excerpt">
      {start}
      {showInLine(behind)}
      {'\n'}
      <span class="query-same" aria-hidden="true">
        {start}
      </span>
      <span class="query-caret" aria-hidden="true">
        ^
      </span>
    </Code>
  )
}

/** Tabs keep their width. */
function showInLine(text: string): string {
  return text.split('\t').map(showUnseen).join('\t')
}
