/**
 * Many rows at a time. Deliberately not here: statements.
 */

/** Rows of one statement at most: databases bound the number of its values. */
const ROWS_MAX = 500

/** @returns the rows in their order, as many at a time as one statement takes */
export function inStatements<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_MAX) }, (_, i) => rows.slice(i * ROWS_MAX, (i + 1) * ROWS_MAX))
}
