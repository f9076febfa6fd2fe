/**
 * Rows that come with a statement, as a constant of its own text. They are no parameter: a server takes none above 128 KiB, and
 * rows may be megabytes. What becomes part of the text is base64, so nothing that somebody wrote does.
 */
import type { Statement } from '@deployment-annotations/apl/plan'

/** Longest text of a statement, in bytes: what the compiler makes is far below it, and two sources give at most 11 MB each. */
export const STATEMENT_BYTES_MAX = 33_554_432

/** @param others such constants, as `'…' AS name`. @returns the text of the statement, its constants before it */
export function withConstants({ sql, constants = {} }: Statement, others: readonly string[] = []): string {
  const all = [...others, ...Object.entries(constants).map(([name, rows]) => constant(name, rows))]
  return all.length === 0 ? sql : `WITH ${all.join(', ')} ${sql}`
}

function constant(name: string, rows: Buffer): string {
  if (!/^[a-z_]{1,40}$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a constant`)
  return `'${rows.toString('base64')}' AS ${name}`
}
