/**
 * How a function of the language is written down: one line where the engine has it, a small function where it has not.
 * Deliberately not here: the functions.
 */
import type { Call, Expression } from '../ast.ts'
import type { Context, Scope } from '../context.ts'
import { CompileError } from '../error.ts'
import { isNumberText, parseDatetime, parseTimespan } from '../literal.ts'
import { type Kind, typed, type Value, type View } from '../value.ts'

/** One call being compiled. */
export interface Invocation {
  readonly call: Call
  /** Compiled when first looked at: an argument may be a name that does not exist. */
  readonly arguments: readonly Value[]
  argument(at: number): Value
  readonly context: Context
  readonly scope: Scope
}

export interface FunctionDefinition {
  /** Views of the arguments: `text`, `number?` (may be left out), `any*` (any number of them, last). */
  readonly parameters: readonly string[]
  compile(invocation: Invocation): Value
}

export type FunctionTable = Readonly<Record<string, FunctionDefinition>>

/** A function that is an SQL expression over views of its arguments. Arguments left out are `undefined`. */
export function direct(parameters: string, returns: Kind, sql: (...args: string[]) => string, type?: string): FunctionDefinition {
  const names = split(parameters)
  return {
    parameters: names,
    compile: ({ arguments: values }) =>
      typed(returns, sql(...values.map((value, at) => value.as(viewOf(names, at)))), type === undefined ? {} : { type }),
  }
}

/** A function that needs more than the SQL of its arguments. */
export function special(parameters: string, compile: (invocation: Invocation) => Value): FunctionDefinition {
  return { parameters: split(parameters), compile }
}

function split(parameters: string): string[] {
  return parameters === '' ? [] : parameters.split(' ')
}

function viewOf(names: readonly string[], at: number): View {
  const name = (names[Math.min(at, names.length - 1)] as string).replace(/[?*]$/, '')
  return name === 'any' ? 'plain' : (name as View)
}

/** A text argument that must be known now, because the engine would refuse some values only while running. */
export function constantText({ context, call }: Invocation, at: number, what: string): string {
  const node = call.arguments[at] as (typeof call.arguments)[0]
  const literal = context.constant(node, `${what} of ${call.name}()`)
  if (literal.type !== 'string') throw new CompileError('type_mismatch', `${what} of ${call.name}() must be a string`, node.span)
  return literal.value
}

/** Refuses calls with too few or too many arguments. */
export function checkArity(
  call: { readonly name: string; readonly arguments: readonly Expression[]; readonly span: Call['span'] },
  parameters: readonly string[],
): void {
  const least = parameters.filter((name) => !/[?*]$/.test(name)).length
  const most = parameters.at(-1)?.endsWith('*') ? Number.POSITIVE_INFINITY : parameters.length
  const given = call.arguments.length
  if (given >= least && given <= most) return
  const range = least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
  throw new CompileError(
    'type_mismatch',
    `${call.name}() takes ${range} argument${range === '1' ? '' : 's'}, not ${given}`,
    call.span,
    signature(call.name, parameters),
  )
}

/**
 * Refuses a constant that can never be what its place needs: the answer would be missing in every row, and look like no data.
 * @throws CompileError
 */
export function checkArgument(call: Call, at: number, parameters: readonly string[], { kind, literal }: Value): void {
  const view = viewOf(parameters, at)
  const node = call.arguments[at] as Expression
  const refuse = (needs: string, hint?: string): never => {
    const given =
      literal?.type === 'string' ? `the text "${literal.value.slice(0, 40)}"` : kind === 'string' ? 'a text' : 'a number'
    throw new CompileError('type_mismatch', `${call.name}() takes ${needs} here, not ${given}`, node.span, hint)
  }
  if (
    view === 'span' &&
    (kind === 'string' || (literal?.type === 'integer' && literal.value !== 0n) || literal?.type === 'real')
  ) {
    const text = literal?.type === 'string' ? literal.value : ''
    refuse('a timespan', parseTimespan(text) && unitOf(text) ? `write ${text} without quotes` : 'write 1h, 30m or 7d')
  }
  if (literal?.type !== 'string') return
  if ((view === 'number' || view === 'integer') && !isNumberText(literal.value.trim())) refuse('a number')
  if (view === 'time' && !parseDatetime(literal.value)) refuse('a point in time', 'write datetime(2026-01-31T12:00:00Z)')
}

/** Whether a timespan says its unit; a bare number is one of days. */
const unitOf = (text: string) => /[a-z:]/.test(text)

export function signature(name: string, parameters: readonly string[]): string {
  return `${name}(${parameters.map((parameter) => parameter.replace(/\*$/, ', …').replace(/^(.*)\?$/, '[$1]')).join(', ')})`
}
