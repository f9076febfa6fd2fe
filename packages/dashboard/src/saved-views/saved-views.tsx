/** The menu of saved views: it opens one, saves the page as one, and changes the open one. */
import { useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { DEFAULT_VIEW, formatView, type View } from '../address/view.ts'
import { Failure } from '../parts/failure.tsx'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { AnswerError } from '../service/request.ts'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { AddToView } from './add-to-view.tsx'
import { NameForm } from './name-form.tsx'
import { PublicLink } from './public-link.tsx'
import { fromSaved, isAsSaved, toSaved } from './saved-view.ts'
import { DeleteView, RenameView } from './saved-view-questions.tsx'
import { Conflict } from './use-change.tsx'

interface SavedViewListProps {
  /** Absent until it is loaded. */
  list: readonly SavedView[] | undefined
  opened: SavedView | undefined
  onOpen: (saved: SavedView) => void
  onRename: (saved: SavedView) => void
  onDelete: (saved: SavedView) => void
}

function SavedViewList({ list, ...on }: SavedViewListProps) {
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

const NONE: readonly SavedView[] = []

type Asked = { to: 'save' } | { to: 'add' } | { to: 'link' } | { to: 'rename' | 'delete' | 'settle'; saved: SavedView }

/** @param charted the charted datasets */
export function SavedViews({ charted }: { charted: readonly string[] }) {
  const { savedView } = view.value
  const [looks, setLooks] = useState(0)
  const [asked, ask] = useState<Asked>()
  const mayRead = may('views|read')
  const isWanted = mayRead && (looks > 0 || savedView !== '')
  const look = () => setLooks((before) => before + 1)
  const { data, error } = useLoad(isWanted ? savedViewRequests.list : undefined, [isWanted, looks])
  const opened = data?.find(({ id }) => id === savedView)
  const start = useStart(opened)
  if (!mayRead) return null
  return (
    <>
      <Menu summary={<Summary opened={opened} />} onOpen={look}>
        <div class="card wide saved-views">
          <SavedViewList
            list={data}
            opened={opened}
            onOpen={(saved) => navigate(fromSaved(saved, view.value))}
            onRename={(saved) => ask({ to: 'rename', saved })}
            onDelete={(saved) => ask({ to: 'delete', saved })}
          />
          <Failure error={error} />
          <SaveButtons opened={opened} start={start} charted={charted} onAsk={ask} onSaved={look} />
        </div>
      </Menu>
      {asked && (
        <Question
          asked={asked}
          list={data ?? NONE}
          start={start}
          charted={charted}
          onClose={() => ask(undefined)}
          onDone={() => {
            ask(undefined)
            look()
          }}
        />
      )}
    </>
  )
}

/** The saved view that the user's changes started from. */
interface Start {
  current: SavedView | undefined
}

/**
 * @returns the view as the page last showed it, also after somebody else has saved another version, which must not be overwritten
 *   without asking
 */
function useStart(opened: SavedView | undefined): Start {
  const start = useRef<SavedView | undefined>(undefined)
  const { current } = start
  if (!opened) return start
  // A view with another name shows the same.
  const isSame = (shown: View) => isAsSaved(shown, opened)
  const isOlder = current?.id === opened.id && opened.version < current.version
  const isOther = current?.id === opened.id && !isSame(view.value) && !isSame(fromSaved(current, view.value))
  if (!isOlder && !isOther) start.current = opened
  return start
}

function Summary({ opened }: { opened: SavedView | undefined }) {
  if (!opened)
    return (
      <span>
        <span class="saved-word">Saved views</span>
        <span class="saved-short">Views</span>
      </span>
    )
  return (
    <>
      View: <strong class="clip">{opened.name}</strong>
      {!isAsSaved(view.value, opened) && <span class="hint">changed</span>}
    </>
  )
}

interface SaveButtonsProps {
  opened: SavedView | undefined
  start: Start
  charted: readonly string[]
  /** Opens a dialog that asks for more. */
  onAsk: (asked: Asked) => void
  /** Called when the opened view has been saved as it is on screen. */
  onSaved: () => void
}

function SaveButtons({ opened, start, charted, onAsk, onSaved }: SaveButtonsProps) {
  const { error, isBusy, attempt } = useAttempt()
  const overwrite = async (saved: SavedView) => {
    try {
      const version = start.current?.version ?? saved.version
      keepShown(start, await savedViewRequests.change(saved.id, { ...toSaved(view.value, charted), version }))
    } catch (failure) {
      if (!(failure instanceof AnswerError && failure.status === 409)) throw failure
      onAsk({ to: 'settle', saved })
    }
    onSaved()
  }
  return (
    <div class="row">
      {opened?.charts.length === 0 && may('views|update', charted) && !isAsSaved(view.value, opened) && (
        <MenuButton label="Save the changes" isBusy={isBusy} onClick={() => void attempt(() => overwrite(opened))} />
      )}
      {may('views|create', charted) && <MenuButton label="Save this view as…" onClick={() => onAsk({ to: 'save' })} />}
      {(may('views|update', charted) || may('views|create', charted)) && (
        <MenuButton label="Add to a view…" onClick={() => onAsk({ to: 'add' })} />
      )}
      {may('apiTokens|create') && <MenuButton label="Public link…" onClick={() => onAsk({ to: 'link' })} />}
      <Failure error={error} />
    </div>
  )
}

/** A button of the menu, which closes it. */
function MenuButton({ label, isBusy, onClick }: { label: string; isBusy?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={({ currentTarget }) => {
        closeMenu(currentTarget)
        onClick()
      }}
    >
      {label}
    </button>
  )
}

interface QuestionProps {
  asked: Asked
  list: readonly SavedView[]
  start: Start
  charted: readonly string[]
  onClose: () => void
  onDone: () => void
}

function Question({ asked, list, start, charted, onClose, onDone }: QuestionProps) {
  if (asked.to === 'link') return <PublicLink charted={charted} onClose={onClose} />
  if (asked.to === 'add') return <AddToView list={list} charted={charted} onClose={onClose} />
  if (asked.to === 'save') {
    const save = async (name: string) => {
      keepShown(start, await savedViewRequests.create({ name, ...toSaved(view.value, charted) }))
      onDone()
    }
    return <NameForm title="Save this view" name="" onClose={onClose} task={save} />
  }
  const question = { saved: asked.saved, onClose, onDone }
  if (asked.to === 'rename') return <RenameView {...question} />
  if (asked.to === 'delete') return <DeleteView {...question} />
  const overwrite = async ({ id, version }: SavedView) => {
    keepShown(start, await savedViewRequests.change(id, { ...toSaved(view.value, charted), charts: [], version }))
    onDone()
  }
  const show = (saved: SavedView) => {
    start.current = saved
    navigate(fromSaved(saved, view.value))
    onClose()
  }
  return <Conflict saved={asked.saved} onOverwrite={overwrite} onShow={show} onClose={onClose} />
}

/** Changes the address to that of the view that was just saved. */
function keepShown(start: Start, saved: SavedView): void {
  start.current = saved
  navigate({ savedView: saved.id, datasets: saved.datasets }, true)
}
