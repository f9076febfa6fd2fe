/**
 * The shapes of saved views as schemas and types. Whether a query can run is found out when the view is opened.
 */
import type { Static, TSchema } from 'typebox'
import {
  BIN_WIDTH_PATTERN,
  RESULT_KINDS,
  SAVED_VIEW_CHARTS_MAX,
  SAVED_VIEW_COLUMN_POINTS_MAX,
  SAVED_VIEW_COMPARISONS,
  SAVED_VIEW_FILTER_POINTS_MAX,
  SAVED_VIEW_ID_PATTERN,
  SAVED_VIEW_ITEMS_MAX,
  SAVED_VIEW_NAME_POINTS_MAX,
  SAVED_VIEW_ORDER_ITEMS_MAX,
  SAVED_VIEW_QUERY_POINTS_MAX,
  SAVED_VIEW_TIME_LENGTH_MAX,
  SAVED_VIEW_VARIABLES_MAX,
} from '../saved-view.ts'
import { VALUE_UNITS } from '../unit.ts'
import { AnnotationType } from './annotation.ts'
import { closed, DatasetName, DOCUMENTED, IdParams, named, OneOf, requestBody, sent, TIME_OR_RELATIVE, Time } from './parts.ts'
import Type from './type.ts'

function timeOf(which: string) {
  const description = `${which} of the range: RFC 3339, or \`now\`, \`now-3h\` …, which moves with the clock.`
  const documented = { anyOf: TIME_OR_RELATIVE }
  return Type.String({ maxLength: SAVED_VIEW_TIME_LENGTH_MAX, description, examples: ['now-3h'], [DOCUMENTED]: documented })
}

/** One of the lists of a view. */
const list = <T extends TSchema>(items: T, description: string, options: object = {}) =>
  Type.Array(items, { maxItems: SAVED_VIEW_ITEMS_MAX, description, ...options })
const Column = Type.String({ minLength: 1, maxLength: SAVED_VIEW_COLUMN_POINTS_MAX })

const Order = Type.Array(closed({ field: Column, desc: Type.Boolean() }), {
  maxItems: SAVED_VIEW_ORDER_ITEMS_MAX,
  description:
    'The column that the table or the top list of the result is sorted by. None, the default, for the order of the answer.',
  examples: [[{ field: 'count_', desc: true }]],
})

/** The members that a create must have. */
const REQUIRED = {
  name: Type.String({ minLength: 1, maxLength: SAVED_VIEW_NAME_POINTS_MAX }),
  startTime: timeOf('Start'),
  endTime: timeOf('End'),
} as const

/** The members that a create may have; their descriptions name the defaults. */
const OPTIONAL = {
  aplQuery: Type.String({
    maxLength: SAVED_VIEW_QUERY_POINTS_MAX,
    description: 'What the chart shows. Empty, the default, for the events of the datasets.',
    examples: ["['web'] | summarize count() by bin_auto(_time), status"],
  }),
  datasets: list(
    DatasetName,
    'The datasets that it is about. A token that names datasets sees the view if all of these are among them.',
  ),
  charts: Type.Array(
    closed({
      title: Type.String({ minLength: 1, maxLength: SAVED_VIEW_NAME_POINTS_MAX }),
      aplQuery: Type.String({ minLength: 1, maxLength: SAVED_VIEW_QUERY_POINTS_MAX, description: 'What the chart shows.' }),
      datasets: list(DatasetName, 'The datasets that it is about.'),
      order: Type.Optional(Order),
      wide: Type.Optional(Type.Boolean({ description: 'It takes the whole width, and not a part of a row; not by default.' })),
    }),
    {
      maxItems: SAVED_VIEW_CHARTS_MAX,
      description:
        'Several charts, in their order, which share the range; `aplQuery` and `order` are then empty. None, the default, for one chart, or one for each dataset.',
    },
  ),
  compareWith: OneOf(['', ...SAVED_VIEW_COMPARISONS], {
    description: 'With how much earlier the charts are compared. Empty, the default, for nothing.',
  }),
  hiddenDatasets: list(DatasetName, 'Datasets whose annotations are hidden; none by default.'),
  hiddenTypes: list(AnnotationType, 'Types of the annotations that are hidden; none by default.'),
  filters: list(
    Type.String({ minLength: 1, maxLength: SAVED_VIEW_FILTER_POINTS_MAX }),
    'Predicates of the query language that the events pass which are charted and listed; none by default.',
    { examples: [['status == 500', "path != '/health'"]] },
  ),
  variables: Type.Array(Column, {
    maxItems: SAVED_VIEW_VARIABLES_MAX,
    description: 'Fields whose value is chosen above several charts, and then filters all of them; none by default.',
    examples: [['service', 'region']],
  }),
  columns: list(
    Column,
    'Fields that are columns of the list of events; without any, the default, each event shows its first fields.',
  ),
  wrapLines: Type.Boolean({ description: 'Events are listed with all of their lines; not by default.' }),
  resultKind: OneOf(['', ...RESULT_KINDS], {
    description: 'How results are shown, where they can be: empty, the default, for what suits each of them best.',
  }),
  binWidth: Type.String({
    pattern: `^$|${BIN_WIDTH_PATTERN.source}`,
    description: 'Width of the intervals of charts. Empty, the default, for what suits the range.',
    examples: ['5m'],
  }),
  unit: OneOf(['', ...VALUE_UNITS], {
    description: 'Unit of the values of charts. Empty, the default, for what the service knows of them.',
  }),
  logScale: Type.Boolean({ description: 'Values are drawn on a logarithmic scale; not by default.' }),
  showFigures: Type.Boolean({ description: 'Statistics of each series stand below its chart; not by default.' }),
  annotationsQuery: Type.String({
    maxLength: SAVED_VIEW_QUERY_POINTS_MAX,
    description: 'A query whose rows are shown on the charts like annotations. Empty, the default, for none.',
    examples: ["['web'] | where status >= 500 | project _time, title = path"],
  }),
  order: Order,
} as const

export const NewSavedViewSchema = requestBody('SavedViewCreate', { ...REQUIRED, ...sent(OPTIONAL) })

const CHANGED_VERSION = Type.Integer({
  minimum: 1,
  description: 'The version that the change was made of: if it is not the present one, the change is refused (409).',
})

export const SavedViewChangeSchema = requestBody('SavedViewChange', sent({ ...REQUIRED, ...OPTIONAL, version: CHANGED_VERSION }))

export const SavedViewSchema = named('SavedView', 'What a page of charts shows, under a name.', {
  id: Type.String({ description: 'Assigned by the service.', pattern: SAVED_VIEW_ID_PATTERN.source }),
  ...REQUIRED,
  ...OPTIONAL,
  createdAt: Time(),
  createdBy: Type.String({ description: 'Id of the token that created it.' }),
  updatedAt: Time('When it was last changed.'),
  version: Type.Integer({ minimum: 1, description: 'Raised by every change.' }),
})

export const SavedViewParams = IdParams(SAVED_VIEW_ID_PATTERN, 'As listed.')

/** A query or datasets, a range of time, and what is hidden, under a name. */
export type SavedView = Static<typeof SavedViewSchema>

/** One of the charts of a view that has several. */
export type SavedChart = SavedView['charts'][number]

/** The body of a create. */
export type NewSavedView = Static<typeof NewSavedViewSchema>

/** The members to change; the others keep their values. */
export type SavedViewChange = Static<typeof SavedViewChangeSchema>
