/**
 * The views that were saved, for everybody who may read them: opened, saved, renamed and deleted. They are asked for when somebody
 * looks, or when the page's address names one.
 */
import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { changeSavedView, createSavedView, deleteSavedView, listSavedViews, type SavedView } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { navigate, view } from '../view/navigation.ts'
import { NameForm } from './name-form.tsx'
import { fromSaved, isAsSaved, toSaved } from './saved-view.ts'
import { SavedViewList } from './saved-view-list.tsx'

/** What is asked in a dialog. */
type Asked = { to: 'save' } | { to: 'rename' | 'delete'; saved: SavedView }

/** @param charted the datasets on screen */
export function SavedViews({ charted }: { charted: readonly string[] }) {
  const { savedView } = view.value
  const [looks, setLooks] = useState(0)
  const [asked, ask] = useState<Asked>()
  const mayRead = may('views|read')
  const isWanted = mayRead && (looks > 0 || savedView !== '')
  const look = () => setLooks((before) => before + 1)
  const { data, error } = useLoad(isWanted ? listSavedViews : undefined, [isWanted, looks])
  const opened = data?.find(({ id }) => id === savedView)
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
          <SaveButtons opened={opened} charted={charted} onSave={() => ask({ to: 'save' })} onSaved={look} />
        </div>
      </Menu>
      {asked && (
        <Question
          asked={asked}
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

function Summary({ opened }: { opened: SavedView | undefined }) {
  if (!opened) return <>Saved views</>
  return (
    <>
      View: <strong class="clip">{opened.name}</strong>
      {!isAsSaved(view.value, opened) && <span class="hint">changed</span>}
    </>
  )
}

interface SaveButtonsProps {
  opened: SavedView | undefined
  charted: readonly string[]
  /** A name is needed. */
  onSave: () => void
  /** The opened one is as it is on screen. */
  onSaved: () => void
}

function SaveButtons({ opened, charted, onSave, onSaved }: SaveButtonsProps) {
  const { error, isBusy, attempt } = useAttempt()
  const overwrite = async (saved: SavedView) => {
    keepShown(await changeSavedView(saved.id, toSaved(view.value, charted)))
    onSaved()
  }
  return (
    <div class="row">
      {opened && may('views|update') && !isAsSaved(view.value, opened) && (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={({ currentTarget }) => {
            closeMenu(currentTarget)
            void attempt(() => overwrite(opened))
          }}
        >
          Save the changes
        </button>
      )}
      {may('views|create') && (
        <button
          type="button"
          onClick={({ currentTarget }) => {
            closeMenu(currentTarget)
            onSave()
          }}
        >
          Save this view as…
        </button>
      )}
      <Failure error={error} />
    </div>
  )
}

interface QuestionProps {
  asked: Asked
  charted: readonly string[]
  onClose: () => void
  onDone: () => void
}

function Question({ asked, charted, onClose, onDone }: QuestionProps) {
  if (asked.to === 'save') {
    const save = async (name: string) => {
      keepShown(await createSavedView({ name, ...toSaved(view.value, charted) }))
      onDone()
    }
    return <NameForm title="Save this view" name="" onClose={onClose} task={save} />
  }
  const { saved } = asked
  if (asked.to === 'rename') {
    const rename = async (name: string) => {
      await changeSavedView(saved.id, { name })
      onDone()
    }
    return <NameForm title="Rename the saved view" name={saved.name} onClose={onClose} task={rename} />
  }
  const remove = async () => {
    await deleteSavedView(saved.id)
    if (view.value.savedView === saved.id) navigate({ savedView: '' }, true)
    onDone()
  }
  return (
    <Confirm title="Delete the saved view?" action="Delete" onClose={onClose} task={remove}>
      <p>
        <strong class="clip">{saved.name}</strong> goes away for everybody. What is on the page stays.
      </p>
    </Confirm>
  )
}

/** What is on screen is what was just saved: its address says so. */
function keepShown({ id, datasets }: SavedView): void {
  navigate({ savedView: id, datasets }, true)
}
