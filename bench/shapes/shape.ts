/**
 * The shape of a query that people write, beside the SQL that a good user of the engine would write for the same answer from the
 * same table. Deliberately not here: the shapes themselves, one file for each kind of them, and how they are run (`../reading.ts`).
 */
import { DATASET } from '../query-data.ts'

export interface Shape {
  readonly name: string
  /** Both texts are made from a number that differs in each round, so that no cache of conditions answers. */
  readonly apl: (n: number) => string
  /** `EVENTS` is the table, `SPAN` the condition on `_time`. */
  readonly sql: (n: number) => string
  /** Of figures that are estimates: by how much, as a part of the larger one, they may differ. */
  readonly tolerance: number
}

/** @param apl what follows the name of the dataset */
export const shape = (name: string, apl: Shape['apl'], sql: Shape['sql'], tolerance = 0): Shape => ({
  name,
  apl: (n) => `['${DATASET}'] ${apl(n)}`,
  sql,
  tolerance,
})

export const countWhere = (condition: string) => `SELECT count() FROM EVENTS WHERE SPAN AND ${condition}`
