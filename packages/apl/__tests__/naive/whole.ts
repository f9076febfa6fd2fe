/**
 * What the text of a program says of a value, whatever the rows have: whether it is whole by itself. No number of an event is.
 * Deliberately not here: types, since nothing else depends on the text.
 */
import type { Expression, Named, Operator, Pipeline } from '../../src/tree/ast.ts'
import { dottedName, impliedName } from '../../src/tree/expression-name.ts'

const WHOLE =
  /^(?:to(?:int|long)|strlen|indexof|countof|d?count(?:if)?|array_length|array_index_of|row_number|sign|dayof(?:week|month)|hourofday|getyear)$/
/** Functions that are whole where their values are, and which of the arguments those are. */
const VALUES: Readonly<Record<string, (at: number, count: number) => boolean>> = {
  iff: (at) => at > 0,
  case: (at, count) => at % 2 === 1 || at === count - 1,
  coalesce: () => true,
  abs: () => true,
  bin: () => true,
}

const found = new WeakSet<Expression>()
export const isWhole = (node: Expression): boolean => found.has(node)

/** Finds the expressions of a pipeline that are whole, and says which of its columns are. */
export function findWhole({ source, operators }: Pipeline): ReadonlySet<string> {
  const before = source.kind === 'subquery' ? findWhole(source.pipeline) : new Set<string>()
  return operators.reduce(columnsAfter, before)
}

function findInside(node: unknown, columns: ReadonlySet<string>): void {
  if (typeof node !== 'object' || node === null) return
  if ('kind' in node && node.kind === 'pipeline') findWhole(node as Pipeline)
  else for (const inner of Object.values(node)) findInside(inner, columns)
  if ('kind' in node && infer(node as Expression, columns)) found.add(node as Expression)
}

function infer(node: Expression, columns: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case 'literal':
      return node.value.type === 'integer'
    case 'name':
    case 'member':
      return columns.has(dottedName(node) ?? '')
    case 'negation':
      return isWhole(node.operand)
    case 'binary':
      return '+-*/%'.includes(node.operator) && isWhole(node.left) && isWhole(node.right)
    case 'call': {
      if (WHOLE.test(node.name)) return true
      const isValue = VALUES[node.name]
      return isValue !== undefined && node.arguments.every((value, at) => !isValue(at, node.arguments.length) || isWhole(value))
    }
    default:
      return false
  }
}

function columnsAfter(columns: ReadonlySet<string>, operator: Operator): ReadonlySet<string> {
  if (operator.kind === 'extend') return operator.columns.reduce((before, column) => withMade(before, [column]), columns)
  findInside(operator, columns)
  const typed = (names: readonly { name?: string; type?: string }[]) =>
    names.reduce((all, { name = '', type }) => withColumn(all, name, type === 'int' || type === 'long'), columns)
  switch (operator.kind) {
    case 'project':
    case 'distinct':
      return withMade(columns, operator.columns, new Set())
    case 'summarize':
      return withMade(columns, [...operator.by, ...operator.aggregates], new Set())
    case 'mv-expand':
      return typed(operator.columns.map((column) => ({ ...column, name: nameOf(column) })))
    case 'parse':
      return typed(operator.parts.map(({ column, ...part }) => ({ ...part, ...(column !== undefined && { name: column }) })))
    case 'parse-kv':
      return typed(operator.keys)
    case 'join':
      return new Set([...columns, ...findWhole(operator.right)])
    case 'union': {
      const others = operator.members.map(findWhole)
      return new Set([...columns].filter((name) => others.every((other) => other.has(name))))
    }
    default:
      return columns
  }
}

const nameOf = ({ name, expression }: Named): string => name ?? impliedName(expression) ?? ''

/** @param before the columns that stay */
function withMade(columns: ReadonlySet<string>, made: readonly Named[], before = columns): ReadonlySet<string> {
  findInside(made, columns)
  return made.reduce((all, column) => withColumn(all, nameOf(column), isWhole(column.expression)), before)
}

function withColumn(columns: ReadonlySet<string>, name: string, isWhole: boolean): ReadonlySet<string> {
  return isWhole ? new Set([...columns, name]) : new Set([...columns].filter((one) => one !== name))
}
