/**
 * Functions that look at the rows beside one, in the order that the rows have: `prev`, `next`, `row_number`, `row_cumsum`.
 * Deliberately not here: giving rows an order; that is `sort`.
 */

import { CompileError } from '../error.ts'
import { readParameters, type Signed } from '../functions/definition.ts'
import { carried, floatsOf, inJson, isMixed, numbers, wholeOf } from '../sql/mixed.ts'
import { fitted, typed, type Value } from '../sql/value.ts'
import type { Call, Expression } from '../tree/ast.ts'
import { checkArity } from '../tree/signature.ts'
import type { Context, Scope } from '../values/context.ts'

const BESIDE = readParameters('value:any distance:integer? otherwise:any?')
/** The examples are those of aggregations, with what each row has. */
export const WINDOW_FUNCTIONS: Readonly<Record<string, Signed>> = {
  prev: { parameters: BESIDE, example: { call: 'prev(ms)', gives: [null, 120, 80] } },
  next: { parameters: BESIDE, example: { call: 'next(ms)', gives: [80, 340, null] } },
  row_number: { parameters: readParameters('first:integer?'), example: { call: 'row_number()', gives: [1, 2, 3] } },
  row_cumsum: { parameters: readParameters('value:number'), example: { call: 'row_cumsum(ms)', gives: [120, 200, 540] } },
}

export const isWindowFunction = (name: string): boolean => Object.hasOwn(WINDOW_FUNCTIONS, name)

/** Whether a window function is called anywhere in an expression, so that the rows must be there before. */
export function looksAtRows(node: Expression): boolean {
  if (node.kind === 'call' && isWindowFunction(node.name)) return true
  if (node.kind === 'tabular') return false
  return Object.values(node).some(
    (child) =>
      typeof child === 'object' &&
      child !== null &&
      (Array.isArray(child) ? child : [child]).some(
        (one) => typeof one === 'object' && one !== null && looksAtRows(one as Expression),
      ),
  )
}

export function compileWindow(node: Call, scope: Scope, context: Context): Value {
  checkArity(node, WINDOW_FUNCTIONS[node.name] as Signed)
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
  const over = (frame: string) =>
    `OVER (${order === '' ? '' : `ORDER BY ${order} `}ROWS BETWEEN UNBOUNDED PRECEDING AND ${frame})`
  const [first, second, third] = node.arguments
  if (node.name === 'row_number') {
    const start = first ? context.count(first, 'the first number') : 1
    const from = context.literal({ type: 'integer', value: BigInt(start) - 1n }).as('plain')
    return typed('integer', `(toInt64(row_number() ${over('CURRENT ROW')}) + ${from})`, { nullable: false })
  }
  const given = context.expression(first as Expression, scope)
  if (node.name === 'row_cumsum') {
    const sumOf = (sql: string) => `sum(ifNull(${sql}, 0)) ${over('CURRENT ROW')}`
    const whole = isMixed(given) ? wholeOf(given) : undefined
    if (whole !== undefined) {
      const float = floatsOf(given, whole)
      const [wholes, floats] = [sumOf(`toInt128(${whole})`), `count(${float}) ${over('CURRENT ROW')}`]
      return numbers(
        `if(${floats} = 0, ${fitted(wholes)}, NULL)`,
        `if(${floats} = 0, NULL, toFloat64(${wholes}) + ${sumOf(float)})`,
      )
    }
    const isWhole = given.kind === 'integer' || given.kind === 'timespan'
    const sum = sumOf(isWhole ? `toInt128(${given.as('number')})` : `toFloat64(${given.as('number')})`)
    return typed(isWhole ? given.kind : 'real', isWhole ? fitted(sum) : sum)
  }
  const distance = context.binder.count(second ? context.count(second, `the distance of ${node.name}()`) : 1)
  const call = node.name === 'prev' ? 'lagInFrame' : 'leadInFrame'
  const found = (sql: string) => `${call}(toNullable(${sql}), ${distance}) ${over('UNBOUNDED FOLLOWING')}`
  if (!third) return carried(given, found)
  const otherwise = context.expression(third, scope)
  const { kind } = inJson(given)
  if (otherwise.kind === kind || kind === 'dynamic') {
    const instead = otherwise.as(kind === 'dynamic' ? 'json' : 'plain')
    return carried(given, (sql) => `ifNull(${found(sql)}, ${instead})`)
  }
  throw new CompileError('type_mismatch', `the value of ${node.name}() for no row must be like its other values`, third.span)
}
