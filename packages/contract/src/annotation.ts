/**
 * Annotations: what they are made of, and what they can be asked. Rules that span members (endTime not before time) and the reading of
 * times are the service's.
 */
import { ANNOTATION_JOB_HEADER } from './annotation-job.ts'
import type { Calls } from './call.ts'
import { ANSWERED_DATASET_NAME, DATASET_NAME, DATASET_NAME_CHARACTER, DATASET_NAME_LENGTH_MAX } from './dataset-name.ts'
import {
  ANNOTATION_KEY_HEADER,
  ANNOTATION_KEY_PATTERN,
  ANNOTATION_OPEN_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  OWN_ANNOTATION_MEMBERS,
} from './header.ts'
import { operations } from './operation.ts'
import { timeParameter } from './relative-time.ts'
import {
  byHand,
  flag,
  type Infer,
  list,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  schemaOf,
  sent,
  storableTime,
  text,
  time,
  titled,
  whole,
} from './schema.ts'
import { TIMESTAMP_FORMS } from './timestamp.ts'
import { VALUE_UNITS } from './unit.ts'
import { FINDINGS, VERDICTS, type Verdict } from './verdict.ts'

/** How many annotations a page of the list has at most. */
export const ANNOTATIONS_PER_PAGE_MAX = 10_000
/** By time, the earliest first by default. */
export const LIST_ORDERS = ['asc', 'desc'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

export const ANNOTATION_ID_PATTERN = /^ann_[A-Za-z0-9_-]{1,64}$/
export const ANNOTATION_TYPE_PATTERN = /^[a-z0-9-]+$/
/** What a type has, in the words of messages. */
export const TYPE_RULE = 'lower-case letters, digits and "-" only'

/** The longest texts, in Unicode code points. */
export const TYPE_POINTS_MAX = 256
/** How many datasets one annotation may have: an answer names them in a header as well. */
export const ANNOTATION_DATASETS_MAX = 100
export const TITLE_POINTS_MAX = 256
export const DESCRIPTION_POINTS_MAX = 512
export const URL_POINTS_MAX = 512

/** The type of annotations that the service makes of versions which appear in events. */
export const DETECTED_RELEASE_TYPE = 'detected-release'

/** Of service, environment, version and each tag. All of them fit into one header, escaped. */
export const TAG_POINTS_MAX = 100
export const TAGS_MAX = 16
/** Filters separate them by commas. */
export const TAG_PATTERN = /^[^,\u0000-\u001f\u007f]*$/

/** A client asks for the members that only this service has if its caller does. */
export const ANNOTATION_CALLS = {
  create: { call: 'POST /v2/annotations', takes: 'body', one: 'id', include: 'all' },
  list: { call: 'GET /v2/annotations', takes: 'query', list: 'id', include: 'all' },
  get: { call: 'GET /v2/annotations/{id}', one: 'id', include: 'all' },
  change: { call: 'PUT /v2/annotations/{id}', takes: 'body', one: 'id', include: 'all' },
  delete: { call: 'DELETE /v2/annotations/{id}' },
} as const satisfies Calls

const DATASETS_TEXT = 'Names of the datasets on whose charts the annotation appears.'
const DATASETS = list(DATASET_NAME, `${DATASETS_TEXT} They need not exist.`, {
  minItems: 1,
  maxItems: ANNOTATION_DATASETS_MAX,
  examples: [['web', 'api']],
})
const ANSWERED_DATASETS = list(
  ANSWERED_DATASET_NAME,
  `${DATASETS_TEXT} A dataset that was deleted stands there as \`web (deleted)\`; another of that name does not get its annotations.`,
  { minItems: 1, examples: [['web', 'api']] },
)
const TITLE = text('Short summary shown on charts.', { maxLength: TITLE_POINTS_MAX })
const DESCRIPTION = text('Markdown.', { maxLength: DESCRIPTION_POINTS_MAX })
/** The `type` of annotations, also of those that monitors make. */
export const ANNOTATION_TYPE = text('Kind of the event.', {
  minLength: 1,
  maxLength: TYPE_POINTS_MAX,
  pattern: ANNOTATION_TYPE_PATTERN,
  examples: ['production-deploy'],
})
const URL_TEXT = text('Where to read more.', { maxLength: URL_POINTS_MAX })

const tag = (description = '') => text(description, { maxLength: TAG_POINTS_MAX, pattern: TAG_PATTERN })
/** Specific to our service. Where they are not given, they are read from the texts of the annotation. */
const TAGS = {
  service: tag('What was changed.'),
  environment: tag('Where it was changed, such as `production`.'),
  version: tag('The version that it was changed to.'),
  tags: list(tag(), 'Free words.', { maxItems: TAGS_MAX }),
}

const END_TIME_TEXT = 'End of the span; not before `time`.'
const OPEN = flag('Whether it goes on, until it gets its end.')

const amount = (description: string) =>
  schemaOf<number | null>({ type: ['number', 'null'], description: `${description}; null where there is none.` })
const TIME_RANGE = object({ startTime: time(), endTime: time() })

const COMPARED_SERIES = object({
  name: text('The dataset and the compared metric.'),
  verdict: oneOf(VERDICTS),
  kind: oneOf(['share', 'count', 'measurement'], 'What its amounts are: a count is one a minute.'),
  ...optional({ unit: oneOf(VALUE_UNITS, 'Of a measurement: what its amounts count, where that is known.') }),
  before: amount('What it was'),
  after: amount('What it is'),
  ...optional({ expected: amount('What was to be expected') }),
  change: amount('The change, as a part of what was to be expected: 1 is a doubling'),
  low: amount('The least that the change may be'),
  high: amount('The most that the change may be'),
  ...optional({
    seasons: whole('How many other days had data to compare with.'),
    ofTheRest: flag('Whether the change is that of what is left to 100 %.'),
    chance: number('How probable such a change is if nothing happened.'),
    lack: text('Why the verdict is “cannot tell”.'),
    sparkline: text('Its values before and after, drawn in characters.'),
    failing: object({
      apl: text('If more failed: a query of what failed after it.'),
      count: whole('How many did.'),
      ...optional({ carried: whole('How many of them have all the values that make nearly all of the change.') }),
    }),
  }),
  carriers: list(
    object({ field: text(), value: text(), before: number(), after: number(), ...optional({ part: number() }) }),
    'The values that make most of the change, the events with them a minute, and the part of the change that they make: 1 is all of it.',
  ),
})

const VERDICT_DETAILS = object(
  {
    judgedAt: time('When it was judged last.'),
    isEarly: flag('Whether the time after it was not over yet.'),
    headline: text('The verdict in one sentence, which the page, the command, the steps and the notifiers show.'),
    text: text('The sentence, with what else changed and the annotations nearby.'),
    windows: object({ before: TIME_RANGE, after: TIME_RANGE }, { description: 'The times that were compared.' }),
    series: list(COMPARED_SERIES),
    neighbors: list(
      object({ name: text(), time: time(), side: oneOf(['before', 'after']), isCutOff: flag() }),
      'Other annotations near it; the compared times end at those that are cut off.',
    ),
    notes: list(text(), 'What a reader should know, such as what could not be compared.'),
    ...optional({
      finding: oneOf(FINDINGS, 'What the sentence says beside the verdict; absent where it says no more.'),
      overAt: time('Since when everything that it hurt is back at the level from before it.'),
    }),
  },
  { description: 'What the verdict is made of.' },
)

export const ANNOTATION = titled(
  'Annotation',
  {
    id: text('Assigned by the service.', { pattern: ANNOTATION_ID_PATTERN }),
    datasets: ANSWERED_DATASETS,
    time: time('The time of the event, or the start of a span: UTC, up to nanoseconds.'),
    ...optional({
      /** In the form of `time`. */
      endTime: time(END_TIME_TEXT),
      title: TITLE,
      /** Markdown. */
      description: DESCRIPTION,
    }),
    type: ANNOTATION_TYPE,
    ...optional({
      url: URL_TEXT,
      /** In the form of `time`. It and those that follow are specific to our service, and answered where they are asked for. */
      createdAt: time('When it was made.'),
      createdBy: text('Id of the token, the monitor or the integration that made it.'),
      open: OPEN,
      isStale: flag('true where it is open for more than a day: whoever should have closed it is probably gone.'),
      ...TAGS,
      /** For who may query all its datasets. */
      verdict: oneOf(VERDICTS, 'Whether it hurt; absent where it was not judged.'),
      verdictDetails: VERDICT_DETAILS,
      hurtsNow: flag('true where it is worse, and neither over nor rolled back so far.'),
    }),
  },
  { description: 'A marker on the charts of its datasets. Members that are not set are absent.' },
)

const SPAN_AND_TEXTS = sent({
  time: storableTime(
    `The time of the event, or the start of a span: ${TIMESTAMP_FORMS}; years 1900 to 2262. By default the time of the request.`,
  ),
  endTime: storableTime(END_TIME_TEXT),
  title: TITLE,
  /** Markdown. */
  description: DESCRIPTION,
})
const URL_AND_TAGS = sent({
  url: URL_TEXT,
  /** Specific to our service. */
  open: OPEN,
  ...TAGS,
})

const NEW_ANNOTATION = object(
  { datasets: DATASETS, ...SPAN_AND_TEXTS, type: ANNOTATION_TYPE, ...URL_AND_TAGS },
  { title: 'AnnotationCreate', description: 'A member that is null counts as not sent; other members are ignored.' },
)

const ANNOTATION_CHANGE = object(
  { ...sent({ datasets: DATASETS }), ...SPAN_AND_TEXTS, ...sent({ type: ANNOTATION_TYPE }), ...URL_AND_TAGS },
  {
    title: 'AnnotationChange',
    description: 'The members to change; the others keep their values. A member that is null counts as not sent.',
  },
)

const listOf = (item: string) => `^${item}(?:,${item})*$`
const NAME_OR_NOTHING = `\\s*${DATASET_NAME_CHARACTER}{0,${DATASET_NAME_LENGTH_MAX}}\\s*`
const VERDICT_OR_NOTHING = `\\s*(?:${VERDICTS.join('|')})?\\s*`

const BY_PLACE = {
  start: timeParameter('Start of the interval: RFC 3339, or such as `now-1d`; if it is repeated, the earliest counts.'),
  end: timeParameter('End of the interval, in the same forms; if it is repeated, the latest counts.'),
  datasets: text('Names of datasets, separated by commas; may be repeated.', {
    pattern: listOf(NAME_OR_NOTHING),
    examples: ['web,api'],
  }),
}
const BY_TAGS = {
  service: text('Those of these services, separated by commas; one that says none is of those its datasets are named after.'),
  environment: text('Those of these environments, separated by commas; one that names none is of `production`.'),
  version: text('Those of these versions, separated by commas.'),
  tag: text('Those that have all of these tags, separated by commas.'),
}

/** The parameters of the lists that choose annotations, for the document only: published clients write them in ways that no schema says. */
export const ANNOTATION_FILTER = { ...BY_PLACE, ...BY_TAGS }

const ANNOTATION_LIST = object(
  optional({
    ...BY_PLACE,
    verdict: text(
      `Those that were judged so, separated by commas: ${VERDICTS.map((verdict) => `\`${verdict}\``).join(', ')}; \`worse\` includes \`gone\`. Needs the permission to query.`,
      { pattern: listOf(VERDICT_OR_NOTHING), examples: ['worse'] },
    ),
    ...BY_TAGS,
    pageSize: whole('How many are answered at most; a `Link` with `rel="next"` leads to those after them. Without it, all are.', {
      minimum: 1,
      maximum: ANNOTATIONS_PER_PAGE_MAX,
    }),
    order: oneOf(LIST_ORDERS, 'By time, then id: the earliest first, or with `desc` the latest.'),
    pageCursor: text('Where to go on, as a `Link` says it.'),
  }),
)

const key = (pattern: RegExp, maxLength: number, description: string) => text(description, { minLength: 1, maxLength, pattern })
const annotationKey = (description: string) => ({ [ANNOTATION_KEY_HEADER]: key(ANNOTATION_KEY_PATTERN, 128, description) })
const OPEN_HEADER = {
  [ANNOTATION_OPEN_HEADER]: oneOf(
    ['true', 'false', ''],
    'As the member `open`, for clients whose bodies go to other services too.',
  ),
}

export const ANNOTATIONS = operations(
  ANNOTATION_CALLS,
  {
    noun: 'annotation',
    tag: 'annotations',
    permissions: 'annotations',
    params: { id: text('Assigned by the service.', { pattern: ANNOTATION_ID_PATTERN }) },
    item: ANNOTATION,
    own: OWN_ANNOTATION_MEMBERS,
  },
  {
    create: {
      headers: optional({
        [IDEMPOTENCY_KEY_HEADER]: key(
          IDEMPOTENCY_KEY_PATTERN,
          255,
          'A create that repeats this key with the same body within 24 hours is answered with the first annotation.',
        ),
        ...annotationKey(
          'There is one annotation with this key: a create replaces what it says, and keeps its id. Needs the permission `annotations|update` too.',
        ),
        ...OPEN_HEADER,
        [ANNOTATION_JOB_HEADER]: text(
          'Beside a key: which of several jobs says this, as JSON with `run`, `attempt` and `job`, and perhaps `name`, `failed` and `line`. What the jobs of a run say is merged, and a later attempt replaces what a job of the same `name` said.',
        ),
      }),
      body: NEW_ANNOTATION,
      answer: { 200: 'The annotation that had this key before, as it is now.', 201: 'The annotation with its id.' },
      errors: [409],
    },
    list: {
      description: 'The annotations whose span touches `[start, end]`, both ends included, sorted by time, then id.',
      headers: optional(annotationKey('Only the annotation with this key, whatever the parameters say.')),
      query: byHand<unknown>(ANNOTATION_LIST) as Schema<unknown, AnnotationFilter>,
      answer: 'The annotations.',
      errors: [400],
    },
    get: {},
    change: {
      description: 'Members that are not sent keep their values. An empty title, description or url unsets it.',
      headers: optional(OPEN_HEADER),
      body: ANNOTATION_CHANGE,
    },
    delete: {},
  },
)

/** Which annotations to list: those whose span touches `[start, end]` and that have one of the `datasets`. */
export interface AnnotationFilter {
  start?: string
  end?: string
  datasets?: readonly string[]
  /** Those that our service judged so; `worse` includes what is gone. Other services ignore it. */
  verdict?: readonly Verdict[]
  /** Those of one of these services; an annotation that says none is of the services that its datasets are named after. Ours only, as the next. */
  service?: readonly string[]
  environment?: readonly string[]
  version?: readonly string[]
  /** Those with all of these tags. */
  tag?: readonly string[]
}

/** What a verdict is made of. */
export type VerdictDetails = Infer<typeof VERDICT_DETAILS>

/** A marker on the charts of its datasets. Members that are not set are absent, never `""` or `null`. */
export type Annotation = Infer<typeof ANNOTATION>

/** The body of a create. Without `time` the service takes the time of the request. */
export type NewAnnotation = Infer<typeof NEW_ANNOTATION>

/** The body of a change: only the members to change. An empty title, description or url unsets it; `endTime` cannot be unset. */
export type AnnotationChange = Infer<typeof ANNOTATION_CHANGE>
