/** What the service said about an answer, such as that it has a limit. */
import type { Status } from '../service/query.ts'
import { clip, showUnseen } from './name.ts'

const NOTE_UNITS_MAX = 500

export function ResultNotes({ status }: { status: Status }) {
  if (status.messages.length === 0) return null
  return (
    <ul class="result-notes hint">
      {status.messages.map(({ code, msg }) => (
        <li key={`${code} ${msg}`}>{clip(showUnseen(msg), NOTE_UNITS_MAX)}</li>
      ))}
    </ul>
  )
}
