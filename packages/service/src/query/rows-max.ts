/** The bound of one answer, apart from what answers: the command line shows it without loading the query language. */

/** Rows of one answer at most; a larger limit is lowered to this, and the answer says so. */
export const ROWS_MAX = 65_000
