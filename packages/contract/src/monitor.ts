/**
 * Monitors: queries that run at an interval, and mark the time during which their value is beyond a threshold. Names are those of the
 * hosted service's monitors where it has one. The service finds out whether a query can run.
 */
import { ANNOTATION_TYPE, TITLE_POINTS_MAX } from './annotation.ts'
import { type Calls, callsOn } from './call.ts'
import { ANSWERED_DATASET_NAME, DATASET_NAME } from './dataset-name.ts'
import { operations } from './operation.ts'
import { TIME_OR_RELATIVE } from './relative-time.ts'
import {
  byHand,
  closed,
  emptyOf,
  flag,
  has,
  type Infer,
  list,
  number,
  ONLY_NULL,
  object,
  oneOf,
  optional,
  refined,
  requestBody,
  type Schema,
  schemaOf,
  sent,
  text,
  time,
  titled,
  when,
  whole,
} from './schema.ts'

/** The operators as people read them, before the threshold. */
export const MONITOR_OPERATOR_WORDS: Readonly<Record<MonitorOperator, string>> = {
  Above: 'above',
  AboveOrEqual: 'at or above',
  Below: 'below',
  BelowOrEqual: 'at or below',
}

export const ANNOTATION_TYPE_DEFAULT = 'monitor'

/** How many notifiers one monitor can name. */
const NOTIFIERS_MAX = 100

/** How a value is compared with the threshold for the monitor to trigger. */
export const MONITOR_OPERATORS = ['Above', 'AboveOrEqual', 'Below', 'BelowOrEqual'] as const
export type MonitorOperator = (typeof MONITOR_OPERATORS)[number]

/** `Threshold` compares a value with a threshold; `MatchEvent` creates an annotation for each event that its query finds. */
const MONITOR_TYPES = ['Threshold', 'MatchEvent'] as const
export const MONITOR_TYPE_DEFAULT = 'Threshold'

/**
 * - `pending`: not run yet since it was created or enabled
 * - `ok`, `triggered`: what the last run found
 * - `no-data`: the last run found nothing to compare, and that is no reason to trigger
 * - `error`: the last run failed; `error` says why
 * - `disabled`: it does not run
 */
const MONITOR_STATUSES = ['pending', 'ok', 'triggered', 'no-data', 'error', 'disabled'] as const
export type MonitorStatus = (typeof MONITOR_STATUSES)[number]

export const MONITOR_ID_PATTERN = /^mon_[A-Za-z0-9_-]{1,64}$/

/** The longest texts, in Unicode code points. A name is the title of annotations, so it has their bound. */
export const MONITOR_NAME_POINTS_MAX = 256
export const MONITOR_DESCRIPTION_POINTS_MAX = 512
/** Every run writes the monitor anew, so its query is bounded more tightly than others; the largest public one has 4 kB. */
export const MONITOR_QUERY_POINTS_MAX = 8_192
/** The longest interval and range, a year: every time that a monitor computes with it can be stored. */
export const MONITOR_MINUTES_MAX = 525_600
/** The longest delay, a day. */
export const MONITOR_DELAY_SECONDS_MAX = 86_400
/** How many runs a monitor can look back on; the result of each is part of its state. */
export const MONITOR_RUNS_MAX = 100

/** A new monitor first runs at once. A delete ends the span of the monitor if one is open; its annotations stay. */
export const MONITOR_CALLS = {
  ...callsOn('/v2/monitors'),
  /** When it triggered and recovered in a time: RFC 3339, both ends included, the oldest first. */
  history: { call: 'GET /v2/monitors/{id}/history', takes: 'query', list: 'checkId' },
} as const satisfies Calls

const minutes = (description: string) => whole(description, { minimum: 1, maximum: MONITOR_MINUTES_MAX })

/*
 * The members that people define. Each stands in one of these groups, which say what requests, answers, records and the queries of
 * `_monitors` are made of.
 */

/** A create must have them. */
const NEEDED = {
  name: text('', { minLength: 1, maxLength: MONITOR_NAME_POINTS_MAX }),
  aplQuery: text('', {
    minLength: 1,
    maxLength: MONITOR_QUERY_POINTS_MAX,
    examples: ["['web'] | where status >= 500 | summarize count()"],
  }),
}

/** A monitor of type `Threshold` must have them. */
const OF_THRESHOLD = {
  operator: oneOf(MONITOR_OPERATORS, 'How a value must compare with the threshold to trigger.'),
  threshold: number(),
  intervalMinutes: minutes('How often it runs.'),
  rangeMinutes: minutes('How far a run looks back.'),
}

/** A monitor always has them, by default those of {@link MONITOR_DEFAULTS}. */
const WITH_DEFAULT = {
  type: oneOf(
    MONITOR_TYPES,
    '`Threshold` by default: compares a value with a threshold. `MatchEvent` creates an annotation for each event that the query finds.',
  ),
  alertOnNoData: flag('Also triggers when there is nothing to compare. False by default.'),
  secondDelay: whole('The range of a run ends so long before it, for events that arrive late.', {
    minimum: 0,
    maximum: MONITOR_DELAY_SECONDS_MAX,
  }),
  notifyByGroup: flag('Each group of the query gets its own annotations.'),
  notifyEveryRun: flag('Every run that triggers makes an annotation of its own.'),
  resolvable: flag('Kept and answered; it changes nothing.'),
  skipResolved: flag('Annotations get no endTime on recovery.'),
  triggerFromNRuns: whole('How many of the last runs count.', {
    minimum: 0,
    maximum: MONITOR_RUNS_MAX,
  }),
  triggerAfterNPositiveResults: whole('How many of them must be beyond the threshold; 0: all of them.', {
    minimum: 0,
    maximum: MONITOR_RUNS_MAX,
  }),
  notifierIds: list(text(), 'The notifiers that it uses when it triggers and recovers.', { maxItems: NOTIFIERS_MAX }),
  disabled: flag('A disabled monitor does not run. False by default.'),
}

/** A monitor can be without them. */
const MAY_LACK = {
  description: text('', { maxLength: MONITOR_DESCRIPTION_POINTS_MAX }),
  columnName: text('The column that is compared; by default the last of numbers.', {
    minLength: 1,
    maxLength: 200,
    // An empty one counts as not sent.
    documented: { minLength: 0 },
  }),
  disabledUntil: time('It does not run before; the zero time of Go unsets it.'),
}

const ABOUT_DATASETS = 'The datasets on whose charts its annotations appear; by default those that the query reads.'
const OF_ANNOTATIONS = {
  datasets: list(DATASET_NAME, ABOUT_DATASETS, { minItems: 1 }),
  annotationType: refined(ANNOTATION_TYPE, { description: '`type` of its annotations; by default `monitor`.' }),
}
/** Members of this service alone that a monitor can be without; an empty text unsets them. */
const OWN_MAY_LACK = {
  annotationTitle: text("`title` of its annotations; by default the monitor's name.", { maxLength: TITLE_POINTS_MAX }),
}
/** Clients of the hosted service cannot send them, so a change in its form leaves them as they are. */
export const OWN_MONITOR_MEMBERS = { ...OF_ANNOTATIONS, ...OWN_MAY_LACK }

/** The defaults of the hosted service, and the type of annotations. */
export const MONITOR_DEFAULTS = {
  ...emptyOf(WITH_DEFAULT),
  type: MONITOR_TYPE_DEFAULT,
  triggerFromNRuns: 1,
  annotationType: ANNOTATION_TYPE_DEFAULT,
} as const

/**
 * Members that published clients send although they say nothing; of the first three only these values say nothing, because what they
 * would ask for is not there.
 */
export const MONITOR_MEMBERS_WITHOUT_EFFECT: Readonly<Record<string, { enum?: readonly unknown[]; description?: string }>> = {
  mplQuery: { enum: ['', null], description: 'There are no metrics to query.' },
  tolerance: { enum: [0, null], description: 'Of AnomalyDetection only.' },
  compareDays: { enum: [0, null], description: 'Of AnomalyDetection only.' },
  id: { description: 'Set by the service, as the next ones.' },
  createdAt: {},
  createdBy: {},
  updatedAt: {},
  state: {},
}

/** Their type names none, because they are taken out before a body is validated. */
const WITHOUT_EFFECT = optional(
  Object.fromEntries(Object.entries(MONITOR_MEMBERS_WITHOUT_EFFECT).map(([name, schema]) => [name, byHand(schema as Schema)])),
) as object

const SENT = {
  ...sent({ ...OF_THRESHOLD, ...WITH_DEFAULT, ...MAY_LACK, ...OWN_MONITOR_MEMBERS }),
  // Published clients send an empty one with `MatchEvent`, which counts as not sent.
  ...optional({
    operator: refined(OF_THRESHOLD.operator, {
      documented: { type: ['string', 'null'], enum: [...MONITOR_OPERATORS, '', null] },
    }),
  }),
}

/** Says of members that each must be there, and neither null nor empty. */
const filled = (members: object) =>
  has(Object.fromEntries(Object.keys(members).map((name) => [name, { not: { enum: [null, ''] } }])))

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
  filled(OF_THRESHOLD),
)

const NEW_MONITOR = requestBody('MonitorCreate', { ...NEEDED, ...SENT, ...WITHOUT_EFFECT }, { documented: NEEDED_BY_TYPE })

const MONITOR_CHANGE = requestBody(
  'MonitorChange',
  { ...sent(NEEDED), ...SENT, ...WITHOUT_EFFECT },
  // A change with the type is a whole monitor.
  { documented: when({ properties: { type: ONLY_NULL } }, {}, { ...filled(NEEDED), ...NEEDED_BY_TYPE }) },
)

const MONITOR_STATE = closed({
  status: oneOf(MONITOR_STATUSES),
  since: time('When it got this status.'),
  ...optional({
    lastRun: time('End of the range of the last run.'),
    nextRun: time('When it runs next; absent while it is disabled.'),
    lastValue: number('What the last run compared; absent if it failed or found nothing.'),
    error: text('Why the last run failed.'),
    messages: list(text(), 'What the author of the query should know though it runs, as in the status of an answer.'),
    annotationId: text('Id of the annotation whose span is open; it stays while runs fail after a trigger.'),
    groups: list(
      closed({ group: text(), annotationId: text() }),
      'With notifyByGroup: the groups that have triggered, each with its annotation.',
    ),
  }),
})

const MONITOR = titled(
  'Monitor',
  {
    id: text('Assigned by the service.', { pattern: MONITOR_ID_PATTERN }),
    ...NEEDED,
    ...OF_THRESHOLD,
    ...WITH_DEFAULT,
    ...OF_ANNOTATIONS,
    datasets: list(ANSWERED_DATASET_NAME, ABOUT_DATASETS, { minItems: 1 }),
    ...optional({ operator: OF_THRESHOLD.operator, ...MAY_LACK, ...OWN_MAY_LACK }),
    createdAt: time(),
    createdBy: text('Id of the token that created it.'),
    state: MONITOR_STATE,
  },
  { description: 'A query that runs at an interval. While its value is beyond a threshold, a span is on the charts.' },
)

const ALERT = titled('AlertHistory', {
  name: text("The monitor's name then, and the group where there is one."),
  checkId: text('Id of the annotation.'),
  timestamp: time(),
  state: oneOf(['open', 'closed']),
})

const MOMENT = schemaOf<string>({ anyOf: TIME_OR_RELATIVE })

export const MONITORS = operations(
  MONITOR_CALLS,
  {
    noun: 'monitor',
    tag: 'monitors',
    permissions: 'monitors',
    params: { id: text('Assigned by the service.', { pattern: MONITOR_ID_PATTERN }) },
    item: MONITOR,
  },
  {
    create: {
      description:
        'A member that is null counts as not sent; members that are not listed are refused. The monitor first runs at once.',
      body: NEW_MONITOR as Schema<MonitorChange, NewMonitor>,
    },
    list: {},
    get: {},
    history: {
      operationId: 'getMonitorHistory',
      summary: 'When a monitor triggered and recovered',
      description: 'The newest 1,000 are kept.',
      query: object({ startTime: MOMENT, endTime: MOMENT }),
      gives: list(ALERT),
      answer: 'The changes of state, the oldest first.',
    },
    change: {
      description:
        'Members that are not sent keep their values. An empty description or annotationTitle unsets it. With `type`, what is sent is the whole monitor: the hosted members that are left out get their defaults.',
      body: MONITOR_CHANGE,
    },
    delete: { description: 'Its span, if one is open, ends now; its annotations stay.' },
  },
)

/** The state of a monitor. Times are RFC 3339, UTC. */
export type MonitorState = Infer<typeof MONITOR_STATE>

/** The members that people define, as they are answered. */
export type DefinedMonitor = Omit<Monitor, 'id' | 'createdAt' | 'createdBy' | 'state'>

/** The body of a create. */
export type NewMonitor = Infer<typeof NEW_MONITOR>

/** The members to change; the others keep their values, unless `type` is sent: then those that a create would default do not. */
export type MonitorChange = Infer<typeof MONITOR_CHANGE>

/** One change of state in a monitor's history. */
export type Alert = Infer<typeof ALERT>

/** A query that runs at an interval. While its value is beyond a threshold, a span is on the charts. */
export type Monitor = Infer<typeof MONITOR>
