/**
 * The shapes of monitors as schemas. Whether a query can run is the service's to find out.
 */

import { TITLE_POINTS_MAX } from '../rules/annotation.ts'
import {
  MONITOR_DESCRIPTION_POINTS_MAX,
  MONITOR_ID_PATTERN,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  MONITOR_STATUSES,
  MONITOR_TYPE,
} from '../rules/monitor.ts'
import { AnnotationType } from './annotation.ts'
import { DatasetName, IdParams, OneOf, orNull, Time } from './parts.ts'
import Type from './type.ts'

const minutes = (description: string) => Type.Integer({ minimum: 1, maximum: MONITOR_MINUTES_MAX, description })

const Kind = OneOf([MONITOR_TYPE], { description: 'The only kind there is; may be left out.' })
const Description = Type.String({ maxLength: MONITOR_DESCRIPTION_POINTS_MAX })
const AlertOnNoData = Type.Boolean({ description: 'Also triggers when there is nothing to compare. False by default.' })
const Datasets = Type.Array(DatasetName, {
  description: 'The datasets on whose charts its annotations appear; by default those that the query reads.',
  minItems: 1,
})
const TypeOfAnnotations = Type.Unsafe<string>({
  ...AnnotationType,
  description: '`type` of its annotations; by default `monitor`.',
})
const TitleOfAnnotations = Type.String({
  maxLength: TITLE_POINTS_MAX,
  description: "`title` of its annotations; by default the monitor's name.",
})
const Disabled = Type.Boolean({ description: 'A disabled monitor does not run. False by default.' })

/** What a create must send. */
const REQUIRED = {
  name: Type.String({ minLength: 1, maxLength: MONITOR_NAME_POINTS_MAX }),
  description: Type.Optional(orNull(Description)),
  aplQuery: Type.String({
    minLength: 1,
    maxLength: MONITOR_QUERY_POINTS_MAX,
    examples: ["['web'] | where status >= 500 | summarize count()"],
  }),
  operator: OneOf(MONITOR_OPERATORS, { description: 'How a value must compare with the threshold to trigger.' }),
  threshold: Type.Number(),
  /** How often it runs. */
  intervalMinutes: minutes('How often it runs.'),
  /** How far a run looks back. */
  rangeMinutes: minutes('How far a run looks back.'),
} as const

const OPTIONAL = {
  /** Also triggers when there is nothing to compare. False by default. */
  alertOnNoData: Type.Optional(orNull(AlertOnNoData)),
  /** The datasets on whose charts its annotations appear. By default those that the query reads. */
  datasets: Type.Optional(orNull(Datasets)),
  /** `type` of its annotations. By default `monitor`. */
  annotationType: Type.Optional(orNull(TypeOfAnnotations)),
  /** `title` of its annotations. By default the monitor's name; an empty one unsets it. */
  annotationTitle: Type.Optional(orNull(TitleOfAnnotations)),
  /** A disabled monitor does not run. False by default. */
  disabled: Type.Optional(orNull(Disabled)),
} as const

export const NewMonitorSchema = Type.Object(
  { type: Type.Optional(orNull(Kind)), ...REQUIRED, ...OPTIONAL },
  { title: 'NewMonitor' },
)

export const MonitorChangeSchema = Type.Object(
  {
    type: Type.Optional(orNull(Kind)),
    name: Type.Optional(orNull(REQUIRED.name)),
    description: REQUIRED.description,
    aplQuery: Type.Optional(orNull(REQUIRED.aplQuery)),
    operator: Type.Optional(orNull(REQUIRED.operator)),
    threshold: Type.Optional(orNull(REQUIRED.threshold)),
    intervalMinutes: Type.Optional(orNull(REQUIRED.intervalMinutes)),
    rangeMinutes: Type.Optional(orNull(REQUIRED.rangeMinutes)),
    ...OPTIONAL,
  },
  { title: 'MonitorChange' },
)

const StateSchema = Type.Object(
  {
    status: OneOf(MONITOR_STATUSES),
    since: Time('When it got this status.'),
    lastRun: Type.Optional(Time('End of the range that the last run looked at.')),
    nextRun: Type.Optional(Time('When it runs next; absent while it is disabled.')),
    lastValue: Type.Optional(Type.Number({ description: 'What the last run compared; absent if it failed or found nothing.' })),
    error: Type.Optional(Type.String({ description: 'Why the last run failed.' })),
    annotationId: Type.Optional(
      Type.String({ description: 'Id of the annotation whose span is open; it stays while runs fail after a trigger.' }),
    ),
  },
  { additionalProperties: false },
)

export const MonitorSchema = Type.Object(
  {
    id: Type.String({ description: 'Assigned by the service.', pattern: MONITOR_ID_PATTERN.source }),
    type: Kind,
    ...REQUIRED,
    description: Type.Optional(Description),
    alertOnNoData: AlertOnNoData,
    datasets: Datasets,
    annotationType: TypeOfAnnotations,
    annotationTitle: Type.Optional(TitleOfAnnotations),
    disabled: Disabled,
    createdAt: Time(),
    createdBy: Type.String({ description: 'Id of the token that created it.' }),
    state: StateSchema,
  },
  {
    $id: 'Monitor',
    title: 'Monitor',
    description: 'A query that runs at an interval, and marks the time during which its value is beyond a threshold.',
    additionalProperties: false,
  },
)

export const MonitorParams = IdParams(MONITOR_ID_PATTERN, 'Assigned by the service.')
