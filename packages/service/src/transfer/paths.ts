/**
 * The interface by which a running service is exported: its paths, and how a chunk and the records travel. Both sides are in this
 * package, and of the same version.
 */

export const EXPORT_PATH = '/v2/export'
export const EXPORT_RECORDS_PATH = `${EXPORT_PATH}/records`
export const EXPORT_EVENTS_PATH = `${EXPORT_PATH}/events`

/** What is in a chunk, as JSON: all but the rows, which are the body. */
export const CHUNK_HEADER = 'x-export-chunk'

/** The last line of the records, which a cut answer lacks. */
export const END_LINE = '{"end":true}'
