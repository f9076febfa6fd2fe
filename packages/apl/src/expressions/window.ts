/**
 * Functions that look at the rows beside one, in the order that the rows have: `prev`, `next`, `row_number`, `row_cumsum`.
 * Deliberately not here: giving rows an order; that is `sort`.
 */
import { CompileError, mismatch } from '../error.ts'
import { readParameters, type Signed } from '../functions/definition.ts'
import { carried, inJson, summed } from '../sql/mixed.ts'
import { typed, type Value, wholeIf } from '../sql/value.ts'
import type { Call, Expression } from '../tree/ast.ts'
import { checkArity } from '../tree/signature.ts'
import { asKind, commonKind } from '../values/comparison.ts'
import type { Context, Scope } from '../values/context.ts'

/** A call among the rows that it looks at. */
interface WindowCall {
  readonly node: Call
  readonly context: Context
  readonly argument: (at: number) => Value
  /** The window of a row, from the first of all rows to another one. */
  readonly upTo: (last: 'CURRENT ROW' | 'UNBOUNDED FOLLOWING') => string
}

interface WindowFunction extends Signed {
  compile(call: WindowCall): Value
}

const BESIDE = readParameters('value:any distance:integer? otherwise:any?')
/** The examples are those of aggregations, with what each row has. */
export const WINDOW_FUNCTIONS: Readonly<Record<string, WindowFunction>> = {
  prev: { parameters: BESIDE, example: { call: 'prev(ms)', gives: [null, 120, 80] }, compile: beside('lagInFrame') },
  next: { parameters: BESIDE, example: { call: 'next(ms)', gives: [80, 340, null] }, compile: beside('leadInFrame') },
  row_number: {
    parameters: readParameters('first:integer?'),
    example: { call: 'row_number()', gives: [1, 2, 3] },
    compile: rowNumber,
  },
  row_cumsum: {
    parameters: readParameters('value:number'),
    example: { call: 'row_cumsum(ms)', gives: [120, 200, 540] },
    compile: sumSoFar,
  },
}

export const isWindowFunction = (name: string): boolean => Object.hasOwn(WINDOW_FUNCTIONS, name)

/** Whether a window function is called anywhere in an expression, so that the rows must be there before. */
export function looksAtRows(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  const { kind, name } = node as { kind?: Expression['kind']; name?: string }
  if (kind === 'call' && name !== undefined && isWindowFunction(name)) return true
  return kind !== 'tabular' && Object.values(node).some(looksAtRows)
}

export function compileWindow(node: Call, scope: Scope, context: Context): Value {
  const definition = WINDOW_FUNCTIONS[node.name] as WindowFunction
  checkArity(node, definition)
  const order = scope.orderSql?.()
  if (order === undefined)
    throw new CompileError(
      'unsupported',
      `${node.name}() looks at the rows in their order, and can only be used in extend`,
      node.span,
      'write | sort by … | extend name = …',
    )
  if (node.arguments.some(looksAtRows))
    throw new CompileError(
      'unsupported',
      `${node.name}() cannot look at the rows of another such function`,
      node.span,
      'write | extend name = … for the inner one first',
    )
  return definition.compile({
    node,
    context,
    argument: (at) => context.expression(node.arguments[at] as Expression, scope),
    upTo: (last) => `OVER (${order === '' ? '' : `ORDER BY ${order} `}ROWS BETWEEN UNBOUNDED PRECEDING AND ${last})`,
  })
}

function rowNumber({ node, context, upTo }: WindowCall): Value {
  const [first] = node.arguments
  const start = first ? context.count(first, 'the first number') : 1
  const before = context.literal({ type: 'integer', value: BigInt(start) - 1n }).as('plain')
  return wholeIf(true, typed('integer', `(toInt64(row_number() ${upTo('CURRENT ROW')}) + ${before})`, { nullable: false }))
}

/** What is missing adds nothing. */
function sumSoFar({ argument, upTo }: WindowCall): Value {
  const value = argument(0)
  const of = (name: string, sql: string) => `${name}(${name === 'sum' ? `ifNull(${sql}, 0)` : sql}) ${upTo('CURRENT ROW')}`
  return summed(value, value.as('number'), of)
}

/** The value so many rows before or behind, and another one where there is no such row. */
function beside(name: 'lagInFrame' | 'leadInFrame') {
  return ({ node, context, argument, upTo }: WindowCall): Value => {
    const [, second, third] = node.arguments
    const value = argument(0)
    const distance = context.binder.count(second ? context.count(second, `the distance of ${node.name}()`) : 1)
    const found = (sql: string, more = '') => `${name}(toNullable(${sql}), ${distance}${more}) ${upTo('UNBOUNDED FOLLOWING')}`
    if (!third) return carried(value, (sql) => found(sql))
    const otherwise = argument(2)
    const { kind } = inJson(value)
    if (commonKind([inJson(value), otherwise]) !== kind)
      throw mismatch(`the value of ${node.name}() for no row must be like its other values`, third.span)
    const instead = asKind(otherwise, kind)
    return carried(value, (sql) => found(sql, `, toNullable(${instead})`))
  }
}
