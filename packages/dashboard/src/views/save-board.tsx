/** Keeps the range and what is hidden with a saved view, once they are other than they were saved. */
import { boardOf } from '../explore/saved-view.ts'
import type { NewSavedView, SavedView } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { view } from '../view/navigation.ts'
import type { Change } from './use-change.ts'

export function SaveBoard({ saved, change }: { saved: SavedView; change: Change }) {
  const now = view.value
  const then = boardOf(saved, now)
  const names = ['startTime', 'endTime', 'compare', 'hiddenDatasets', 'hiddenTypes'] as const
  const isSame = names.every((name) => String(now[name]) === String(then[name]))
  if (isSame || !may('views|update')) return null
  const { startTime, endTime, compare, hiddenDatasets, hiddenTypes } = now
  const save = () =>
    change.save({
      startTime,
      endTime,
      compareWith: compare as NonNullable<NewSavedView['compareWith']>,
      hiddenDatasets: [...hiddenDatasets],
      hiddenTypes: [...hiddenTypes],
    })
  return (
    <button type="button" aria-disabled={change.isBusy} onClick={save}>
      Save the range and what is hidden
    </button>
  )
}
