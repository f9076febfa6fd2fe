/** Why the last run of a monitor failed: the service's words, with the line of the query that they are about. */
import { parseErrorMessage } from '../query/error-message.ts'

export function RunError({ text }: { text: string }) {
  const { message, excerpt, hint } = parseErrorMessage(text)
  return (
    <div class="failure">
      <p>{message}</p>
      {excerpt !== undefined && <pre>{excerpt}</pre>}
      {hint && <p>{hint}</p>}
    </div>
  )
}
