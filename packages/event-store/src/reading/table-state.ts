/**
 * What a table holds at a moment, as a text that is another one once an event was stored or removed: the names of its parts, and their rows. A merge
 * changes them too. Not for the tables of a cluster, whose parts are on other servers.
 */
import type { Statement } from '@deployment-annotations/apl/plan'

/** @returns the statement whose only cell is that text */
export function tableState(tables: readonly string[]): Statement {
  const parts =
    'SELECT table, name, rows FROM system.parts WHERE active AND database = currentDatabase() AND has({t:Array(String)}, table)'
  const state = "concat(toString(sipHash64(arraySort(groupArray((table, name))))), ':', toString(sum(rows)))"
  return { sql: `SELECT ${state} FROM (${parts})`, params: { t: tables } }
}

/** @returns how many rows there are in a state, those that are deleted and not gone yet among them */
export function rowsOfState(state: string): number {
  return Number(state.slice(state.indexOf(':') + 1))
}
