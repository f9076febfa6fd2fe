/** Converts between the view of a page and a saved view; one with several charts has a page of its own. Pure. */
import { RESULT_KINDS } from '@deployment-annotations/contract/saved-view'
import { VALUE_UNITS } from '@deployment-annotations/contract/unit'
import { parseStep } from '../address/range.ts'
import { DEFAULT_VIEW, type View, withoutEmptyEnd } from '../address/view.ts'
import { filterDataset, filterQuery } from '../filters/filtered.ts'
import { fromOrder, toOrder } from '../query/sorting.ts'
import type { NewSavedView, SavedChart, SavedView } from '../service/saved-views.ts'

/** What is saved of a view: the name of each member in the address, and in a saved view. */
const SAVED_AS = {
  apl: 'aplQuery',
  datasets: 'datasets',
  startTime: 'startTime',
  endTime: 'endTime',
  compare: 'compareWith',
  hiddenDatasets: 'hiddenDatasets',
  hiddenTypes: 'hiddenTypes',
  filters: 'filters',
  columns: 'columns',
  wrap: 'wrapLines',
  kind: 'resultKind',
  bin: 'binWidth',
  unit: 'unit',
  annotationsQuery: 'annotationsQuery',
} as const satisfies Partial<Record<keyof View, keyof NewSavedView>>
type SavedName = keyof typeof SAVED_AS
const NAMES = Object.keys(SAVED_AS) as SavedName[]

/** @returns the members of the view that have these names, as they are saved */
export function savedMembers(view: View, names: readonly SavedName[]): Partial<NewSavedView> {
  return Object.fromEntries(names.map((name) => [SAVED_AS[name], view[name]]))
}

/** @param charted the charted datasets: without them the view would change as soon as there are more datasets */
export function toSaved(view: View, charted: readonly string[]): Omit<NewSavedView, 'name'> {
  return {
    ...(savedMembers(view, NAMES) as Omit<NewSavedView, 'name'>),
    // Other sources of a query, such as `_annotations`, are no datasets.
    datasets: charted.filter((name) => !name.startsWith('_')),
    // An address may have an unknown kind, which the service would refuse.
    resultKind: RESULT_KINDS.find((kind) => kind === view.kind) ?? '',
    binWidth: parseStep(view.bin) === undefined ? '' : view.bin,
    unit: VALUE_UNITS.find((unit) => unit === view.unit) ?? '',
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
  return { ...from, page: 'explore', ...shownOf(saved), sort: withoutEmptyEnd([fromOrder(saved.order)]) }
}

function shownOf(saved: SavedView): Pick<View, SavedName | 'savedView' | 'annotations'> {
  const shown: Record<string, unknown> = Object.fromEntries(NAMES.map((name) => [name, saved[SAVED_AS[name]]]))
  return { ...(shown as Pick<View, SavedName>), savedView: saved.id, annotations: DEFAULT_VIEW.annotations }
}

/** @returns the view of the page of several charts; the saved view has the charts, and not the address */
export function boardOf(saved: SavedView, from: View): View {
  const { apl, datasets } = DEFAULT_VIEW
  // The charts of a view that had one have its filters in their queries.
  const filters = saved.charts.length > 0 ? saved.filters : DEFAULT_VIEW.filters
  const sort = withoutEmptyEnd(chartsOfSaved(saved).map(({ order }) => fromOrder(order)))
  return { ...from, page: 'views', ...shownOf(saved), sort, apl, datasets, filters }
}

/** @returns whether the view shows what was saved */
export function isAsSaved(view: View, saved: SavedView): boolean {
  // A query names its datasets itself.
  const names = NAMES.filter((name) => name !== 'datasets' || view.apl === '')
  return isAlike(view, fromSaved(saved, view), [...names, 'sort'])
}

/** The order of these lists is a choice; the order of the others says nothing. */
const ORDERED: readonly string[] = ['columns', 'sort']

/** @returns whether the members with these names are the same in both views */
export function isAlike(one: View, other: View, names: readonly (SavedName | 'sort')[]): boolean {
  return names.every((name) => {
    const [text, otherText] = [one[name], other[name]].map((value) =>
      JSON.stringify(Array.isArray(value) && !ORDERED.includes(name) ? value.toSorted() : value),
    )
    return text === otherText
  })
}
