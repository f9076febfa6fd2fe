/** Converts between the view of a page and a saved view; one with several charts has a page of its own. Pure. */
import { RESULT_KINDS } from '@deployment-annotations/contract/saved-view'
import { VALUE_UNITS } from '@deployment-annotations/contract/unit'
import { parseStep } from '../address/range.ts'
import { DEFAULT_VIEW, formatView, type View, withoutEmptyEnd } from '../address/view.ts'
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

const NO_CHARTS: readonly SavedChart[] = []

/**
 * @param charted the charted datasets: without them the view would change as soon as there are more datasets
 * @param charts of a view that has several, which name their datasets themselves
 */
export function toSaved(view: View, charted: readonly string[], charts = NO_CHARTS): Omit<NewSavedView, 'name'> {
  const isBoard = charts.length > 0
  const members: Partial<NewSavedView> = Object.fromEntries(NAMES.map((name) => [SAVED_AS[name], view[name]]))
  return {
    ...(members as Omit<NewSavedView, 'name'>),
    datasets: isBoard ? [] : datasetsOf(charted),
    // An address may have an unknown kind, which the service would refuse.
    resultKind: RESULT_KINDS.find((kind) => kind === view.kind) ?? '',
    binWidth: parseStep(view.bin) === undefined ? '' : view.bin,
    unit: VALUE_UNITS.find((unit) => unit === view.unit) ?? '',
    order: isBoard ? [] : toOrder(view.sort[0]),
    charts: charts.map((chart, at) => ({ ...chart, order: toOrder(view.sort[at]) })),
  }
}

/** Other sources of a query, such as `_annotations`, are no datasets. */
const datasetsOf = (charted: readonly string[]) => charted.filter((name) => !name.startsWith('_'))

/** @returns the query, or each of the datasets, as a chart with the filters in its query */
export function chartsOf(
  { apl, filters, sort }: Pick<View, 'apl' | 'filters' | 'sort'>,
  charted: readonly string[],
  title: string,
): SavedChart[] {
  const datasets = datasetsOf(charted)
  if (apl !== '') return [{ title, aplQuery: filterQuery(apl, filters), datasets, order: toOrder(sort[0]) }]
  const mayLack = datasets.length > 1
  return datasets.map((name) => ({ title: name, aplQuery: filterDataset(name, filters, mayLack), datasets: [name] }))
}

/** @returns what makes a view one of more charts; the one chart of another view stays the first of them */
export function withCharts(saved: SavedView, more: readonly SavedChart[]): Partial<NewSavedView> {
  const { charts, aplQuery: apl, datasets, filters, order, name } = saved
  if (charts.length > 0) return { charts: [...charts, ...more] }
  const first = chartsOf({ apl, filters, sort: [fromOrder(order)] }, datasets, name)
  return { charts: [...first, ...more], aplQuery: '', datasets: [], filters: [], order: [] }
}

/** @param from the view that has what is not saved, such as the zone */
export function fromSaved(saved: SavedView, from: View): View {
  const { id, charts, order } = saved
  const members: Partial<View> = Object.fromEntries(NAMES.map((name) => [name, saved[SAVED_AS[name]]]))
  const orders = charts.length > 0 ? charts.map((chart) => chart.order) : [order]
  return {
    ...from,
    ...(members as Pick<View, SavedName>),
    page: charts.length > 0 ? 'views' : 'explore',
    savedView: id,
    annotations: DEFAULT_VIEW.annotations,
    sort: withoutEmptyEnd(orders.map(fromOrder)),
  }
}

/** @returns whether the view shows what was saved */
export function isAsSaved(view: View, saved: SavedView): boolean {
  const { apl, datasets, annotations } = view
  // A query names its datasets itself.
  const given = apl === '' ? {} : { datasets }
  return formatView({ ...fromSaved(saved, view), annotations, ...given }) === formatView(view)
}
