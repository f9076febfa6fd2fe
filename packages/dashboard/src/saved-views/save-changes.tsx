/** Changes a saved view, and says so if somebody else has changed it meanwhile. */
import { navigate, view } from '../address/navigation.ts'
import { withoutEmptyEnd } from '../address/view.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { AnswerError } from '../service/request.ts'
import { type NewSavedView, type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { isAsSaved, toSaved } from './saved-view.ts'

const CONFLICT = 'Somebody else changed this view meanwhile. Do it again if you still want to.'

export type Change = ReturnType<typeof useChange>

/** @param onChanged called when this person or somebody else has changed the view */
export function useChange(saved: SavedView | undefined, onChanged: () => void) {
  const { error, isBusy, attempt } = useAttempt()
  /** @param sort of its charts in the address, where these change their places */
  const save = (members: Partial<NewSavedView>, sort?: readonly string[]) =>
    void attempt(async () => {
      if (!saved) return
      try {
        await savedViewRequests.change(saved.id, { ...members, version: saved.version })
        if (sort) navigate({ sort: withoutEmptyEnd(sort) }, true)
      } catch (failure) {
        throw failure instanceof AnswerError && failure.status === 409 ? new Error(CONFLICT) : failure
      } finally {
        onChanged()
      }
    })
  return { error, isBusy, save }
}

interface SaveChangesProps {
  saved: SavedView
  /** The charted datasets. */
  charted: readonly string[]
  change: Change
}

/** Is there if the page shows something else than what was saved. */
export function SaveChanges({ saved, charted, change }: SaveChangesProps) {
  if (isAsSaved(view.value, saved) || !may('views|update', charted)) return null
  const save = () => change.save(toSaved(view.value, charted, saved.charts))
  return (
    <button type="button" aria-disabled={change.isBusy} onClick={save}>
      Save the changes
    </button>
  )
}
