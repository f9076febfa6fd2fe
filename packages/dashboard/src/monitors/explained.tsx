/** Why the last run of a monitor failed: the service's words, with the line of the query that they are about. */
import { parseExplanation } from './explanation.ts'

export function Explained({ text }: { text: string }) {
  const { message, excerpt, hint } = parseExplanation(text)
  return (
    <div class="failure">
      <p>{message}</p>
      {excerpt !== undefined && <pre>{excerpt}</pre>}
      {hint && <p>{hint}</p>}
    </div>
  )
}
