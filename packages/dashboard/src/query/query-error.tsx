/** The error of a query, below the query: the service's message, the line with a caret, and a button that moves the cursor there. */
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { AnswerError, type QueryErrorDetail } from '../service/request.ts'
import { parseErrorMessage } from './error-message.ts'
import { showBeginning, showUnseen } from './name.ts'

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
  if (!(error instanceof AnswerError) || !error.detail) return <Failure error={error} />
  const { detail } = error
  const { suggestion } = detail
  const { excerpt, hint } = parseErrorMessage(error.message)
  return (
    <div class="failure" role="alert">
      <p>{showBeginning(detail.message, MESSAGE_POINTS_MAX)}</p>
      {excerpt !== undefined && <Excerpt text={excerpt} />}
      {hint && <p class="query-advice">{showBeginning(hint, MESSAGE_POINTS_MAX)}</p>}
      <button type="button" onClick={() => onGo(offsetOf(text, detail))}>
        Go to line {detail.line}, column {detail.column}
      </button>
      {suggestion !== undefined && (
        <button type="button" onClick={() => onMend(suggestion)}>
          Correct it
        </button>
      )}
    </div>
  )
}

/** @returns the position in a text that an error of it is about */
export function offsetOf(text: string, { line, column }: QueryErrorDetail): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, { length }) => sum + length + 1, column - 1)
}

/** The caret follows an invisible copy of the text before it, so it is placed correctly for any width of that text. */
function Excerpt({ text }: { text: string }) {
  const [line = '', carets = ''] = text.split('\n')
  const at = carets.indexOf('^')
  const before = showUnseen(line.slice(0, at))
  return (
    <Code class="query-excerpt">
      {before}
      {showUnseen(line.slice(at))}
      {'\n'}
      <span class="query-same" aria-hidden="true">
        {before}
      </span>
      <span class="query-caret" aria-hidden="true">
        ^
      </span>
    </Code>
  )
}
