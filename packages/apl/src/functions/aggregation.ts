/**
 * How an aggregation is written down, and one call of the engine's.
 * Deliberately not here: the aggregations.
 */

import type { Expression } from '../ast.ts'
import type { Context } from '../context.ts'
import type { Value } from '../value.ts'

export interface AggregateInvocation {
  readonly name: string
  readonly arguments: readonly Value[]
  readonly nodes: readonly Expression[]
  readonly context: Context
  /** Of the rows to count; empty: all. Placed into the engine's `…If`. */
  readonly condition: string | undefined
  /** Seconds that one group spans, for rates. */
  readonly seconds: number
}

export interface AggregateDefinition {
  /** As those of functions: `number`, `any?`, `number*`. */
  readonly parameters: readonly string[]
  compile(invocation: AggregateInvocation): Value
}

/** One aggregate call of the engine, with its parameters and condition. */
export function call(
  { condition }: AggregateInvocation,
  name: string,
  argument: string,
  parameters: readonly string[] = [],
): string {
  const suffix = parameters.length === 0 ? '' : `(${parameters.join(', ')})`
  if (condition === undefined) return `${name}${suffix}(${argument})`
  return `${name}If${suffix}(${argument === '' ? '' : `${argument}, `}${condition})`
}

export function aggregate(
  parameters: string,
  compile: (invocation: AggregateInvocation, ...values: Value[]) => Value,
): AggregateDefinition {
  return {
    parameters: parameters === '' ? [] : parameters.split(' '),
    compile: (invocation) => compile(invocation, ...invocation.arguments),
  }
}
