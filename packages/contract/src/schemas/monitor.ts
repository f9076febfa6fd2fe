/**
 * The shapes of monitors as schemas and types. The service finds out whether a query can run.
 */
import type { Static, TOptional, TUnknown } from 'typebox'
import { TITLE_POINTS_MAX } from '../annotation.ts'
import {
  MONITOR_DELAY_SECONDS_MAX,
  MONITOR_DESCRIPTION_POINTS_MAX,
  MONITOR_ID_PATTERN,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  MONITOR_RUNS_MAX,
  MONITOR_STATUSES,
  MONITOR_TYPES,
} from '../monitor.ts'
import { NOTIFIERS_MAX } from '../notifier.ts'
import { AnnotationType, AnsweredDatasetName } from './annotation.ts'
import {
  closed,
  DatasetName,
  DOCUMENTED,
  has,
  IdParams,
  NO_OTHERS,
  named,
  ONLY_NULL,
  OneOf,
  orNull,
  sent,
  Time,
  titled,
  when,
} from './parts.ts'
import Type from './type.ts'

const minutes = (description: string) => Type.Integer({ minimum: 1, maximum: MONITOR_MINUTES_MAX, description })

const Kind = OneOf(MONITOR_TYPES, {
  description:
    '`Threshold` by default: compares a value with a threshold. `MatchEvent` creates an annotation for each event that the query finds.',
})
const Description = Type.String({ maxLength: MONITOR_DESCRIPTION_POINTS_MAX })
const AlertOnNoData = Type.Boolean({ description: 'Also triggers when there is nothing to compare. False by default.' })
const ABOUT_DATASETS = 'The datasets on whose charts its annotations appear; by default those that the query reads.'
const Datasets = Type.Array(DatasetName, { description: ABOUT_DATASETS, minItems: 1 })
const AnsweredDatasets = Type.Array(AnsweredDatasetName, { description: ABOUT_DATASETS, minItems: 1 })
const TypeOfAnnotations = Type.Unsafe<string>({
  ...AnnotationType,
  description: '`type` of its annotations; by default `monitor`.',
})
const TitleOfAnnotations = Type.String({
  maxLength: TITLE_POINTS_MAX,
  description: "`title` of its annotations; by default the monitor's name.",
})
const Disabled = Type.Boolean({ description: 'A disabled monitor does not run. False by default.' })

/** The members that a create must have; those below it a monitor of type `Threshold` must have. */
const REQUIRED = {
  name: Type.String({ minLength: 1, maxLength: MONITOR_NAME_POINTS_MAX }),
  aplQuery: Type.String({
    minLength: 1,
    maxLength: MONITOR_QUERY_POINTS_MAX,
    examples: ["['web'] | where status >= 500 | summarize count()"],
  }),
} as const
const OF_THRESHOLD = {
  operator: OneOf(MONITOR_OPERATORS, { description: 'How a value must compare with the threshold to trigger.' }),
  threshold: Type.Number(),
  intervalMinutes: minutes('How often it runs.'),
  rangeMinutes: minutes('How far a run looks back.'),
} as const

/** The operator in a request: published clients send an empty one with `MatchEvent`, which counts as not sent. */
const OPERATOR_SENT = Type.Unsafe<Static<typeof OF_THRESHOLD.operator>>({
  ...OF_THRESHOLD.operator,
  [DOCUMENTED]: { type: ['string', 'null'], enum: [...MONITOR_OPERATORS, '', null] },
})

/** The members that the hosted service has beside those above. */
const HOSTED = {
  columnName: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The column that is compared; by default the last of numbers.',
    // An empty one counts as not sent.
    [DOCUMENTED]: { minLength: 0 },
  }),
  disabledUntil: Type.String({ format: 'date-time', description: 'It does not run before; the zero time of Go unsets it.' }),
  secondDelay: Type.Integer({
    minimum: 0,
    maximum: MONITOR_DELAY_SECONDS_MAX,
    description: 'The range of a run ends so long before it, for events that arrive late.',
  }),
  notifyByGroup: Type.Boolean({ description: 'Each group of the query gets its own annotations.' }),
  notifyEveryRun: Type.Boolean({ description: 'Every run that triggers makes an annotation of its own.' }),
  resolvable: Type.Boolean({ description: 'Kept and answered; it changes nothing.' }),
  skipResolved: Type.Boolean({ description: 'Annotations get no endTime on recovery.' }),
  triggerFromNRuns: Type.Integer({
    minimum: 0,
    maximum: MONITOR_RUNS_MAX,
    description: 'How many of the last runs count.',
  }),
  triggerAfterNPositiveResults: Type.Integer({
    minimum: 0,
    maximum: MONITOR_RUNS_MAX,
    description: 'How many of them must be beyond the threshold; 0: all of them.',
  }),
  notifierIds: Type.Array(Type.String(), {
    maxItems: NOTIFIERS_MAX,
    description: 'The notifiers that it uses when it triggers and recovers.',
  }),
} as const

/** `notifierIds` as a published client writes it: not in the document, because generators of clients would make one member of both. */
const UNDOCUMENTED = { patternProperties: undefined }
const OTHER_SPELLINGS = { patternProperties: { '^notifierIDs$': orNull(HOSTED.notifierIds) } }

/** Members that are accepted where they say nothing, because what they would ask for is not there. */
const WITHOUT_EFFECT = {
  mplQuery: { enum: ['', null], description: 'There are no metrics to query.' },
  tolerance: { enum: [0, null], description: 'Of AnomalyDetection only.' },
  compareDays: { enum: [0, null], description: 'Of AnomalyDetection only.' },
  id: { description: 'Set by the service, as the next ones.' },
  createdAt: {},
  createdBy: {},
  updatedAt: {},
  state: {},
} as const

const SENT_OF_THRESHOLD = { ...sent(OF_THRESHOLD), operator: Type.Optional(OPERATOR_SENT) } as const

const OPTIONAL = sent({
  type: Kind,
  description: Description,
  ...HOSTED,
  /** Also triggers when there is nothing to compare. False by default. */
  alertOnNoData: AlertOnNoData,
  /** The datasets on whose charts its annotations appear. By default those that the query reads. */
  datasets: Datasets,
  /** `type` of its annotations. By default `monitor`. */
  annotationType: TypeOfAnnotations,
  /** `title` of its annotations. By default the monitor's name; an empty one unsets it. */
  annotationTitle: TitleOfAnnotations,
  /** A disabled monitor does not run. False by default. */
  disabled: Disabled,
})

const IGNORED = Object.fromEntries(
  Object.entries(WITHOUT_EFFECT).map(([name, schema]) => [name, Type.Optional(Type.Unknown({ [DOCUMENTED]: schema }))]),
) as { [K in keyof typeof WITHOUT_EFFECT]: TOptional<TUnknown> }

/** Says of members that each must be there, and neither null nor empty. */
const whole = (names: readonly string[]) => has(Object.fromEntries(names.map((name) => [name, { not: { enum: [null, ''] } }])))

/** The members that each type of monitor needs, for the document: the service says it in words that name the type. */
const NEEDED_BY_TYPE = when(
  has({ type: { enum: ['MatchEvent'] } }),
  {
    properties: {
      alertOnNoData: { enum: [false, null] },
      notifyByGroup: { enum: [false, null] },
      columnName: { enum: ['', null] },
    },
  },
  whole(Object.keys(OF_THRESHOLD)),
)

export const NewMonitorSchema = Type.Object(
  { ...REQUIRED, ...SENT_OF_THRESHOLD, ...OPTIONAL, ...IGNORED },
  {
    title: 'MonitorCreate',
    additionalProperties: false,
    ...OTHER_SPELLINGS,
    [DOCUMENTED]: { ...NO_OTHERS[DOCUMENTED], ...UNDOCUMENTED, ...NEEDED_BY_TYPE },
  },
)

export const MonitorChangeSchema = Type.Object(
  { ...sent(REQUIRED), ...SENT_OF_THRESHOLD, ...OPTIONAL, ...IGNORED },
  {
    title: 'MonitorChange',
    additionalProperties: false,
    ...OTHER_SPELLINGS,
    // A change with the type is a whole monitor.
    [DOCUMENTED]: {
      ...NO_OTHERS[DOCUMENTED],
      ...UNDOCUMENTED,
      ...when({ properties: { type: ONLY_NULL } }, {}, { ...whole(Object.keys(REQUIRED)), ...NEEDED_BY_TYPE }),
    },
  },
)

const StateSchema = closed({
  status: OneOf(MONITOR_STATUSES),
  since: Time('When it got this status.'),
  lastRun: Type.Optional(Time('End of the range of the last run.')),
  nextRun: Type.Optional(Time('When it runs next; absent while it is disabled.')),
  lastValue: Type.Optional(Type.Number({ description: 'What the last run compared; absent if it failed or found nothing.' })),
  error: Type.Optional(Type.String({ description: 'Why the last run failed.' })),
  annotationId: Type.Optional(
    Type.String({ description: 'Id of the annotation whose span is open; it stays while runs fail after a trigger.' }),
  ),
  groups: Type.Optional(
    Type.Array(closed({ group: Type.String(), annotationId: Type.String() }), {
      description: 'With notifyByGroup: the groups that have triggered, each with its annotation.',
    }),
  ),
})

export const MonitorSchema = named(
  'Monitor',
  'A query that runs at an interval. While its value is beyond a threshold, a span is on the charts.',
  {
    id: Type.String({ description: 'Assigned by the service.', pattern: MONITOR_ID_PATTERN.source }),
    type: Kind,
    ...REQUIRED,
    description: Type.Optional(Description),
    ...OF_THRESHOLD,
    operator: Type.Optional(OF_THRESHOLD.operator),
    ...HOSTED,
    columnName: Type.Optional(HOSTED.columnName),
    disabledUntil: Type.Optional(HOSTED.disabledUntil),
    alertOnNoData: AlertOnNoData,
    datasets: AnsweredDatasets,
    annotationType: TypeOfAnnotations,
    annotationTitle: Type.Optional(TitleOfAnnotations),
    disabled: Disabled,
    createdAt: Time(),
    createdBy: Type.String({ description: 'Id of the token that created it.' }),
    state: StateSchema,
  },
)

export const AlertSchema = titled('AlertHistory', {
  name: Type.String({ description: "The monitor's name then, and the group where there is one." }),
  checkId: Type.String({ description: 'Id of the annotation.' }),
  timestamp: Time(),
  state: OneOf(['open', 'closed']),
})

export const HistoryQuery = Type.Object({
  startTime: Type.String({ format: 'date-time' }),
  endTime: Type.String({ format: 'date-time' }),
})

export const MonitorParams = IdParams(MONITOR_ID_PATTERN, 'Assigned by the service.')

/** The state of a monitor. Times are RFC 3339, UTC. */
export type MonitorState = Monitor['state']

/** The body of a create. */
export type NewMonitor = Omit<Static<typeof NewMonitorSchema>, Ignored>

/** The members to change; the others keep their values, unless `type` is sent: then those that a create would default do not. */
export type MonitorChange = Omit<Static<typeof MonitorChangeSchema>, Ignored>

/** Members that published clients send although they say nothing. */
type Ignored = 'mplQuery' | 'notifierIDs' | 'tolerance' | 'compareDays' | 'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'state'

/** One change of state in a monitor's history. */
export type Alert = Static<typeof AlertSchema>

/** A query that runs at an interval. While its value is beyond a threshold, a span is on the charts. */
export type Monitor = Static<typeof MonitorSchema>
