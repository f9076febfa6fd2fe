/**
 * The name that an expression has by itself, and the one that its column gets.
 * Deliberately not here: whether there is such a field.
 */
import type { Expression } from './ast.ts'

/** `a`, `a.b`, `['a b'].c` as one name; `undefined` for anything else. */
export function dottedName(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  if (expression.kind !== 'member') return undefined
  const head = dottedName(expression.object)
  return head === undefined ? undefined : `${head}.${expression.key}`
}

/** The name a column gets that was given none: that of the field it shows, or of the field inside a simple function. */
export function impliedName(node: Expression): string | undefined {
  const name = dottedName(node)
  if (name !== undefined) return name
  if (node.kind !== 'call' || node.arguments.length === 0) return undefined
  return KEEPS_NAME.has(node.name) ? impliedName(node.arguments[0] as Expression) : undefined
}

const KEEPS_NAME = new Set(
  'bin bin_auto floor startofday startofweek startofmonth startofyear tostring toint tolong toreal todouble tobool todatetime tolower toupper'.split(
    ' ',
  ),
)
