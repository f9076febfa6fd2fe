/**
 * The order of rows where the query does not say all of it.
 * Deliberately not here: orders that are asked for; see `operators/rows.ts`.
 */
import type { Relation } from './relation.ts'

/** Rows of datasets come newest first where nothing else is said, and rows that sort equal newest first, so that a cut is always the same. */
export function settleOrder(relation: Relation): void {
  const { select, identity } = relation
  if (!identity) return
  const [first] = select.order
  const time = identity.time.as('plain')
  const descending = first?.value.as('plain') === time ? first.descending : true
  const keys = select.order.map(({ value }) => value.as('plain'))
  if (!keys.includes(time)) select.order = [...select.order, { name: '_time', value: identity.time, descending, implied: true }]
  if (!keys.includes(identity.row.as('plain')))
    select.order = [...select.order, { name: '_row', value: identity.row, descending, implied: true }]
}
