/** Keeps the range, what is hidden and what tables are sorted by with a saved view, once they are other than they were saved. */

import { view } from '../address/navigation.ts'
import { toOrder } from '../query/sorting.ts'
import type { NewSavedView, SavedView } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { boardOf, chartsOfSaved } from './saved-view.ts'
import { type Change, severalOf } from './use-change.ts'

export function SaveBoard({ saved, change }: { saved: SavedView; change: Change }) {
  const now = view.value
  const then = boardOf(saved, now)
  const names = ['startTime', 'endTime', 'compare', 'hiddenDatasets', 'hiddenTypes'] as const
  const isSorted = JSON.stringify(now.sort) === JSON.stringify(then.sort)
  const isSame = isSorted && names.every((name) => String(now[name]) === String(then[name]))
  if (isSame || !may('views|update')) return null
  const { startTime, endTime, compare, hiddenDatasets, hiddenTypes, sort } = now
  const sorted = () => chartsOfSaved(saved).map((chart, at) => ({ ...chart, order: toOrder(sort[at]) }))
  const save = () =>
    change.save({
      startTime,
      endTime,
      compareWith: compare as NonNullable<NewSavedView['compareWith']>,
      hiddenDatasets: [...hiddenDatasets],
      hiddenTypes: [...hiddenTypes],
      ...(!isSorted && severalOf(sorted())),
    })
  return (
    <button type="button" aria-disabled={change.isBusy} onClick={save}>
      Save the changes
    </button>
  )
}
