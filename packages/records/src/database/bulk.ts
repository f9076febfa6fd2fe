/**
 * Splits many rows into statements. Deliberately not here: the statements themselves.
 */

/** Databases limit how many values a statement may have, and this many rows stay below that. */
export const ROWS_MAX = 500

/** @param run a statement over some of the rows @returns what all of the statements returned, in the order of the rows */
export async function inStatements<Row, Result>(
  rows: readonly Row[],
  run: (some: Row[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < rows.length; at += ROWS_MAX) results.push(...(await run(rows.slice(at, at + ROWS_MAX))))
  return results
}
