/** Somebody else saved the view that a person is about to save: whose it is to be, that person decides. */
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { getSavedView, type SavedView } from '../service/saved-views.ts'

interface ConflictProps {
  saved: SavedView
  /** Saves what is on the page over the version that the person was told of. */
  onOverwrite: (now: SavedView) => Promise<void>
  onShow: (now: SavedView) => void
  onClose: () => void
}

export function Conflict({ saved: { id, name }, onOverwrite, onShow, onClose }: ConflictProps) {
  const { error, isBusy, attempt } = useAttempt()
  const withLatest = (act: (now: SavedView) => Promise<void>) =>
    attempt(async () => act(await getSavedView(id, new AbortController().signal)))
  return (
    <Dialog title="Somebody else changed this view" onClose={onClose}>
      <p>
        <strong class="clip">{name}</strong> was saved by somebody else since you opened it.
      </p>
      <Failure error={error} />
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger" aria-disabled={isBusy} onClick={() => void withLatest(onOverwrite)}>
          Save mine over it
        </button>
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void withLatest(async (now) => onShow(now))}>
          Show theirs
        </button>
      </div>
    </Dialog>
  )
}
