/** What the service said about an answer, such as that it has a limit. */
import { cutText } from '@deployment-annotations/contract/text'
import type { Status } from '../service/query.ts'
import { showUnseen } from './name.ts'

const NOTE_POINTS_MAX = 500

export function ResultNotes({ status }: { status: Status }) {
  if (status.messages.length === 0) return null
  return (
    <ul class="result-notes hint">
      {status.messages.map(({ code, msg }) => (
        <li key={`${code} ${msg}`}>{cutText(showUnseen(msg), NOTE_POINTS_MAX)}</li>
      ))}
    </ul>
  )
}
