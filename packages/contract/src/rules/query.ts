/**
 * The closed lists of queries: forms of an answer, kinds of mistakes.
 */

export const QUERY_FORMATS = ['tabular', 'legacy'] as const

/** By what the author of a query would do next: correct the writing, a name, a type; leave something out; make it smaller. */
export const QUERY_ERROR_TYPES = ['syntax', 'unknown_name', 'type_mismatch', 'unsupported', 'limit'] as const
