/**
 * The headers of the wire contract that are not HTTP's own, in lower case, as Node and fetch return them.
 */

/** Names one request across the service's answer and its log. */
export const TRACE_ID_HEADER = 'x-axiom-trace-id'

/** A create that repeats this key with the same body is answered with the first one's result, for 24 hours. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
/** Visible ASCII, at most 255: what any client library can send in a header. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

/**
 * Beyond the contract: the request is about the one annotation with this key, and so says the answer, by the same header. A
 * create replaces that annotation where there is one; a list has it alone. A service that does not know keys sends nothing back.
 */
export const ANNOTATION_KEY_HEADER = 'annotation-key'
export const ANNOTATION_KEY_FORM = '1 to 128 visible ASCII characters, with blanks only between them'
export const ANNOTATION_KEY_PATTERN = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/

/** Beyond the contract: what the person who reads a log should know about an annotation that was stored all the same. */
export const NOTICE_HEADER = 'annotation-notice'

/** Names of columns, separated by commas; the CSV then has no header row. */
export const CSV_FIELDS_HEADER = 'x-axiom-csv-fields'
/** A JSON object whose members every event gets. */
export const EVENT_LABELS_HEADER = 'x-axiom-event-labels'

/** Where a request of OTLP goes; it has no place for a dataset of its own. */
export const OTLP_DATASET_HEADER = 'x-axiom-dataset'
/** The same for metrics, before the other one. */
export const OTLP_METRICS_DATASET_HEADER = 'x-axiom-metrics-dataset'

/** A request's header (RFC 7240) that asks for every member (rules/own-members.ts); `PREFER_ALL_MEMBERS` is what to send. */
export const PREFER_HEADER = 'prefer'
export const PREFER_ALL_MEMBERS = { [PREFER_HEADER]: 'members=all' } as const
