/** The saved views by name, each a link to what it shows. */

import { DEFAULT_VIEW, formatView } from '../address/view.ts'
import { closeMenu } from '../parts/menu.tsx'
import type { SavedView } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { fromSaved } from './saved-view.ts'

interface SavedViewListProps {
  /** Absent until it is known. */
  list: readonly SavedView[] | undefined
  opened: SavedView | undefined
  onOpen: (saved: SavedView) => void
  onRename: (saved: SavedView) => void
  onDelete: (saved: SavedView) => void
}

export function SavedViewList({ list, ...on }: SavedViewListProps) {
  if (list === undefined) return null
  if (list.length === 0)
    return (
      <p class="hint">None yet. A saved view keeps the query or the datasets, the range and what is hidden, for all of you.</p>
    )
  const byName = [...list].sort((one, other) => one.name.localeCompare(other.name))
  return (
    <ul aria-label="Saved views">
      {byName.map((saved) => (
        <Entry key={saved.id} saved={saved} {...on} />
      ))}
    </ul>
  )
}

function Entry({ saved, opened, onOpen, onRename, onDelete }: Omit<SavedViewListProps, 'list'> & { saved: SavedView }) {
  const choose = (act: (saved: SavedView) => void) => (event: Event & { currentTarget: Element }) => {
    closeMenu(event.currentTarget)
    act(saved)
  }
  return (
    <li class="row">
      <a
        class="clip"
        href={formatView(fromSaved(saved, DEFAULT_VIEW))}
        aria-current={saved.id === opened?.id ? 'true' : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          choose(onOpen)(event)
        }}
      >
        {saved.name}
      </a>
      {may('views|update') && (
        <button type="button" class="quiet push" aria-label={`Rename ${saved.name}`} onClick={choose(onRename)}>
          Rename
        </button>
      )}
      {may('views|delete') && (
        <button type="button" class="quiet danger" aria-label={`Delete ${saved.name}`} onClick={choose(onDelete)}>
          Delete
        </button>
      )}
    </li>
  )
}
