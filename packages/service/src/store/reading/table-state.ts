/**
 * What a table holds at a moment, as a text that is another one once an event was stored or removed: the names of its parts. A merge
 * changes them too. Not for the tables of a cluster, whose parts are on other servers.
 */
import type { Statement } from '@deployment-annotations/apl/plan'

/** @returns the statement whose only cell is that text */
export function tableState(tables: readonly string[]): Statement {
  const parts =
    'SELECT table, name FROM system.parts WHERE active AND database = currentDatabase() AND has({t:Array(String)}, table)'
  return { sql: `SELECT toString(sipHash64(arraySort(groupArray((table, name))))) FROM (${parts})`, params: { t: tables } }
}
