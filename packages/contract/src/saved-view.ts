/**
 * Saved views: what a page of charts shows, under a name. Specific to this service. Whether a query can run is found out when the view is
 * opened.
 */
import { ANNOTATION_TYPE } from './annotation.ts'
import { type Calls, callsOn } from './call.ts'
import { DATASET_NAME } from './dataset-name.ts'
import { operations } from './operation.ts'
import { TIME_OR_RELATIVE } from './relative-time.ts'
import {
  closed,
  emptyOf,
  flag,
  type Infer,
  list as listOf,
  object,
  oneOf,
  optional,
  requestBody,
  type Schema,
  sent,
  text,
  time,
  titled,
  whole,
} from './schema.ts'
import { VALUE_UNITS } from './unit.ts'

const SAVED_VIEW_ID_PATTERN = /^view_[a-z0-9]{1,64}$/
/** The longest name, in Unicode code points. */
export const SAVED_VIEW_NAME_POINTS_MAX = 256
/** The longest query, the same as of a monitor, because lists of views are loaded whole. Longer queries can be run, but not saved. */
const SAVED_VIEW_QUERY_POINTS_MAX = 8_192
/** How many charts one view can have. */
const SAVED_VIEW_CHARTS_MAX = 24
/** The longest filter, which is a predicate such as `status == 500`. */
const SAVED_VIEW_FILTER_POINTS_MAX = 1_024
const SAVED_VIEW_COLUMN_POINTS_MAX = 1_024
/** A table is sorted by one column. */
const SAVED_VIEW_ORDER_ITEMS_MAX = 1
/** How many items each list of a view can have. */
const SAVED_VIEW_ITEMS_MAX = 100
/** More fields than anybody would choose from. */
const SAVED_VIEW_VARIABLES_MAX = 10
/** The longest time, which is `now-3h` or RFC 3339. */
const SAVED_VIEW_TIME_LENGTH_MAX = 64
/** How much earlier the charts are that a view compares its own with. */
const SAVED_VIEW_COMPARISONS = ['1h', '1d', '7d'] as const
/** What the result of a query can be shown as. Stored views have kinds that the dashboard draws no more, and keep them. */
export const RESULT_KINDS = ['line', 'area', 'bars', 'stacked', 'top', 'number', 'heat', 'table', 'log'] as const
/** The width of the intervals of charts: `500ms`, `30s`, `5m`, `2h`, `1d`. */
export const BIN_WIDTH_PATTERN = /^[1-9][0-9]{0,5}(ms|s|m|h|d)$/

/** A change with a `version` is refused (409) once somebody else has changed the view. */
export const SAVED_VIEW_CALLS = callsOn('/v2/saved-views')

/** What the hosted service calls starred queries; programs ask for them, clients have the views. */
const STARRED_QUERY_CALLS = { list: { call: 'GET /v2/apl-starred-queries', list: 'id' } } as const satisfies Calls

const timeOf = (which: string) =>
  text(`${which} of the range: RFC 3339, or \`now\`, \`now-3h\` …, which moves with the clock.`, {
    maxLength: SAVED_VIEW_TIME_LENGTH_MAX,
    examples: ['now-3h'],
    documented: { anyOf: TIME_OR_RELATIVE },
  })

/** One of the lists of a view. */
const list = <Item>(items: Schema<Item>, description: string, keywords: object = {}) =>
  listOf(items, description, { maxItems: SAVED_VIEW_ITEMS_MAX, ...keywords })

const NAME = text('', { minLength: 1, maxLength: SAVED_VIEW_NAME_POINTS_MAX })
const COLUMN = text('', { minLength: 1, maxLength: SAVED_VIEW_COLUMN_POINTS_MAX })
const ORDER = listOf(
  closed({ field: COLUMN, desc: flag() }),
  'The column that the table or the top list of the result is sorted by. None, the default, for the order of the answer.',
  { maxItems: SAVED_VIEW_ORDER_ITEMS_MAX, examples: [[{ field: 'count_', desc: true }]] },
)
const CHART = closed({
  title: NAME,
  aplQuery: text('What the chart shows.', { minLength: 1, maxLength: SAVED_VIEW_QUERY_POINTS_MAX }),
  datasets: list(DATASET_NAME, 'The datasets that it is about.'),
  ...optional({
    order: ORDER,
    wide: flag('It takes the whole width, and not a part of a row; not by default.'),
  }),
})

/** The members that a create must have. */
const REQUIRED = { name: NAME, startTime: timeOf('Start'), endTime: timeOf('End') }

/** The members that a create may have. One that is left out is empty, which {@link SAVED_VIEW_DEFAULTS} says. */
const OPTIONAL = {
  aplQuery: text('What the chart shows. Empty, the default, for the events of the datasets.', {
    maxLength: SAVED_VIEW_QUERY_POINTS_MAX,
    examples: ["['web'] | summarize count() by bin_auto(_time), status"],
  }),
  datasets: list(
    DATASET_NAME,
    'The datasets that it is about. A token that names datasets sees the view if all of these are among them.',
  ),
  charts: listOf(
    CHART,
    'Several charts, in their order, which share the range; `aplQuery` and `order` are then empty. None, the default, for one chart, or one for each dataset.',
    { maxItems: SAVED_VIEW_CHARTS_MAX },
  ),
  compareWith: oneOf(
    ['', ...SAVED_VIEW_COMPARISONS],
    'With how much earlier the charts are compared. Empty, the default, for nothing.',
  ),
  hiddenDatasets: list(DATASET_NAME, 'Datasets whose annotations are hidden; none by default.'),
  hiddenTypes: list(ANNOTATION_TYPE, 'Types of the annotations that are hidden; none by default.'),
  filters: list(
    text('', { minLength: 1, maxLength: SAVED_VIEW_FILTER_POINTS_MAX }),
    'Predicates of the query language that the events pass which are charted and listed; none by default.',
    { examples: [['status == 500', "path != '/health'"]] },
  ),
  variables: listOf(COLUMN, 'Fields whose values filter several charts; kept, and not used by the dashboard.', {
    maxItems: SAVED_VIEW_VARIABLES_MAX,
    examples: [['service', 'region']],
  }),
  columns: list(
    COLUMN,
    'Fields that are columns of the list of events; without any, the default, each event shows its first fields.',
  ),
  wrapLines: flag('Events are listed with all of their lines; not by default.'),
  resultKind: oneOf(
    ['', ...RESULT_KINDS],
    'What results are shown as, such as `table`. Empty, the default, or any other for what suits each of them best.',
  ),
  binWidth: text('Width of the intervals of charts. Empty, the default, for what suits the range.', {
    pattern: `^$|${BIN_WIDTH_PATTERN.source}`,
    examples: ['5m'],
  }),
  unit: oneOf(['', ...VALUE_UNITS], 'Unit of the values of charts. Empty, the default, for what the service knows of them.'),
  logScale: flag('Kept, and not used by the dashboard: its scales are linear.'),
  showFigures: flag('Kept, and not used by the dashboard.'),
  annotationsQuery: text('A query whose rows are shown on the charts like annotations. Empty, the default, for none.', {
    maxLength: SAVED_VIEW_QUERY_POINTS_MAX,
    examples: ["['web'] | where status >= 500 | project _time, title = path"],
  }),
  order: ORDER,
}

/** The members of a view that was saved without them, by this service or by one before it that did not have them. */
export const SAVED_VIEW_DEFAULTS = emptyOf(OPTIONAL)

const NEW_SAVED_VIEW = requestBody('SavedViewCreate', { ...REQUIRED, ...sent(OPTIONAL) })

const SAVED_VIEW_CHANGE = requestBody(
  'SavedViewChange',
  sent({
    ...REQUIRED,
    ...OPTIONAL,
    version: whole('The version that the change was made of: if it is not the present one, the change is refused (409).', {
      minimum: 1,
    }),
  }),
)

const SAVED_VIEW = titled(
  'SavedView',
  {
    id: text('Assigned by the service.', { pattern: SAVED_VIEW_ID_PATTERN }),
    ...REQUIRED,
    ...OPTIONAL,
    createdAt: time(),
    createdBy: text('Id of the token that created it.'),
    updatedAt: time('When it was last changed.'),
    version: whole('Raised by every change.', { minimum: 1 }),
  },
  { description: 'What a page of charts shows, under a name.' },
)

export const SAVED_VIEWS = operations(
  SAVED_VIEW_CALLS,
  {
    noun: 'saved view',
    tag: 'saved views',
    permissions: 'views',
    params: { id: text('As listed.', { pattern: SAVED_VIEW_ID_PATTERN }) },
    item: SAVED_VIEW,
  },
  {
    create: {
      summary: 'Save a view',
      description: 'What the page of charts shows, under a name. The query is not run.',
      body: NEW_SAVED_VIEW,
    },
    list: { answer: 'All of them, the oldest first.' },
    get: {},
    change: {
      description: 'Members that are not sent keep their values. With `version`, nobody else’s change is lost.',
      body: SAVED_VIEW_CHANGE,
      errorTexts: { 409: 'It was changed since the version that was sent.' },
    },
    delete: {},
  },
)

export const STARRED_QUERIES = operations(
  STARRED_QUERY_CALLS,
  {
    noun: 'starred query',
    tag: 'saved views',
    permissions: 'views',
    item: object({
      id: text('Of the view.'),
      name: text('Of the view, and the title of the chart where it has several.'),
      kind: text(),
      dataset: text('The first that it is about; empty where it names none.'),
      query: object({ apl: text() }),
      who: text('Id of the token that saved it.'),
    }),
  },
  {
    list: {
      operationId: 'listStarredQueries',
      summary: 'List the queries of saved views',
      description: "As the hosted service's starred queries: one of each view, or of each of its charts.",
      answer: 'All of them, those of the oldest view first.',
    },
  },
)

/** A query or datasets, a range of time, and what is hidden, under a name. */
export type SavedView = Infer<typeof SAVED_VIEW>

/** One of the charts of a view that has several. */
export type SavedChart = Infer<typeof CHART>

/** The body of a create. */
export type NewSavedView = Infer<typeof NEW_SAVED_VIEW>

/** The members to change; the others keep their values. */
export type SavedViewChange = Infer<typeof SAVED_VIEW_CHANGE>
