/**
 * Columns that are declared with their types, `name: type`.
 * Deliberately not here: values read as a type; see `datatable.ts` and `operators/parse.ts`.
 */
import type { TypedName } from './ast.ts'
import type { ExpressionParser } from './expression-parser.ts'

export const COLUMN_TYPES = [
  'string',
  'long',
  'int',
  'real',
  'double',
  'decimal',
  'bool',
  'datetime',
  'timespan',
  'dynamic',
] as const

/** columnName [":" type] */
export function typedName(parser: ExpressionParser): TypedName {
  const name = parser.columnName()
  return parser.acceptSymbol(':') ? { name, type: parser.expectOneOf(COLUMN_TYPES, 'type') } : { name }
}
