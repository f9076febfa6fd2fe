/**
 * The shapes of annotations as schemas and types. Rules that span members (endTime not before time) and the reading of times are the
 * service's.
 */
import type { Static } from 'typebox'
import {
  ANNOTATION_DATASETS_MAX,
  ANNOTATION_ID_PATTERN,
  ANNOTATION_TYPE,
  ANNOTATIONS_PER_PAGE_MAX,
  DESCRIPTION_POINTS_MAX,
  LIST_ORDERS,
  TAG_PATTERN,
  TAG_POINTS_MAX,
  TAGS_MAX,
  TITLE_POINTS_MAX,
  URL_POINTS_MAX,
} from '../annotation.ts'
import { ANSWERED_DATASET_NAME, DATASET_NAME_CHARACTER, DATASET_NAME_LENGTH_MAX } from '../dataset-name.ts'
import { TIMESTAMP_FORMS } from '../timestamp.ts'
import { VALUE_UNITS } from '../unit.ts'
import { VERDICTS } from '../verdict.ts'
import { DatasetName, IdParams, named, OneOf, StorableTime, sent, Time } from './parts.ts'
import Type from './type.ts'

const Datasets = Type.Array(DatasetName, {
  description: 'Names of the datasets on whose charts the annotation appears. They need not exist.',
  minItems: 1,
  maxItems: ANNOTATION_DATASETS_MAX,
  examples: [['web', 'api']],
})
export const AnsweredDatasetName = Type.Unsafe<string>(ANSWERED_DATASET_NAME)
const AnsweredDatasets = Type.Array(AnsweredDatasetName, {
  description:
    'Names of the datasets on whose charts the annotation appears. A dataset that was deleted stands there as `web (deleted)`; another of that name does not get its annotations.',
  minItems: 1,
  examples: [['web', 'api']],
})
const Title = Type.String({ maxLength: TITLE_POINTS_MAX, description: 'Short summary shown on charts.' })
const Description = Type.String({ maxLength: DESCRIPTION_POINTS_MAX, description: 'Markdown.' })
export const AnnotationType = Type.Unsafe<string>(ANNOTATION_TYPE)
const Url = Type.String({ maxLength: URL_POINTS_MAX, description: 'Where to read more.' })

const Tag = (description?: string) =>
  Type.String({ maxLength: TAG_POINTS_MAX, pattern: TAG_PATTERN.source, ...(description !== undefined && { description }) })
/** Specific to our service. Where they are not given, they are read from the texts of the annotation. */
const TAGS = {
  service: Tag('What was changed.'),
  environment: Tag('Where it was changed, such as `production`.'),
  version: Tag('The version that it was changed to.'),
  tags: Type.Array(Tag(), { maxItems: TAGS_MAX, description: 'Free words.' }),
} as const

const TIME_TEXT = `The time of the event, or the start of a span: ${TIMESTAMP_FORMS}; years 1900 to 2262. By default the time of the request.`
const END_TIME_TEXT = 'End of the span; not before `time`.'

const Amount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description: `${description}; null where there is none.` })
const TimeRange = Type.Object({ startTime: Time(), endTime: Time() })

/** What a verdict is made of. */
const VerdictDetailsSchema = Type.Object(
  {
    judgedAt: Time('When it was judged last.'),
    isEarly: Type.Boolean({ description: 'Whether the time after it was not over yet.' }),
    headline: Type.String({ description: 'The verdict in a few words.' }),
    text: Type.String({ description: 'The verdict with its metrics, in a sentence or two.' }),
    windows: Type.Object({ before: TimeRange, after: TimeRange }, { description: 'The times that were compared.' }),
    series: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The dataset and the compared metric.' }),
        verdict: OneOf(VERDICTS),
        kind: OneOf(['share', 'count', 'measurement'], { description: 'What its amounts are: a count is one a minute.' }),
        unit: Type.Optional(
          OneOf(VALUE_UNITS, { description: 'Of a measurement: what its amounts count, where that is known.' }),
        ),
        before: Amount('What it was'),
        after: Amount('What it is'),
        expected: Type.Optional(Amount('What was to be expected')),
        change: Amount('The change, as a part of what was to be expected: 1 is a doubling'),
        low: Amount('The least that the change may be'),
        high: Amount('The most that the change may be'),
        seasons: Type.Optional(Type.Integer({ description: 'How many other days had data to compare with.' })),
        ofTheRest: Type.Optional(Type.Boolean({ description: 'Whether the change is that of what is left to 100 %.' })),
        chance: Type.Optional(Type.Number({ description: 'How probable such a change is if nothing happened.' })),
        lack: Type.Optional(Type.String({ description: 'Why the verdict is “cannot tell”.' })),
        carriers: Type.Array(
          Type.Object({ field: Type.String(), value: Type.String(), before: Type.Number(), after: Type.Number() }),
          { description: 'The values that make most of the change, and the events with them a minute.' },
        ),
      }),
    ),
    neighbors: Type.Array(
      Type.Object({ name: Type.String(), time: Time(), side: OneOf(['before', 'after']), isCutOff: Type.Boolean() }),
      { description: 'Other annotations near it; the compared times end at those that are cut off.' },
    ),
    notes: Type.Array(Type.String(), { description: 'What a reader should know, such as what could not be compared.' }),
  },
  { description: 'What the verdict is made of.' },
)

export const AnnotationSchema = named(
  'Annotation',
  'A marker on the charts of its datasets. Members that are not set are absent.',
  {
    /** Assigned by the service; begins with `ann_`. */
    id: Type.String({ description: 'Assigned by the service.', pattern: ANNOTATION_ID_PATTERN.source }),
    /** Names of the datasets on whose charts it appears. */
    datasets: AnsweredDatasets,
    /** The time of the event, or the start of the span: RFC 3339, UTC, up to nanoseconds. */
    time: Time('The time of the event, or the start of a span: UTC, up to nanoseconds.'),
    /** End of the span, in the form of `time`. */
    endTime: Type.Optional(Time(END_TIME_TEXT)),
    title: Type.Optional(Title),
    /** Markdown. */
    description: Type.Optional(Description),
    /** Kind of the event, for example `production-deploy`. */
    type: AnnotationType,
    url: Type.Optional(Url),
    /** When it was made, in the form of `time`; specific to our service, and answered where it is asked for. */
    createdAt: Type.Optional(Time('When it was made.')),
    /** As `createdAt`: the id of the token, the monitor or the integration that made it. */
    createdBy: Type.Optional(Type.String({ description: 'Id of the token, the monitor or the integration that made it.' })),
    /** As `createdAt`: whether it goes on, until it gets its end. */
    open: Type.Optional(Type.Boolean({ description: 'Whether it goes on, until it gets its end.' })),
    /** As `createdAt`: of one that is open. */
    isStale: Type.Optional(
      Type.Boolean({ description: 'true where it is open for more than a day: whoever should have closed it is probably gone.' }),
    ),
    /** As `createdAt`: given, or read from its texts; absent where nobody says. */
    service: Type.Optional(TAGS.service),
    environment: Type.Optional(TAGS.environment),
    version: Type.Optional(TAGS.version),
    tags: Type.Optional(TAGS.tags),
    /** As `createdAt`: whether it hurt, of what the service judges, for who may query all its datasets. */
    verdict: Type.Optional(OneOf(VERDICTS, { description: 'Whether it hurt; absent where it was not judged.' })),
    verdictDetails: Type.Optional(VerdictDetailsSchema),
  },
)

const SPAN_AND_TEXTS = sent({
  time: StorableTime(TIME_TEXT),
  endTime: StorableTime(END_TIME_TEXT),
  title: Title,
  /** Markdown. */
  description: Description,
})
const URL_AND_TAGS = sent({
  url: Url,
  /** Specific to our service. */
  open: Type.Boolean({ description: 'Whether it goes on, until it gets its end.' }),
  ...TAGS,
})

export const NewAnnotationSchema = Type.Object(
  {
    datasets: Datasets,
    ...SPAN_AND_TEXTS,
    type: AnnotationType,
    ...URL_AND_TAGS,
  },
  {
    $id: 'AnnotationCreate',
    title: 'AnnotationCreate',
    description: 'A member that is null counts as not sent; other members are ignored.',
  },
)

export const AnnotationChangeSchema = Type.Object(
  { ...sent({ datasets: Datasets }), ...SPAN_AND_TEXTS, ...sent({ type: AnnotationType }), ...URL_AND_TAGS },
  {
    $id: 'AnnotationChange',
    title: 'AnnotationChange',
    description: 'The members to change; the others keep their values. A member that is null counts as not sent.',
  },
)

export const AnnotationParams = IdParams(ANNOTATION_ID_PATTERN, 'Assigned by the service.')

/** A parameter that is empty counts as not given; a time of any year may be asked for. */
const Instant = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      description,
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', maxLength: 0 },
      ],
    }),
  )
const NAME_OR_NOTHING = `\\s*${DATASET_NAME_CHARACTER}{0,${DATASET_NAME_LENGTH_MAX}}\\s*`

const VERDICT_OR_NOTHING = `\\s*(?:${VERDICTS.join('|')})?\\s*`

const Names = (description: string) => Type.Optional(Type.String({ description }))

/** The parameters of the list, for the document only: published clients write them in ways that no schema says. */
export const AnnotationListSchema = Type.Object({
  start: Instant('Start of the interval; if it is repeated, the earliest counts.'),
  end: Instant('End of the interval; if it is repeated, the latest counts.'),
  datasets: Type.Optional(
    Type.String({
      description: 'Names of datasets, separated by commas; may be repeated.',
      pattern: `^${NAME_OR_NOTHING}(?:,${NAME_OR_NOTHING})*$`,
      examples: ['web,api'],
    }),
  ),
  verdict: Type.Optional(
    Type.String({
      description: `Those that were judged so, separated by commas: ${VERDICTS.map((verdict) => `\`${verdict}\``).join(', ')}; \`worse\` includes \`gone\`. Needs the permission to query.`,
      pattern: `^${VERDICT_OR_NOTHING}(?:,${VERDICT_OR_NOTHING})*$`,
      examples: ['worse'],
    }),
  ),
  service: Names('Those of these services, separated by commas; one that says none is of those its datasets are named after.'),
  environment: Names('Those of these environments, separated by commas.'),
  version: Names('Those of these versions, separated by commas.'),
  tag: Names('Those that have all of these tags, separated by commas.'),
  pageSize: Type.Optional(
    Type.Unsafe<string>({
      description: 'How many are answered at most; a `Link` with `rel="next"` leads to those after them. Without it, all are.',
      type: 'integer',
      minimum: 1,
      maximum: ANNOTATIONS_PER_PAGE_MAX,
    }),
  ),
  order: Type.Optional(OneOf(LIST_ORDERS, { description: 'By time, then id: the earliest first, or with `desc` the latest.' })),
  pageCursor: Type.Optional(Type.String({ description: 'Where to go on, as a `Link` says it.' })),
})

/** What a verdict is made of. */
export type VerdictDetails = Static<typeof VerdictDetailsSchema>

export type AnnotationListParameters = Static<typeof AnnotationListSchema>

/** A marker on the charts of its datasets. Members that are not set are absent, never `""` or `null`. */
export type Annotation = Static<typeof AnnotationSchema>

/** The body of a create. Without `time` the service takes the time of the request. */
export type NewAnnotation = Static<typeof NewAnnotationSchema>

/** The body of a change: only the members to change. An empty title, description or url unsets it; `endTime` cannot be unset. */
export type AnnotationChange = Static<typeof AnnotationChangeSchema>
