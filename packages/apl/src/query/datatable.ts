/**
 * `datatable (name:type, …) [ values ]`: rows that are written in the query. Each column is one bound array of JSON texts.
 * Deliberately not here: reading it; see `parser.ts`.
 */
import { mismatch } from '../error.ts'
import { Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { json, type Kind, typed, type Value, withName } from '../sql/value.ts'
import { jsonOf, type LiteralValue } from '../text/literal.ts'
import type { Expression, Source } from '../tree/ast.ts'
import { kindOfType, readAs } from '../tree/typed-names.ts'
import { type Context, EMPTY_SCOPE } from '../values/context.ts'

const SCALARS = ['string', 'integer', 'real', 'boolean', 'datetime', 'timespan'] as const
/** The literals that a column takes beside those of its own kind. */
const TAKES: Partial<Record<Kind, readonly LiteralValue['type'][]>> = { string: SCALARS, real: ['integer'], dynamic: SCALARS }

export function datatable({ columns, rows }: Extract<Source, { kind: 'datatable' }>, context: Context): Relation {
  const { aliases, binder } = context
  const select = new Select({ kind: 'one' }, aliases)
  const values = columns.map(({ name, type = 'dynamic' }, at): [string, Value] => {
    const found = rows.map((row) => cellOf(row[at] as Expression, type, name, context))
    const cells = found.every((cell) => typeof cell === 'string')
      ? binder.texts(found)
      : `[${found.map((cell) => (typeof cell === 'string' ? binder.text(cell) : `ifNull(${cell.as('json')}, 'null')`)).join(', ')}]`
    const alias = aliases.column()
    select.arrayJoins.push(`${cells} AS ${alias}`)
    const value = readAs(json(`nullIf(${alias}, 'null')`), type)
    return [name, withName(name, value)]
  })
  const place = aliases.column()
  select.arrayJoins.push(`arrayEnumerate(${binder.texts(rows.map(() => ''))}) AS ${place}`)
  // In the order in which they are written.
  select.order = [{ name: '', value: typed('integer', place, { nullable: false }), descending: false, implied: true }]
  return new Relation({ select, columns: new Map(values) })
}

/** A cell as JSON text, or what is computed for it. */
function cellOf(node: Expression, type: string, column: string, context: Context): string | Value {
  const kind = kindOfType(type)
  const value = context.expression(node, EMPTY_SCOPE)
  if (!value.literal && value.kind === kind) return value
  const literal = context.constant(node, 'a value of datatable')
  if (literal.type === 'null') return 'null'
  if (literal.type !== kind && !TAKES[kind]?.includes(literal.type))
    throw mismatch(`the column "${column}" takes ${type}, not ${literal.type}`, node.span)
  const text = jsonOf(literal)
  return kind === 'string' && literal.type !== 'string' && literal.type !== 'datetime' ? JSON.stringify(text) : text
}
