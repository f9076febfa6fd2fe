/**
 * Aggregations in two steps: what the rows of each bin of time come to, as states of the engine, and what is made of those. Several
 * states of one bin are merged, so that those of rows that do not change any more need not be computed again.
 * Deliberately not here: where states are held; see `rollups.ts` of the event store.
 */

/** What the SQL of a statement calls the rows of the states, which are a sub-query in its place. */
export const STATES = 'states_of_bins'

/** What a merge of states says exactly as one look at all rows does, in whatever order: sums of floats, for example, differ. */
const EXACT = /^(?:count|min|max|quantilesDD)(?:If)?$/
/** The sum of whole numbers. */
const WHOLE = /^toInt128\(/
/** A few values to be sorted; where more are listed, their order matters. */
const FEW = /^\(\d+\)$/
/** Tells apart what another look at the same rows might not say again: what is random, and what depends on more than the rows. */
const UNSURE = /\brand|\bSELECT\b|\bjoinGet|\bgrouping\b|\bOVER\b/i

/** The aggregations of one SELECT. */
export class States {
  /** The states as SQL, by the names of their columns. */
  readonly columns = new Map<string, string>()
  /** Whether there is an aggregation whose states cannot be merged. */
  isExact = true

  /** @param parameters in parentheses, or empty. @returns the aggregation as one of its states */
  merge(name: string, parameters: string, argument: string): string {
    const isWhole = /^sum(?:If)?$/.test(name) && WHOLE.test(argument)
    const areFew = /^groupArray(?:If)?$/.test(name) && FEW.test(parameters)
    if (!EXACT.test(name) && !isWhole && !areFew) this.isExact = false
    const sql = `${name}State${parameters}(${argument})`
    const known = [...this.columns].find(([, state]) => state === sql)
    const column = known?.[0] ?? `s${this.columns.size}`
    this.columns.set(column, sql)
    return `${name}Merge${parameters}(${column})`
  }
}

/** Whether the same rows always come to the same states. */
export function areSure(texts: readonly string[]): boolean {
  return texts.every((text) => !UNSURE.test(text))
}

/** Whether SQL names nothing but the columns of states. */
export function readsStatesOnly(sql: string): boolean {
  return !/`|\b(?:data|_sysTime|_row)\b/.test(sql)
}
