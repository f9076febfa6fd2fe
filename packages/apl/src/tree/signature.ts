/**
 * How a function is called: what its arguments are called, which may be left out, and an example. Of functions of the language and of
 * those that a query defines.
 * Deliberately not here: how arguments are read.
 */

import { mismatch, type Span, spanning } from '../error.ts'
import type { Expression } from './ast.ts'

export interface Argument {
  readonly name: string
  readonly isOptional: boolean
  /** Any number of such arguments, or none. */
  readonly isRepeated: boolean
}

/** A call, and what it gives, as JSON. The reference shows it, and a test runs it. */
export interface Example {
  readonly call: string
  readonly gives: unknown
}

export interface Signature {
  readonly parameters: readonly Argument[]
  readonly example?: Example
}

export interface AnyCall {
  readonly name: string
  readonly arguments: readonly Expression[]
  readonly span: Span
}

/** Refuses calls with too few or too many arguments. */
export function checkArity(call: AnyCall, { parameters, example }: Signature): void {
  const required = parameters.filter(({ isOptional, isRepeated }) => !isOptional && !isRepeated)
  const most = parameters.some(({ isRepeated }) => isRepeated) ? Number.POSITIVE_INFINITY : parameters.length
  const given = call.arguments.length
  const shown = signature(call.name, parameters)
  const hint = example && `for example ${example.call}`
  if (given < required.length) {
    const missing = required.slice(given).map(({ name }) => `"${name}"`)
    throw mismatch(`${shown} needs ${missing.join(' and ')}`, call.span, hint)
  }
  if (given <= most) return
  const surplus = spanning((call.arguments[most] as Expression).span, (call.arguments.at(-1) as Expression).span)
  const takes = most === 0 ? 'no arguments' : `${most} argument${most === 1 ? '' : 's'} at most`
  throw mismatch(`${shown} takes ${takes}, not ${given}`, surplus, hint)
}

/** `substring(source, startingIndex, [length])`: how a function is called, for people. */
export function signature(name: string, parameters: readonly Argument[]): string {
  const shown = parameters.map(({ name: one, isOptional, isRepeated }) =>
    isOptional ? `[${one}]` : isRepeated ? `${one}, …` : one,
  )
  return `${name}(${shown.join(', ')})`
}
