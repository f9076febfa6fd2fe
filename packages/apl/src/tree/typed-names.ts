/**
 * The types that a query can write: of columns, `name: type`, and as the type that a value is read as, `typeof(type)`.
 * Deliberately not here: which literals a type takes; see `query/datatable.ts`.
 */
import assert from 'node:assert'
import { type Kind, typed, type Value, type View, wholeIf } from '../sql/value.ts'
import type { TypedName } from './ast.ts'
import type { ExpressionParser } from './expression-parser.ts'

/** The kind of a type's values, and the view in which any other value is read as one. */
const TYPES: Readonly<Record<string, readonly [Kind, View]>> = {
  string: ['string', 'text'],
  guid: ['string', 'text'],
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

function known(type: string): readonly [Kind, View] {
  const found = TYPES[type]
  assert(found, `${type} is a type, as the parser has checked`)
  return found
}

export const kindOfType = (type: string): Kind => known(type)[0]

/** A value as one of a type. */
export function readAs(value: Value, type: string): Value {
  const [kind, view] = known(type)
  return kind === 'dynamic' || kind === value.kind ? value : wholeIf(true, typed(kind, value.as(view)))
}

/** columnName [":" type] */
export function typedName(parser: ExpressionParser): TypedName {
  const name = parser.columnName()
  return parser.acceptSymbol(':') ? { name, type: parser.expectOneOf(COLUMN_TYPES, 'type') } : { name }
}
