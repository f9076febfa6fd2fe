/**
 * The closed lists of queries: forms of an answer, kinds of mistakes.
 */

export const QUERY_FORMATS = ['tabular', 'legacy'] as const

/** What a query is saved as: one of the query language, or a legacy one that asked for figures or for rows. */
export const QUERY_KINDS = ['apl', 'analytics', 'stream'] as const
export const SAVED_QUERY_ID_PATTERN = /^qry_[0-9a-f]{24}$/
/** The column of each row's cursor, for who asks for it. No field of an event has this name. */
export const CURSOR_COLUMN = '_cursor'

/** By what the author of a query would do next: correct the writing, a name, a type; leave something out; make it smaller. */
export const QUERY_ERROR_TYPES = ['syntax', 'unknown_name', 'type_mismatch', 'unsupported', 'limit'] as const
