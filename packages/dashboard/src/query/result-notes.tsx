/** The notes above a result: the messages of its answer. */
import { navigate, view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { ViewLink } from '../parts/view-link.tsx'
import type { Status } from '../service/query.ts'
import { may } from '../service/session.ts'
import { showBeginning, showName } from './name.ts'

const NOTE_POINTS_MAX = 500

/** What is suggested has the filters of the page in it: it is written from the query that was sent. */
export function ResultNotes({ status }: { status: Status }) {
  if (status.messages.length === 0) return null
  return (
    <ul class="result-notes hint">
      {status.messages.map(({ code, msg, suggestion, unindexed }) => (
        <li key={`${code} ${msg}`}>
          {showBeginning(msg, NOTE_POINTS_MAX)}{' '}
          {suggestion !== undefined && view.value.apl !== '' && (
            <button type="button" class="quiet" onClick={() => navigate({ apl: suggestion, filters: [] })}>
              Correct it
            </button>
          )}
          {unindexed && may('datasets|update', [unindexed.dataset]) && (
            <ViewLink to={{ ...DEFAULT_VIEW, page: 'datasets', open: unindexed.dataset }}>
              Index {showName(unindexed.field)}
            </ViewLink>
          )}
        </li>
      ))}
    </ul>
  )
}
