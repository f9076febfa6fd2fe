/** The view of the page, as its address says it: a link shares all of it. Pure. Deliberately not here: the browser's history. */
import { formatParameters } from '@deployment-annotations/contract/page-address'
import { readZone } from './zone.ts'

const PAGES = ['explore', 'releases', 'views', 'annotations', 'monitors', 'datasets', 'integrations', 'tokens'] as const
/** `nowhere` stands for an address that is none of the page's. */
type Page = (typeof PAGES)[number] | 'nowhere'
/** Where somebody is: the page of charts is the home page until a query, events or fields are looked at, which is to explore. */
export type Place = Page | 'home'

const NO_NAMES: readonly string[] = []
/** How an address says every environment. Without one it means production: what is tried elsewhere is of interest to few. */
export const ANYWHERE = 'all'

/** What the page shows, with the default of each member. */
export const DEFAULT_VIEW = {
  page: 'explore' as Page,
  /** Names of the datasets whose events are charted; empty means the first few there are. */
  datasets: NO_NAMES,
  /** A query in place of the events of `datasets`; empty without one. */
  apl: '',
  /** `now-1h` or RFC 3339. */
  startTime: 'now-3h',
  /** `now` or RFC 3339. */
  endTime: 'now',
  /** How much earlier the data is that the charts are compared with, such as `1d`; empty for no comparison. */
  compare: '',
  /** How results are shown where possible, such as `table`; empty for what suits each best. */
  kind: '',
  /** The width of the charts' intervals, such as `5m`; empty for what suits the range. */
  bin: '',
  /** The unit of the charts' values, such as `bytes`; empty for what the service knows of them. */
  unit: '',
  /** The column by which the table of each chart is sorted, such as `path desc`, or `harm` of releases; empty for the usual order. */
  sort: NO_NAMES,
  /** A query whose rows are marked on the charts; empty without one. */
  annotationsQuery: '',
  /** The id of the saved view that this view started with; empty without one. */
  savedView: '',
  /** The id of the monitor, dataset and so on whose form is open, or such as `new-monitor`; empty without one. */
  open: '',
  /** Datasets whose annotations are not shown. */
  hiddenDatasets: NO_NAMES,
  /** Types whose annotations are not shown. */
  hiddenTypes: NO_NAMES,
  /** Such as `hurt`, of the releases that are listed; empty means all. */
  types: NO_NAMES,
  /** Words that what is listed contains. */
  text: '',
  /** The earliest time of the listed annotations; empty for any time. */
  since: '',
  /** The service whose releases are listed; empty for all. */
  service: '',
  /** The environment of the annotations and the releases; empty for production. */
  environment: '',
  /** The moment of which is shown what changed before it; empty without one. */
  moment: '',
  /** Ids of the annotations whose panel is open. */
  annotations: NO_NAMES,
  /** Predicates of the query language; events that do not pass them are neither charted nor listed. */
  filters: NO_NAMES,
  /** Fields that are columns of the list of events; without any, each event shows its first fields. */
  columns: NO_NAMES,
  /** Whether events are listed with all of their lines. */
  wrap: false,
  /** Whether the list of fields is open. */
  fields: false,
  /** Whether the events are listed below the charts; those of a query always are. */
  events: false,
  /** Whether new events are fetched as they arrive. */
  live: false,
  /** How often the page is refreshed, such as `30s`; empty for never. */
  refresh: '',
  /** The zone in which times are shown, such as `America/New_York`; empty for the browser's. */
  zone: '',
}

export type View = typeof DEFAULT_VIEW

export function placeOf({ page, apl, events, fields, live, filters, savedView }: View): Place {
  const isExploring = apl !== '' || events || fields || live || filters.length > 0 || savedView !== ''
  return page === 'explore' && !isExploring ? 'home' : page
}

/** The members with values of a type. */
type Of<T> = { [K in keyof View]: View[K] extends T ? K : never }[keyof View]

const namesOf = <T>(is: (value: unknown) => boolean, but: readonly string[] = []) =>
  Object.entries(DEFAULT_VIEW).flatMap(([name, value]) => (is(value) && !but.includes(name) ? [name] : [])) as Of<T>[]

/** The items of these lists may contain commas, so each item has a parameter of its own. */
const REPEATED = ['filters', 'columns'] as const
const LISTS = namesOf<readonly string[]>(Array.isArray, [...REPEATED, 'sort'])
const TEXTS = namesOf<string>((value) => typeof value === 'string', ['page', 'zone']) as Exclude<Of<string>, 'page'>[]
const FLAGS = namesOf<boolean>((value) => typeof value === 'boolean')

/** The most open annotations in an address: servers refuse addresses longer than a few thousand characters. */
const ANNOTATIONS_MAX = 100

/** Reads an address; a parameter that is missing or wrong has its default. */
export function parseView(url: URL): View {
  const page: Page = PAGES.find((name) => url.pathname === pathOf(name)) ?? 'nowhere'
  const view = { ...DEFAULT_VIEW, page }
  const given = url.searchParams
  for (const name of LISTS) view[name] = (given.get(name) ?? '').split(',').filter((item) => item !== '')
  for (const name of REPEATED) view[name] = given.getAll(name).filter((item) => item !== '')
  // Each item belongs to the chart at the same position, so empty ones stay.
  view.sort = withoutEmptyEnd(given.getAll('sort'))
  for (const name of TEXTS) view[name] = given.get(name) || DEFAULT_VIEW[name]
  for (const name of FLAGS) view[name] = given.get(name) === 'true'
  view.zone = given.get('utc') === 'true' ? 'UTC' : readZone(given.get('zone') ?? '')
  return view
}

/** @returns the path and the parameters; defaults are left out */
export function formatView(view: View): string {
  const given = new URLSearchParams()
  const lists = { ...view, annotations: view.annotations.slice(0, ANNOTATIONS_MAX) }
  for (const name of LISTS) if (lists[name].length > 0) given.set(name, lists[name].join(','))
  for (const name of REPEATED) for (const item of view[name]) given.append(name, item)
  for (const item of view.sort) given.append('sort', item)
  for (const name of TEXTS) if (view[name] !== DEFAULT_VIEW[name]) given.set(name, view[name])
  // An address of a saved view without a range means the range that was saved.
  if (view.page === 'views' && view.savedView !== '') given.set('startTime', view.startTime)
  for (const name of FLAGS) if (view[name]) given.set(name, 'true')
  if (view.zone === 'UTC') given.set('utc', 'true')
  else if (view.zone !== '') given.set('zone', view.zone)
  return pathOf(view.page) + (given.size > 0 ? formatParameters(given) : '')
}

function pathOf(page: Page): string {
  return page === 'explore' ? '/' : `/${page}`
}

/** @returns the list without the item if it was there, and with it otherwise */
export function toggle<T>(list: readonly T[], item: T): T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item]
}

/** @returns the list with the item at the index, without empty items at its end */
export function putAt(list: readonly string[], place: number, item: string): string[] {
  const length = Math.max(list.length, place + 1)
  return withoutEmptyEnd(Array.from({ length }, (_, at) => (at === place ? item : (list[at] ?? ''))))
}

export function withoutEmptyEnd(list: readonly string[]): string[] {
  return list.slice(0, list.findLastIndex((item) => item !== '') + 1)
}
