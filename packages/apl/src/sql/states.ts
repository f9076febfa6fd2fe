/**
 * Aggregations in two steps: what the rows of each bin of time come to, as states of the engine, and what is made of those. Several
 * states of one bin are merged, so that those of rows that do not change any more need not be computed again.
 * Deliberately not here: which queries may be answered so (`query/mergeable.ts`), and where states are held (`rollups.ts` of the event
 * store).
 */

import { CompileError, NOWHERE } from '../error.ts'

/** What the SQL of a statement calls the rows of the states, which are a sub-query in its place. */
export const STATES = 'states_of_bins'

/** The aggregations of one SELECT. */
export class States {
  /** The states as SQL, by the names of their columns. */
  readonly columns = new Map<string, string>()

  /** @throws CompileError, always: merged states might say something else than one look at all rows */
  refuse(): never {
    throw new CompileError('unsupported', 'what the query aggregates cannot be merged exactly', NOWHERE)
  }

  /** @param parameters in parentheses, or empty. @returns the aggregation as one of its states */
  merge(name: string, parameters: string, argument: string): string {
    const sql = `${name}State${parameters}(${argument})`
    const known = [...this.columns].find(([, state]) => state === sql)
    const column = known?.[0] ?? `s${this.columns.size}`
    this.columns.set(column, sql)
    return `${name}Merge${parameters}(${column})`
  }
}
