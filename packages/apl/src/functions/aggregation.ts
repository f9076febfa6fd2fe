/**
 * How an aggregation is written down, and one call of the engine's.
 * Deliberately not here: the aggregations.
 */

import { CompileError, mismatch, NOWHERE } from '../error.ts'
import type { Value } from '../sql/value.ts'
import type { Call, Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import type { Example } from '../tree/signature.ts'
import type { Context } from '../values/context.ts'
import { nameArgument, type Parameter, readParameters, type Signed } from './definition.ts'

export interface AggregateInvocation {
  readonly name: string
  readonly arguments: readonly Value[]
  readonly nodes: readonly Expression[]
  readonly context: Context
  /** Which rows count; all if absent. It is placed into the engine's `…If`. */
  readonly condition: string | undefined
  /** The place of a row among all, where the query has given them an order. */
  readonly place?: string | undefined
  /** Seconds that one group spans, for rates. */
  readonly seconds: number
}

export interface AggregateDefinition extends Signed {
  compile(invocation: AggregateInvocation): Value
  /** The same aggregation, with its example: of the cities Oslo, Oslo, Rome with 120, 80, 340 ms. */
  shows(call: string, gives: unknown): AggregateDefinition
}

/** One aggregate call of the engine, with its parameters and condition. */
export function call(
  { condition, context }: AggregateInvocation,
  name: string,
  argument: string,
  parameters: readonly string[] = [],
): string {
  const suffix = parameters.length === 0 ? '' : `(${parameters.join(', ')})`
  const full = condition === undefined ? name : `${name}If`
  const all = condition === undefined ? argument : `${argument === '' ? '' : `${argument}, `}${condition}`
  return context.states ? context.states.merge(full, suffix, all) : `${full}${suffix}(${all})`
}

/** @param signature as that of a function */
export function aggregate(
  signature: string,
  compile: (invocation: AggregateInvocation, ...values: Value[]) => Value,
  example?: Example,
): AggregateDefinition {
  return {
    parameters: readParameters(signature),
    ...(example && { example }),
    compile: (invocation) => compile(invocation, ...invocation.arguments),
    shows: (call, gives) => aggregate(signature, compile, { call, gives }),
  }
}

/**
 * The constant size that an argument says, bound.
 * @param standard where there is no such argument
 * @throws CompileError `limit` for a size that is 0 or above the most
 */
export function sizeOf({ name, nodes, context }: AggregateInvocation, at: number, standard: number, most: number): string {
  const node = nodes[at]
  const size = node ? context.count(node, `the size of ${name}()`) : standard
  if (size < 1 || size > most)
    throw new CompileError('limit', `the size of ${name}() must be between 1 and ${most}`, node?.span ?? NOWHERE)
  return context.binder.count(size)
}

/** Refuses a field that only holds texts: its average would be missing, and look like no data. */
export function checkNumbers(call: Call, at: number, parameters: readonly Parameter[], { kind }: Value): void {
  const node = call.arguments[at] as Expression
  if (kind !== 'string' || parameters[at]?.reads !== 'number') return
  const name = dottedName(node)
  throw mismatch(
    `${nameArgument({ call, parameters }, at)} must be a number, and ${name === undefined ? 'this' : `"${name}"`} is text`,
    node.span,
    `where the texts are digits, write ${call.name}(toreal(${name ?? '…'}))`,
  )
}
