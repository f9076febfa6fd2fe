/** The menu of saved views: it opens one, saves the page as one, and changes the open one. */
import { useRef, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { View } from '../address/view.ts'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { Menu, MenuButton } from '../parts/menu.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { inOrder } from '../resources/find.ts'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { keepShown } from './keep-shown.ts'
import type { Asked } from './question.tsx'
import { fromSaved, isAsSaved, toSaved } from './saved-view.ts'
import { CONFLICT, isConflict } from './use-change.ts'

/** @param charted the charted datasets */
export function SavedViews({ charted }: { charted: readonly string[] }) {
  const saved = useSavedViews(charted)
  if (!may('views|read')) return null
  return (
    <>
      <Menu summary={<Summary opened={saved.opened} />} onOpen={saved.reload}>
        <div class="card wide stack saved-views">
          <SavedViewList saved={saved} />
          <Failure error={saved.error} />
          <SaveButtons saved={saved} />
        </div>
      </Menu>
      <Failure error={saved.saving.error} />
      {saved.asked && <laterQuestion.View {...saved} asked={saved.asked} />}
    </>
  )
}

/** Its forms are loaded when somebody opens one. */
const laterQuestion = later(async () => (await import('./question.tsx')).Question)

/** Loads the saved views once the menu is opened or the address names one, and says which is open and which dialog. */
function useSavedViews(charted: readonly string[]) {
  const { savedView } = view.value
  const [loads, reload] = useRefresh()
  const [asked, ask] = useState<Asked>()
  const saving = useAttempt()
  const isWanted = may('views|read') && (loads > 0 || savedView !== '')
  const { data, error } = useLoad(isWanted ? savedViewRequests.list : undefined, [isWanted, loads])
  const opened = data?.find(({ id }) => id === savedView)
  // The version that the changes of this person started from: one that shows something else must not be overwritten without asking.
  const start = useRef<SavedView | undefined>(undefined)
  const { current } = start
  const isSame = (shown: View) => opened === undefined || isAsSaved(shown, opened)
  if (current?.id !== opened?.id || isSame(view.value) || (current && isSame(fromSaved(current, view.value))))
    start.current = opened
  return { charted, list: data, error, reload, opened, start, saving, asked, ask, close: () => ask(undefined) }
}

type SavedViewsMenu = ReturnType<typeof useSavedViews>

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

function SavedViewList({ saved: { list, opened } }: { saved: SavedViewsMenu }) {
  if (list === undefined) return null
  if (list.length === 0)
    return (
      <p class="hint">None yet. A saved view keeps the query or the datasets, the range and what is hidden, for all of you.</p>
    )
  return (
    <ul aria-label="Saved views">
      {inOrder(list).map((one) => (
        <li key={one.id}>
          <ViewLink class="clip" to={fromSaved(one, view.value)} stays aria-current={one.id === opened?.id ? 'true' : undefined}>
            {one.name}
          </ViewLink>
        </li>
      ))}
    </ul>
  )
}

function SaveButtons({ saved: { opened, start, charted, ask, reload, saving } }: { saved: SavedViewsMenu }) {
  const overwrite = async ({ id, version }: SavedView) => {
    try {
      keepShown(
        start,
        await savedViewRequests.change(id, { ...toSaved(view.value, charted), version: start.current?.version ?? version }),
      )
    } catch (failure) {
      if (!isConflict(failure)) throw failure
      start.current = await savedViewRequests.get(id, new AbortController().signal)
      throw CONFLICT
    } finally {
      reload()
    }
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
        <MenuButton class="" aria-disabled={saving.isBusy} onClick={() => void saving.attempt(() => overwrite(opened))}>
          Save the changes
        </MenuButton>
      )}
      {asks.map(
        ([to, words, isOffered]) =>
          isOffered && (
            <MenuButton key={to} class="" onClick={() => ask(to)}>
              {words}
            </MenuButton>
          ),
      )}
    </div>
  )
}
