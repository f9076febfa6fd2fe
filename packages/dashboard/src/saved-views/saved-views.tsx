/** The menu of saved views: it opens one, saves the page as one, and changes the open one. */
import { useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import type { View } from '../address/view.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { Menu, MenuButton } from '../parts/menu.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { inOrder } from '../resources/find.ts'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { AddToView } from './add-to-view.tsx'
import { ABOUT_DELETION, NameForm } from './name-form.tsx'
import { PublicLink } from './public-link.tsx'
import { fromSaved, isAsSaved, toSaved } from './saved-view.ts'
import { Conflict, isConflict } from './use-change.tsx'

/** @param charted the charted datasets */
export function SavedViews({ charted }: { charted: readonly string[] }) {
  const saved = useSavedViews(charted)
  if (!may('views|read')) return null
  return (
    <>
      <Menu summary={<Summary opened={saved.opened} />} onOpen={saved.reload}>
        <div class="card wide saved-views">
          <SavedViewList saved={saved} />
          <Failure error={saved.error} />
          <SaveButtons saved={saved} />
        </div>
      </Menu>
      {saved.asked && <Question saved={saved} asked={saved.asked} />}
    </>
  )
}

/** A dialog that asks for more. */
type Asked = { to: 'save' | 'add' | 'link' } | { to: 'rename' | 'delete' | 'settle'; one: SavedView }

const NONE: readonly SavedView[] = []

/** Loads the saved views once the menu is opened or the address names one, and says which is open and which dialog. */
function useSavedViews(charted: readonly string[]) {
  const { savedView } = view.value
  const [loads, reload] = useRefresh()
  const [asked, ask] = useState<Asked>()
  const isWanted = may('views|read') && (loads > 0 || savedView !== '')
  const { data, error } = useLoad(isWanted ? savedViewRequests.list : undefined, [isWanted, loads])
  const opened = data?.find(({ id }) => id === savedView)
  const close = () => ask(undefined)
  const done = () => {
    close()
    reload()
  }
  return { charted, list: data, error, reload, opened, start: useStart(opened), asked, ask, close, done }
}

type SavedViewsMenu = ReturnType<typeof useSavedViews>

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
        Saved<span class="saved-word"> views</span>
      </span>
    )
  return (
    <>
      View: <strong class="clip">{opened.name}</strong>
      {!isAsSaved(view.value, opened) && <span class="hint">changed</span>}
    </>
  )
}

function SavedViewList({ saved: { list, opened, ask } }: { saved: SavedViewsMenu }) {
  if (list === undefined) return null
  if (list.length === 0)
    return (
      <p class="hint">None yet. A saved view keeps the query or the datasets, the range and what is hidden, for all of you.</p>
    )
  return (
    <ul aria-label="Saved views">
      {inOrder(list).map((one) => (
        <li key={one.id} class="row">
          <ViewLink class="clip" to={fromSaved(one, view.value)} stays aria-current={one.id === opened?.id ? 'true' : undefined}>
            {one.name}
          </ViewLink>
          <span class="row push">
            {may('views|update') && (
              <MenuButton aria-label={`Rename ${one.name}`} onClick={() => ask({ to: 'rename', one })}>
                Rename
              </MenuButton>
            )}
            {may('views|delete') && (
              <MenuButton class="quiet danger" aria-label={`Delete ${one.name}`} onClick={() => ask({ to: 'delete', one })}>
                Delete
              </MenuButton>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function SaveButtons({ saved: { opened, start, charted, ask, reload } }: { saved: SavedViewsMenu }) {
  const { error, isBusy, attempt } = useAttempt()
  const overwrite = async (one: SavedView) => {
    try {
      const version = start.current?.version ?? one.version
      keepShown(start, await savedViewRequests.change(one.id, { ...toSaved(view.value, charted), version }))
    } catch (failure) {
      if (!isConflict(failure)) throw failure
      ask({ to: 'settle', one })
    }
    reload()
  }
  const [mayCreate, mayUpdate] = [may('views|create', charted), may('views|update', charted)]
  const asks = [
    ['save', 'Save this view as…', mayCreate],
    ['add', 'Add to a saved view…', mayCreate || mayUpdate],
    ['link', 'Public link…', may('apiTokens|create')],
  ] as const
  return (
    <div class="row">
      {opened?.charts.length === 0 && mayUpdate && !isAsSaved(view.value, opened) && (
        <MenuButton class="" aria-disabled={isBusy} onClick={() => void attempt(() => overwrite(opened))}>
          Save the changes
        </MenuButton>
      )}
      {asks.map(
        ([to, words, isOffered]) =>
          isOffered && (
            <MenuButton key={to} class="" onClick={() => ask({ to })}>
              {words}
            </MenuButton>
          ),
      )}
      <Failure error={error} />
    </div>
  )
}

function Question({ saved, asked }: { saved: SavedViewsMenu; asked: Asked }) {
  const { list = NONE, start, charted, close, done } = saved
  if ('one' in asked) return <QuestionOfOne saved={saved} {...asked} />
  if (asked.to === 'link') return <PublicLink charted={charted} onClose={close} />
  if (asked.to === 'add') return <AddToView list={list} charted={charted} onClose={close} />
  const save = async (name: string) => {
    keepShown(start, await savedViewRequests.create({ name, ...toSaved(view.value, charted) }))
    done()
  }
  return <NameForm title="Save this view" name="" onClose={close} task={save} />
}

/** What is asked of a view that is saved already. */
function QuestionOfOne({ saved, to, one }: { saved: SavedViewsMenu; to: 'rename' | 'delete' | 'settle'; one: SavedView }) {
  const { start, charted, close, done } = saved
  const { id, name } = one
  if (to === 'rename') {
    const rename = async (other: string) => {
      await savedViewRequests.change(id, { name: other })
      done()
    }
    return <NameForm title="Rename the saved view" name={name} onClose={close} task={rename} />
  }
  if (to === 'delete') {
    const remove = async () => {
      await savedViewRequests.delete(id)
      if (view.value.savedView === id) navigate({ savedView: '' }, true)
      done()
    }
    return (
      <Confirm title="Delete this saved view?" name={name} action="Delete permanently" onClose={close} task={remove}>
        <p>{ABOUT_DELETION}</p>
      </Confirm>
    )
  }
  const overwrite = async ({ version }: SavedView) => {
    keepShown(start, await savedViewRequests.change(id, { ...toSaved(view.value, charted), charts: [], version }))
    done()
  }
  const show = async (theirs: SavedView) => {
    start.current = theirs
    navigate(fromSaved(theirs, view.value))
    close()
  }
  return <Conflict saved={one} onOverwrite={overwrite} onShow={show} onClose={close} />
}

/** Changes the address to that of the view that was just saved. */
function keepShown(start: Start, saved: SavedView): void {
  start.current = saved
  navigate({ savedView: saved.id, datasets: saved.datasets }, true)
}
