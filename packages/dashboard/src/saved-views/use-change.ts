/** Changes of a saved view that somebody else may change, too: the later one of two is refused, and shown what the other did. */
import { useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { withoutEmptyEnd } from '../address/view.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { AnswerError } from '../service/request.ts'
import { changeSavedView, type NewSavedView, type SavedChart, type SavedView } from '../service/saved-views.ts'
import { chartsOfSaved } from './saved-view.ts'

export interface Change {
  error: unknown
  isBusy: boolean
  /** @param members those that are to be other */
  save: (members: Partial<NewSavedView>) => void
  /** Its charts are to be these. */
  saveCharts: (charts: readonly SavedChart[]) => void
  /** Its charts are to be those in these places of now, in this order. */
  arrange: (places: readonly number[]) => void
}

/** @param onChanged it is other than it was, by this person or by somebody else */
export function useChange(saved: SavedView, onChanged: () => void): Change {
  const { id, version } = saved
  const { error, isBusy, attempt } = useAttempt()
  const [lost, setLost] = useState<Error>()
  const save = (members: Partial<NewSavedView>, onSaved?: () => void) =>
    void attempt(async () => {
      setLost(undefined)
      try {
        await changeSavedView(id, { ...members, version })
        onSaved?.()
      } catch (failure) {
        if (!(failure instanceof AnswerError && failure.status === 409)) throw failure
        setLost(new Error('Somebody else changed this view meanwhile. This is how it is now: do it again if you still want to.'))
      }
      onChanged()
    })
  return {
    error: lost ?? error,
    isBusy,
    save: (members) => save(members),
    saveCharts: (charts) => save(severalOf(charts)),
    arrange: (places) => {
      const charts = chartsOfSaved(saved)
      // What the address sorts a chart by goes with it.
      const sort = () => withoutEmptyEnd(places.map((place) => view.value.sort[place] ?? ''))
      save(severalOf(places.flatMap((place) => charts[place] ?? [])), () => navigate({ sort: sort() }, true))
    },
  }
}

/** What had one chart before has several now. */
export function severalOf(charts: readonly SavedChart[]): Partial<NewSavedView> {
  return { charts: [...charts], aplQuery: '', datasets: [], order: [] }
}
