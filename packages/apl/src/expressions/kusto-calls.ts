/**
 * Calls that run, and that mean something else in Kusto: arguments in another order, a pattern where characters are listed here. Each is
 * told with the call that was meant.
 * Deliberately not here: functions that there are not; see `mistakes/functions.ts`.
 */
import { type Edit, mismatch } from '../error.ts'
import type { Call, Expression } from '../tree/ast.ts'
import { type Signature, signature } from '../tree/signature.ts'
import type { Context } from '../values/context.ts'

/** Where Kusto has the first argument of a function, the second, and so on. */
const PLACES: Readonly<Record<string, readonly number[]>> = {
  countof: [1, 0],
  replace_regex: [1, 2, 0],
  replace_string: [1, 2, 0],
}
const TAKES_CHARACTERS = /^trim(?:_start|_end)?$/
/** What a list of characters hardly has: classes of characters, and what is repeated. */
const REGEX_SIGNS = /\\[dwsDWS]|\[[^[\]]+\]|[\w.)\]][*+]/

function textOf(node: Expression | undefined, { lets }: Context): string | undefined {
  const literal = node?.kind === 'literal' ? node.value : node?.kind === 'name' ? lets.get(node.name)?.literal : undefined
  return literal?.type === 'string' ? literal.value : undefined
}

/** @throws CompileError where the call as it is written cannot be compiled */
export function warnOfCall(call: Call, { parameters }: Signature, context: Context): void {
  const { name, arguments: given, span } = call
  const places = Object.hasOwn(PLACES, name) ? (PLACES[name] as readonly number[]) : []
  const [first, last] = [textOf(given[0], context), textOf(given.at(-1), context)]
  if (places.length === given.length && given.length > 0 && first === undefined && last !== undefined) {
    const fix = places.map((place, at): Edit => ({ span: given[at]?.span ?? span, text: given[place]?.span ?? span }))
    const [what, hint] = ['the text that is searched comes last', `write ${signature(name, parameters)}`]
    if (name === 'replace_regex') throw mismatch(what, span, { hint, fix })
    context.warn('likely_mistake', `${what} in ${name}(): ${hint}`, fix)
  }
  if (first === undefined || !TAKES_CHARACTERS.test(name) || !REGEX_SIGNS.test(first)) return
  const fix = [{ span: { start: span.start, end: span.start + name.length }, text: `${name}_regex` }]
  context.warn('likely_mistake', `${name}() takes characters, and no pattern: write ${name}_regex`, fix)
}
