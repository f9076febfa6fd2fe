/**
 * The types that a query can write: of columns, `name: type`, and as the type that a value is read as, `typeof(type)`.
 * Deliberately not here: which literals a type takes; see `query/datatable.ts`.
 */

import { type Kind, typed, type Value, type View } from '../sql/value.ts'
import type { TypedName } from './ast.ts'
import type { ExpressionParser } from './expression-parser.ts'

/** The kind of a type's values, and the view in which any other value is read as one. */
const TYPES: Readonly<Record<string, readonly [Kind, View]>> = {
  string: ['string', 'text'],
  long: ['integer', 'integer'],
  int: ['integer', 'integer'],
  real: ['real', 'number'],
  double: ['real', 'number'],
  decimal: ['real', 'number'],
  bool: ['boolean', 'filter'],
  boolean: ['boolean', 'filter'],
  datetime: ['datetime', 'time'],
  date: ['datetime', 'time'],
  timespan: ['timespan', 'span'],
  dynamic: ['dynamic', 'plain'],
}

export const COLUMN_TYPES = Object.keys(TYPES)

export const kindOfType = (type: string): Kind => (TYPES[type] as (typeof TYPES)[string])[0]

/** A value as one of a type. */
export function readAs(value: Value, type: string): Value {
  const [kind, view] = TYPES[type] as (typeof TYPES)[string]
  return kind === 'dynamic' || kind === value.kind ? value : typed(kind, value.as(view))
}

/** columnName [":" type] */
export function typedName(parser: ExpressionParser): TypedName {
  const name = parser.columnName()
  return parser.acceptSymbol(':') ? { name, type: parser.expectOneOf(COLUMN_TYPES, 'type') } : { name }
}
