/**
 * How a function of the language is written down: one line where the engine has it, a small function where it has not.
 * Deliberately not here: the functions.
 */
import assert from 'node:assert'
import { type Guess, mismatch } from '../error.ts'
import { unquoted } from '../mistakes/values.ts'
import { type Kind, typed, type Value, type View } from '../sql/value.ts'
import { isNumberText, parseDatetime } from '../text/literal.ts'
import type { Call, Expression } from '../tree/ast.ts'
import type { Argument, Example, Signature } from '../tree/signature.ts'
import type { Context, Scope } from '../values/context.ts'

/** One call being compiled. */
export interface Invocation {
  readonly call: Call
  /** Compiled when first looked at: an argument may be a name that does not exist. */
  readonly arguments: readonly Value[]
  argument(at: number): Value
  readonly parameters: readonly Parameter[]
  readonly context: Context
  readonly scope: Scope
}

/** An argument, and how it is read. */
export interface Parameter extends Argument {
  /** A view of values; `any` where it depends on the value. */
  readonly reads: View | 'any'
}

/** How a function is called. */
export interface Signed extends Signature {
  readonly parameters: readonly Parameter[]
}

export interface FunctionDefinition extends Signed {
  compile(invocation: Invocation): Value
  /** The same function, with its example. */
  shows(call: string, gives: unknown): FunctionDefinition
}

export type FunctionTable = Readonly<Record<string, FunctionDefinition>>

/**
 * A function that is an SQL expression over views of its arguments. Arguments left out are `undefined`.
 * @param signature `source:text length:integer?`: the name of each argument and how it is read; `?` may be left out, `*` any number
 */
export function direct(signature: string, returns: Kind, sql: (...args: string[]) => string, type?: string): FunctionDefinition {
  const parameters = readParameters(signature)
  return row(parameters, ({ arguments: values }) =>
    typed(returns, sql(...values.map((value, at) => value.as(viewOf(parameters, at)))), type === undefined ? {} : { type }),
  )
}

/** A function that needs more than the SQL of its arguments. */
export function special(signature: string, compile: (invocation: Invocation) => Value): FunctionDefinition {
  return row(readParameters(signature), compile)
}

const row = (
  parameters: readonly Parameter[],
  compile: FunctionDefinition['compile'],
  example?: Example,
): FunctionDefinition => ({
  parameters,
  compile,
  ...(example && { example }),
  shows: (call, gives) => row(parameters, compile, { call, gives }),
})

/** A function under several names. @param call how the example goes on behind each of them */
export const named = (names: readonly string[], definition: FunctionDefinition, call: string, gives: unknown): FunctionTable =>
  Object.fromEntries(names.map((name) => [name, definition.shows(name + call, gives)]))

/** @param signature as `direct` takes it */
export function readParameters(signature: string): readonly Parameter[] {
  return (signature.match(/\S+/g) ?? []).map((text) => {
    const [, name, reads, mark] = /^(?:(\w+):)?(\w+)([?*]?)$/.exec(text) ?? []
    assert(reads !== undefined, `"${text}" is a parameter: its name and how it is read`)
    return { name: name ?? reads, reads: reads as Parameter['reads'], isOptional: mark === '?', isRepeated: mark === '*' }
  })
}

/** The parameter that an argument is for: one that may be repeated takes all that follow. */
function parameterAt(parameters: readonly Parameter[], at: number): Parameter {
  const repeated = parameters.findIndex(({ isRepeated }) => isRepeated)
  return parameters[Math.min(at, repeated < 0 ? parameters.length - 1 : repeated)] as Parameter
}

function viewOf(parameters: readonly Parameter[], at: number): View {
  const { reads } = parameterAt(parameters, at)
  return reads === 'any' ? 'plain' : reads
}

/** How a message names an argument. */
export const nameArgument = ({ call, parameters }: Pick<Invocation, 'call' | 'parameters'>, at: number): string =>
  `"${parameterAt(parameters, at).name}" of ${call.name}()`

/** A text argument that must be known now, because the engine would refuse some values only while running. */
export function constantText(invocation: Invocation, at: number): string {
  const node = invocation.call.arguments[at] as Expression
  const name = nameArgument(invocation, at)
  const literal = invocation.context.constant(node, name)
  if (literal.type !== 'string') throw mismatch(`${name} must be a text`, node.span)
  return literal.value
}

/**
 * Refuses a constant that can never be what its place needs: the answer would be missing in every row, and look like no data.
 * @throws CompileError
 */
export function checkArgument(call: Call, at: number, parameters: readonly Parameter[], { kind, literal }: Value): void {
  const view = viewOf(parameters, at)
  const node = call.arguments[at] as Expression
  const refuse = (needs: string, hint?: string | Guess): never => {
    const given =
      literal?.type === 'string' ? `the text "${literal.value.slice(0, 40)}"` : kind === 'string' ? 'a text' : 'a number'
    throw mismatch(`${nameArgument({ call, parameters }, at)} must be ${needs}, not ${given}`, node.span, hint)
  }
  if (
    view === 'span' &&
    (kind === 'string' || (literal?.type === 'integer' && literal.value !== 0n) || literal?.type === 'real')
  ) {
    refuse('a timespan', unquoted(literal) ?? 'write 1h, 30m or 7d')
  }
  if (literal?.type !== 'string') return
  if ((view === 'number' || view === 'integer') && !isNumberText(literal.value.trim())) refuse('a number')
  if (view === 'time' && !parseDatetime(literal.value)) refuse('a point in time', 'write datetime(2026-01-31T12:00:00Z)')
}
