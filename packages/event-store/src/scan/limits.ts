/**
 * What one ingest request may hold, and why. What may wait in the whole service at a time is in packages/runtime/src/concurrency/bounds.ts.
 */

/** Longest string or array as the body spells it. The hosted service's published limit. */
export const VALUE_BYTES_MAX = 1_048_576
/** Longest dotted field name, escapes included, in UTF-8. The hosted service's published limit. */
export const FIELD_NAME_BYTES_MAX = 200
/** Deepest nesting of objects and arrays in an event. The hosted service's published limit. */
export const NESTING_MAX = 100
/** Distinct fields of a dataset. The hosted service's published limit; also what keeps open files bounded. */
export const FIELDS_MAX = 1024
/** One event must fit into memory whole, with room for the doubling buffer that collects it. */
export const EVENT_BYTES_MAX = 16_777_216
/** A body after decompression. Five times what the benchmark streams; a bomb ends here. */
export const BODY_BYTES_MAX = 1_073_741_824
/** A compressed body may grow this much plus {@link INFLATE_BYTES_FREE}; text logs reach 20 to 60. */
export const INFLATE_RATIO_MAX = 200
/** Growth that is never questioned: a small body of spaces compresses without bound and does no harm. */
export const INFLATE_BYTES_FREE = 16_777_216
/** Events of a compressed body that are never questioned, besides one a byte of it; of text logs, one takes 5 bytes and more. */
export const EVENTS_FREE = 20_000
/** Items listed in `failures`; `failed` goes on counting, so that a bad 200 MB body cannot fill the heap. */
export const FAILURES_LISTED_MAX = 10_000
/** The labels header. Node's own limit for all headers is 16 kB. */
export const LABELS_BYTES_MAX = 8_192
/**
 * A request of at most so many bytes is small: its rows stay texts. A block of columns costs the engine as much as 25 rows of text.
 */
export const SMALL_BYTES_MAX = 16_384
/** Events of up to this many bytes of rows are one atomic insert; larger requests go through a staging table. */
export const ATOMIC_BYTES_MAX = 6_291_456
