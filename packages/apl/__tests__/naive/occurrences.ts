/**
 * What random programs really met while the evaluator ran them, counted: the places where queries were once answered wrongly.
 * Deliberately not here: what it means.
 */

export const KINDS = [
  'a key with a dot',
  'a key with a dot, escaped',
  'a returned field that is missing',
  'values of two types',
  'a needle with a sign',
  'a text like a number',
  'a time as a text',
  'an integer that no float holds',
  'a decimal beside an equal integer',
  'a difference of two texts',
  'a value of no row',
  'a column with a type',
  'a quotient cut to a whole number',
] as const
type Occurrence = (typeof KINDS)[number]

/** How often each was met so far. */
export const OCCURRED = new Map<Occurrence, number>()

export function occurs(kind: Occurrence): void {
  OCCURRED.set(kind, (OCCURRED.get(kind) ?? 0) + 1)
}
