/** What of a page's view is saved under a name, and the view of what was saved. Pure. */
import type { NewSavedView, SavedView } from '../service/saved-views.ts'
import { DEFAULT_VIEW, type View } from '../view/view.ts'

/** @param charted the datasets on screen: without them a view would show others as soon as there are more */
export function toSaved(view: View, charted: readonly string[]): Omit<NewSavedView, 'name'> {
  return {
    aplQuery: view.apl,
    // Other sources of a query, such as `_annotations`, are no datasets.
    datasets: charted.filter((name) => !name.startsWith('_')),
    startTime: view.startTime,
    endTime: view.endTime,
    compareWith: view.compare as NonNullable<NewSavedView['compareWith']>,
    hiddenDatasets: [...view.hiddenDatasets],
    hiddenTypes: [...view.hiddenTypes],
    filters: [...view.filters],
    columns: [...view.columns],
    wrapLines: view.wrap,
  }
}

/** @param from what is not saved, such as the zone, stays as it is there */
export function fromSaved(saved: SavedView, from: View): View {
  return {
    ...from,
    page: 'explore',
    savedView: saved.id,
    apl: saved.aplQuery,
    datasets: saved.datasets,
    startTime: saved.startTime,
    endTime: saved.endTime,
    compare: saved.compareWith,
    hiddenDatasets: saved.hiddenDatasets,
    hiddenTypes: saved.hiddenTypes,
    filters: saved.filters,
    columns: saved.columns,
    wrap: saved.wrapLines,
    annotations: DEFAULT_VIEW.annotations,
  }
}

/** @returns whether the view shows what was saved */
export function isAsSaved(view: View, saved: SavedView): boolean {
  const then = fromSaved(saved, view)
  return (
    view.apl === then.apl &&
    // A query names its datasets itself.
    (view.apl !== '' || isSame(view.datasets, then.datasets)) &&
    view.startTime === then.startTime &&
    view.endTime === then.endTime &&
    view.compare === then.compare &&
    isSame(view.hiddenDatasets, then.hiddenDatasets) &&
    isSame(view.hiddenTypes, then.hiddenTypes) &&
    isSame(view.filters, then.filters) &&
    // Their order is what somebody chose.
    JSON.stringify(view.columns) === JSON.stringify(then.columns) &&
    view.wrap === then.wrap
  )
}

/** In whichever order. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}
