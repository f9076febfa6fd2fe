/** Changes of a saved view that somebody else may change, too: the later one of two is refused, and shown what the other did. */
import { useState } from 'preact/hooks'
import { useAttempt } from '../parts/use-attempt.ts'
import { AnswerError } from '../service/request.ts'
import { changeSavedView, type NewSavedView, type SavedChart, type SavedView } from '../service/saved-views.ts'

export interface Change {
  error: unknown
  isBusy: boolean
  /** @param members those that are to be other */
  save: (members: Partial<NewSavedView>) => void
  /** Its charts are to be these, in this order. */
  saveCharts: (charts: readonly SavedChart[]) => void
}

/** @param onChanged it is other than it was, by this person or by somebody else */
export function useChange({ id, version }: SavedView, onChanged: () => void): Change {
  const { error, isBusy, attempt } = useAttempt()
  const [lost, setLost] = useState<Error>()
  const save = (members: Partial<NewSavedView>) =>
    void attempt(async () => {
      setLost(undefined)
      try {
        await changeSavedView(id, { ...members, version })
      } catch (failure) {
        if (!(failure instanceof AnswerError && failure.status === 409)) throw failure
        setLost(new Error('Somebody else changed this view meanwhile. This is how it is now: do it again if you still want to.'))
      }
      onChanged()
    })
  return {
    error: lost ?? error,
    isBusy,
    save,
    // What had one chart before has several now.
    saveCharts: (charts) => save({ charts: [...charts], aplQuery: '', datasets: [] }),
  }
}
