/** What of a page's view is saved under a name, and the view of what was saved. Pure. */
import { RESULT_KINDS, VALUE_UNITS } from '@deployment-annotations/contract/saved-view'
import type { NewSavedView, SavedView } from '../service/saved-views.ts'
import { parseStep } from '../view/range.ts'
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
    // An address may say what there is not; the service would refuse it.
    resultKind: RESULT_KINDS.find((kind) => kind === view.kind) ?? '',
    binWidth: parseStep(view.bin) === undefined ? '' : view.bin,
    unit: VALUE_UNITS.find((unit) => unit === view.unit) ?? '',
    logScale: view.logScale,
    showFigures: view.figures,
    marksQuery: view.marksQuery,
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
    kind: saved.resultKind,
    bin: saved.binWidth,
    unit: saved.unit,
    logScale: saved.logScale,
    figures: saved.showFigures,
    marksQuery: saved.marksQuery,
    annotations: DEFAULT_VIEW.annotations,
  }
}

const SHOWN = ['startTime', 'endTime', 'compare', 'kind', 'bin', 'unit', 'logScale', 'figures', 'marksQuery'] as const

/** @returns whether the view shows what was saved */
export function isAsSaved(view: View, saved: SavedView): boolean {
  const then = fromSaved(saved, view)
  return (
    view.apl === then.apl &&
    // A query names its datasets itself.
    (view.apl !== '' || isSame(view.datasets, then.datasets)) &&
    SHOWN.every((name) => view[name] === then[name]) &&
    isSame(view.hiddenDatasets, then.hiddenDatasets) &&
    isSame(view.hiddenTypes, then.hiddenTypes)
  )
}

/** In whichever order. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}
