/** Changes a saved view, and asks which version to keep if somebody else has changed it meanwhile. */
import { useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { withoutEmptyEnd } from '../address/view.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { AnswerError } from '../service/request.ts'
import { type NewSavedView, type SavedChart, type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { chartsOfSaved } from './saved-view.ts'

export const CONFLICT = new Error('Somebody else changed this view meanwhile. Do it again if you still want to.')

export type Change = ReturnType<typeof useChange>

/** @param onChanged called when this person or somebody else has changed the view */
export function useChange(saved: SavedView, onChanged: () => void) {
  const { id, version } = saved
  const { error, isBusy, attempt } = useAttempt()
  const [lost, setLost] = useState<Error>()
  const save = (members: Partial<NewSavedView>, onSaved?: () => void) =>
    void attempt(async () => {
      setLost(undefined)
      try {
        await savedViewRequests.change(id, { ...members, version })
        onSaved?.()
      } catch (failure) {
        if (!isConflict(failure)) throw failure
        setLost(CONFLICT)
      }
      onChanged()
    })
  return {
    error: lost ?? error,
    isBusy,
    /** @param members the members to change */
    save: (members: Partial<NewSavedView>) => save(members),
    /** Replaces its charts. */
    saveCharts: (charts: readonly SavedChart[]) => save(severalOf(charts)),
    /** Keeps the charts at these indexes, in this order. */
    arrange: (places: readonly number[]) => {
      const charts = chartsOfSaved(saved)
      // The sorting of each chart in the address moves with it.
      const sort = () => withoutEmptyEnd(places.map((place) => view.value.sort[place] ?? ''))
      save(severalOf(places.flatMap((place) => charts[place] ?? [])), () => navigate({ sort: sort() }, true))
    },
  }
}

/** @returns whether somebody else has changed the view meanwhile */
export function isConflict(failure: unknown): boolean {
  return failure instanceof AnswerError && failure.status === 409
}

/** Turns a view of one chart into one of several. */
export function severalOf(charts: readonly SavedChart[]): Partial<NewSavedView> {
  return { charts: [...charts], aplQuery: '', datasets: [], order: [] }
}
