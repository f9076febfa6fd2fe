/** Converts between the view of a page and a saved view; one with several charts has a page of its own. Pure. */
import { RESULT_KINDS } from '@deployment-annotations/contract/saved-view'
import { VALUE_UNITS } from '@deployment-annotations/contract/unit'
import { parseStep } from '../address/range.ts'
import { DEFAULT_VIEW, type View, withoutEmptyEnd } from '../address/view.ts'
import { filterDataset, filterQuery } from '../filters/filtered.ts'
import { fromOrder, toOrder } from '../query/sorting.ts'
import type { NewSavedView, SavedChart, SavedView } from '../service/saved-views.ts'

/** @param charted the charted datasets: without them the view would change as soon as there are more datasets */
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
    // An address may have an unknown kind, which the service would refuse.
    resultKind: RESULT_KINDS.find((kind) => kind === view.kind) ?? '',
    binWidth: parseStep(view.bin) === undefined ? '' : view.bin,
    unit: VALUE_UNITS.find((unit) => unit === view.unit) ?? '',
    logScale: view.logScale,
    showFigures: view.figures,
    annotationsQuery: view.annotationsQuery,
    order: toOrder(view.sort[0]),
  }
}

/** @returns the query, or each of the datasets, as a chart with the filters in its query */
export function chartsOf(
  { apl, filters, sort }: Pick<View, 'apl' | 'filters' | 'sort'>,
  charted: readonly string[],
  title: string,
): SavedChart[] {
  const datasets = charted.filter((name) => !name.startsWith('_'))
  if (apl !== '') return [{ title, aplQuery: filterQuery(apl, filters), datasets, order: toOrder(sort[0]) }]
  const mayLack = datasets.length > 1
  return datasets.map((name) => ({ title: name, aplQuery: filterDataset(name, filters, mayLack), datasets: [name] }))
}

/** @returns the charts of a view that has several, or the one chart of another view */
export function chartsOfSaved({ charts, aplQuery, datasets, filters, order, name }: SavedView): SavedChart[] {
  return charts.length > 0 ? charts : chartsOf({ apl: aplQuery, filters, sort: [fromOrder(order)] }, datasets, name)
}

/** @param from the view that has what is not saved, such as the zone */
export function fromSaved(saved: SavedView, from: View): View {
  if (saved.charts.length > 0) return boardOf(saved, from)
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
    sort: withoutEmptyEnd([fromOrder(saved.order)]),
    ...lookOf(saved),
    annotations: DEFAULT_VIEW.annotations,
  }
}

/** Returns the display of results as an address has it. */
function lookOf({ resultKind, binWidth, unit, logScale, showFigures, annotationsQuery }: SavedView) {
  return { kind: resultKind, bin: binWidth, unit, logScale, figures: showFigures, annotationsQuery }
}

/** @returns the view of the page of several charts; the saved view has the charts, and not the address */
export function boardOf(saved: SavedView, from: View): View {
  const { id, startTime, endTime, compareWith, hiddenDatasets, hiddenTypes } = saved
  const { apl, datasets, annotations } = DEFAULT_VIEW
  // The charts of a view that had one have its filters in their queries.
  const filters = saved.charts.length > 0 ? saved.filters : DEFAULT_VIEW.filters
  const sort = withoutEmptyEnd(chartsOfSaved(saved).map(({ order }) => fromOrder(order)))
  const shown = { startTime, endTime, compare: compareWith, hiddenDatasets, hiddenTypes, sort, ...lookOf(saved) }
  return { ...from, page: 'views', savedView: id, ...shown, apl, datasets, filters, annotations }
}

const SHOWN = ['startTime', 'endTime', 'compare', 'kind', 'bin', 'unit', 'logScale', 'figures', 'annotationsQuery'] as const

/** @returns whether the view shows what was saved */
export function isAsSaved(view: View, saved: SavedView): boolean {
  const then = fromSaved(saved, view)
  return (
    view.apl === then.apl &&
    // A query names its datasets itself.
    (view.apl !== '' || isSame(view.datasets, then.datasets)) &&
    SHOWN.every((name) => view[name] === then[name]) &&
    isSame(view.hiddenDatasets, then.hiddenDatasets) &&
    isSame(view.hiddenTypes, then.hiddenTypes) &&
    isSame(view.filters, then.filters) &&
    JSON.stringify(view.sort) === JSON.stringify(then.sort) &&
    // Somebody chose the order of the columns.
    JSON.stringify(view.columns) === JSON.stringify(then.columns) &&
    view.wrap === then.wrap
  )
}

/** Compares lists regardless of their order. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}
