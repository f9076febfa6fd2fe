/**
 * The headers of the wire contract that are not HTTP's own, in lower case, as Node and fetch return them; and the members of resources
 * that are only answered if a request asks for them.
 */

/** The id of a request, in the service's answer and in its log. */
export const TRACE_ID_HEADER = 'x-axiom-trace-id'

/** A create that repeats this key with the same body is answered with the first one's result, for 24 hours. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
/** At most 255 visible ASCII characters, which any client library can send in a header. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

/**
 * Beyond the contract: the request is about the one annotation with this key, and the answer repeats the header. A
 * create replaces that annotation where there is one; a list has it alone. A service that does not know keys sends nothing back.
 */
export const ANNOTATION_KEY_HEADER = 'annotation-key'
export const ANNOTATION_KEY_FORM = '1 to 128 visible ASCII characters, with spaces only between them'
export const ANNOTATION_KEY_PATTERN = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/

/**
 * Beyond the contract, of a create or a change: `true` says that the annotation goes on until it gets its end, as the member `open` does.
 * A header is what every other service ignores.
 */
export const ANNOTATION_OPEN_HEADER = 'annotation-open'

/**
 * Beyond the contract, of a create or a change: the members `service`, `environment`, `version` and `tags` as a JSON object, for the same
 * reason; what is not ASCII is escaped.
 */
export const ANNOTATION_TAGS_HEADER = 'annotation-tags'

/** Beyond the contract: something that the reader of a log should know about an annotation, which was stored all the same. */
export const ANNOTATION_WARNING_HEADER = 'annotation-warning'

/** The names of the columns of a CSV body, separated by commas; it then has no header row. */
export const CSV_FIELDS_HEADER = 'x-axiom-csv-fields'
/** A JSON object whose members every event gets. */
export const EVENT_LABELS_HEADER = 'x-axiom-event-labels'
/** Beyond the contract, of an answer: the members of events that were read as their time though nothing named them, separated by commas. */
export const EVENT_TIME_FIELD_HEADER = 'event-time-field'

/** The dataset that a request of OTLP is for: the protocol itself has no place for one. */
export const OTLP_DATASET_HEADER = 'x-axiom-dataset'
/** The same for metrics; it takes precedence over the other one. */
export const OTLP_METRICS_DATASET_HEADER = 'x-axiom-metrics-dataset'

/*
 * Members of tokens and annotations that the hosted service does not have. Published clients that decode strictly refuse a member that
 * they do not know, so these are only in answers to requests with `include=all`, a query parameter, which can be tried in a browser. Other
 * services ignore it, as they ignore the parameters of a page of a list. Other resources have their own members in every answer: no
 * published client was seen to refuse them.
 */
export const INCLUDE_ALL = { include: 'all' } as const

/** @returns the path with the parameter that asks for every member */
export const withAllMembers = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}include=all`

/** What was changed, where, to what, and free words. */
export const TAG_MEMBERS = ['service', 'environment', 'version', 'tags'] as const
export const OWN_ANNOTATION_MEMBERS = [
  'createdAt',
  'createdBy',
  'open',
  'isStale',
  ...TAG_MEMBERS,
  'verdict',
  'verdictDetails',
  'hurtsNow',
] as const
export const OWN_TOKEN_MEMBERS = ['kind', 'permissions', 'createdAt'] as const

/** @returns the JSON of a value as a header can carry it: in ASCII, which can say everything */
export function toHeader(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
