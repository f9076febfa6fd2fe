/**
 * The limits of one ingest request, with their reasons. The limits of the whole service are in
 * packages/runtime/src/concurrency/bounds.ts.
 */

/** The longest string or array in the spelling of the body, as the hosted service publishes it. */
export const VALUE_BYTES_MAX = 1_048_576
/** The longest dotted field name in UTF-8 with its escapes, as the hosted service publishes it. */
export const FIELD_NAME_BYTES_MAX = 200
/** The deepest nesting of objects and arrays in an event, as the hosted service publishes it. */
export const NESTING_MAX = 100
/** The most distinct fields of a dataset, as the hosted service publishes it; it also bounds the number of open files. */
export const FIELDS_MAX = 1024
/** The largest event, and the most members of one outside of its arrays: an event is read without a pause, as are its rows in CSV. */
export const EVENT_BYTES_MAX = 2_097_152
export const MEMBERS_MAX = 10_000
/**
 * How much a compressed body may have for each of its bytes, and how much more. In text logs, an event takes 5 bytes and more. The messages
 * of OTLP that are counted are those in lists: resources, scopes, items, points, attributes and values. An empty one takes two bytes before
 * compression, those of a program take ten and more.
 */
export const COUNTED = { events: { perByte: 1, free: 20_000 }, messages: { perByte: 10, free: 1_000_000 } } as const
/** The most items in `failures`; `failed` continues to count, so that a bad 200 MB body cannot fill the heap. */
export const FAILURES_LISTED_MAX = 10_000
/** The size of the labels header. Node's own limit for all headers is 16 kB. */
export const LABELS_BYTES_MAX = 8_192
/** Rows of up to this many bytes are one atomic insert; larger requests go through a staging table. */
export const ATOMIC_BYTES_MAX = 6_291_456
