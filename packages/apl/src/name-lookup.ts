/**
 * Names to values: the field, the key of a field or the `let` that a dotted name stands for.
 * Deliberately not here: fields as the engine has them; see `field.ts`.
 */
import type { Expression } from './ast.ts'
import { type Context, invalidField, type Scope } from './context.ts'
import { CompileError } from './error.ts'
import { FUNCTIONS } from './functions/table.ts'
import { access } from './json-access.ts'
import { adviceOnName } from './mistakes/names.ts'
import { guessName } from './nearest.ts'
import type { Value } from './value.ts'

/** One part of a dotted name. */
export interface NamePart {
  readonly text: string
  /** Written in brackets, behind what it is a key of. */
  readonly quoted: boolean
}

export const textsOf = (parts: readonly NamePart[]) => parts.map(({ text }) => text)

/** A key as it stands in the name of a field, where a dot separates keys. */
export const escapeKey = (key: string) => key.replace(/[\\.]/g, '\\$&')

/** The names that parts may stand for: `['a.b']` behind a field is one key with a dot in it, and if there is none, two keys. */
function namesOf(parts: readonly NamePart[]): Set<string> {
  const keyed = parts.map(({ text, quoted }) => (quoted ? escapeKey(text) : text)).join('.')
  return new Set([keyed, textsOf(parts).join('.')])
}

export function findName(parts: readonly NamePart[], node: Expression, scope: Scope, context: Context): Value {
  for (let length = parts.length; length > 0; length--) {
    const rest = parts.slice(length)
    for (const name of namesOf(parts.slice(0, length))) {
      const value = scope.find(name)
      if (!value || (rest.length > 0 && !mayHave(value, rest))) continue
      context.namesRead.add(name)
      if (rest.length > 0 && value.closed)
        context.warn('unknown_field', `no event of the dataset has the key "${textsOf(parts).join('.')}"`)
      return access(value, textsOf(rest), context)
    }
  }
  const [first] = parts as [NamePart]
  const known = context.lets.get(first.text)
  if (known) return access(known, textsOf(parts.slice(1)), context)
  const name = textsOf(parts).join('.')
  const refusal = scope.refusal?.(name)
  if (refusal) throw new CompileError('type_mismatch', refusal, node.span)
  const advice = adviceOnName(name, node.span, {
    isFunction: (one) => Object.hasOwn(FUNCTIONS, one),
    hasField: (one) => scope.find(one) !== undefined,
  })
  throw invalidField(name, node.span, advice ?? guessName(name, [...scope.names(), ...context.lets.keys()]))
}

/** Whether a value may have these keys. The fields of a stored object are known, so a name that is none of them is a mistake; a key in brackets may be missing. */
function mayHave(value: Value, keys: readonly NamePart[]): boolean {
  return value.kind === 'dynamic' && (!value.closed || keys.every(({ quoted }) => quoted))
}
