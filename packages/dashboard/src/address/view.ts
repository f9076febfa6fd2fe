/**
 * What the page shows, as its address says it: everything that makes up a view is in there, so a link shares it. Pure.
 * Deliberately not here: the browser's history.
 */
export const PAGES = ['explore', 'views', 'annotations', 'monitors', 'datasets', 'integrations', 'tokens'] as const
/** `nowhere` for an address that is none of ours. */
export type Page = (typeof PAGES)[number] | 'nowhere'

export interface View {
  page: Page
  /** Names of the datasets whose events are charted; empty means the first few there are. */
  datasets: readonly string[]
  /** A query in place of the events of `datasets`; empty without one. */
  apl: string
  /** `now-1h` or RFC 3339. */
  startTime: string
  /** `now` or RFC 3339. */
  endTime: string
  /** With how much earlier the charts are compared, `1d`; empty for nothing. */
  compare: string
  /** How results are shown where they can be, `bars`; empty for what suits each best. */
  kind: string
  /** Width of the charts' intervals, `5m`; empty for what suits the range. */
  bin: string
  /** Of the charts' values, `bytes`; empty for what the service knows of them. */
  unit: string
  /** By which column the table or the top list of each chart is sorted, `path desc`; empty for the order of the answer. */
  sort: readonly string[]
  /** A query whose rows are marked on the charts; empty without one. */
  marksQuery: string
  /** Id of the saved view that it started with; empty without one. */
  savedView: string
  /** Datasets whose annotations are not shown. */
  hiddenDatasets: readonly string[]
  /** Types whose annotations are not shown. */
  hiddenTypes: readonly string[]
  /** Types of the annotations that are listed; empty means all. */
  types: readonly string[]
  /** Ids of who made the annotations that are listed; empty means all. */
  createdBy: readonly string[]
  /** Words of the annotations that are listed. */
  text: string
  /** The annotations that are listed are not older; empty for any time. */
  since: string
  /** Ids of the annotations whose panel is open. */
  annotations: readonly string[]
  /** Predicates of the query language that the events pass which are charted and listed. */
  filters: readonly string[]
  /** Fields that are columns of the list of events; without any, each event shows its first fields. */
  columns: readonly string[]
  /** Events are listed with all of their lines. */
  wrap: boolean
  /** The list of fields is open. */
  fields: boolean
  /** Values are drawn on a logarithmic scale. */
  logScale: boolean
  /** The figures of each series stand below its chart. */
  figures: boolean
  /** New events are fetched as they come. */
  live: boolean
  /** How often the page is refreshed, `30s`; empty for never. */
  refresh: string
  /** Times in UTC, not in the zone of the browser. */
  utc: boolean
}

export const DEFAULT_VIEW: View = {
  page: 'explore',
  datasets: [],
  apl: '',
  startTime: 'now-3h',
  endTime: 'now',
  compare: '',
  kind: '',
  bin: '',
  unit: '',
  sort: [],
  marksQuery: '',
  savedView: '',
  hiddenDatasets: [],
  hiddenTypes: [],
  types: [],
  createdBy: [],
  text: '',
  since: '',
  annotations: [],
  filters: [],
  columns: [],
  wrap: false,
  fields: false,
  logScale: false,
  figures: false,
  live: false,
  refresh: '',
  utc: false,
}

/** The most open annotations in an address: servers and people refuse addresses longer than a few thousand characters. */
const ANNOTATIONS_MAX = 100

const LISTS = ['datasets', 'hiddenDatasets', 'hiddenTypes', 'types', 'createdBy', 'annotations'] as const
/** Lists whose items may have commas: a parameter for each item. */
const REPEATED = ['filters', 'columns'] as const
const TEXTS = [
  'apl',
  'startTime',
  'endTime',
  'compare',
  'kind',
  'bin',
  'unit',
  'marksQuery',
  'savedView',
  'text',
  'since',
  'refresh',
] as const
const FLAGS = ['logScale', 'figures', 'wrap', 'fields', 'live', 'utc'] as const

/** Reads an address; what it does not say, or says wrongly, is as by default. */
export function parseView(url: URL): View {
  const page: Page = PAGES.find((name) => url.pathname === pathOf(name)) ?? 'nowhere'
  const view = { ...DEFAULT_VIEW, page }
  const given = url.searchParams
  for (const name of LISTS) view[name] = (given.get(name) ?? '').split(',').filter((item) => item !== '')
  for (const name of REPEATED) view[name] = given.getAll(name).filter((item) => item !== '')
  // Each item is of the chart in its place.
  view.sort = withoutEmptyEnd(given.getAll('sort'))
  for (const name of TEXTS) view[name] = given.get(name) || DEFAULT_VIEW[name]
  for (const name of FLAGS) view[name] = given.get(name) === 'true'
  return view
}

/** @returns path and parameters, those as by default left out */
export function formatView(view: View): string {
  const given = new URLSearchParams()
  const lists = { ...view, annotations: view.annotations.slice(0, ANNOTATIONS_MAX) }
  for (const name of LISTS) if (lists[name].length > 0) given.set(name, lists[name].join(','))
  for (const name of REPEATED) for (const item of view[name]) given.append(name, item)
  for (const item of view.sort) given.append('sort', item)
  for (const name of TEXTS) if (view[name] !== DEFAULT_VIEW[name]) given.set(name, view[name])
  // Without a range, the address of a saved view means the one that was saved.
  if (view.page === 'views' && view.savedView !== '') given.set('startTime', view.startTime)
  for (const name of FLAGS) if (view[name]) given.set(name, 'true')
  // Commas and colons may stand in an address as they are, and are read more easily so.
  const search = given.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return pathOf(view.page) + (search && `?${search}`)
}

function pathOf(page: Page): string {
  return page === 'explore' ? '/' : `/${page}`
}

/** @returns the list without the item if it was there, with it if not */
export function toggle(list: readonly string[], item: string): string[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item]
}

/** @returns the list with another item in a place, no longer than to its last item; an item before it may be empty */
export function putAt(list: readonly string[], place: number, item: string): string[] {
  const length = Math.max(list.length, place + 1)
  return withoutEmptyEnd(Array.from({ length }, (_, at) => (at === place ? item : (list[at] ?? ''))))
}

export function withoutEmptyEnd(list: readonly string[]): string[] {
  return list.slice(0, list.findLastIndex((item) => item !== '') + 1)
}
