/** The page of saved views: all of them, or the charts of the one that its address names. */
import '../parts/listing.css'
import './views.css'
import { view } from '../address/navigation.ts'
import { may, user } from '../service/session.ts'
import { Board } from './board.tsx'
import { ViewTable } from './view-table.tsx'

export function Views() {
  const { savedView } = view.value
  // Before it is known what the token may do, nothing is asked that it may not.
  if (!user.value) return <p class="hint">Loading…</p>
  if (!may('views|read'))
    return (
      <>
        <h1>Views</h1>
        <p class="card">The token that you are signed in with may not see saved views: it lacks the permission views|read.</p>
      </>
    )
  return savedView === '' ? <ViewTable /> : <Board key={savedView} id={savedView} />
}
