/**
 * Splits many rows into statements. Deliberately not here: the statements themselves.
 */

/** Databases limit how many values a statement may have, and this many rows stay below that. */
const ROWS_MAX = 500

/** @returns the rows in their order, in groups that each fit one statement */
export function inStatements<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_MAX) }, (_, i) => rows.slice(i * ROWS_MAX, (i + 1) * ROWS_MAX))
}
