/**
 * Names to values: the field, the key of a field, or the `let` that a dotted name stands for; and what is inside JSON text: `value.key`,
 * `value['key']`, `value[0]`.
 */

import { unitOfField } from '@deployment-annotations/contract/unit'
import { mismatch } from '../error.ts'
import { FUNCTIONS } from '../functions/table.ts'
import { adviceOnName } from '../mistakes/names.ts'
import { chooseParts, partOf } from '../sql/mixed.ts'
import { commonQuantity, JSON_TEXT, json, overItems, typed, type Value } from '../sql/value.ts'
import { guessName } from '../text/nearest.ts'
import type { Expression } from '../tree/ast.ts'
import { type Context, invalidField, type Scope } from '../values/context.ts'

/** The member under each key in turn. Keys are names, or positions counted from 0, from the end when negative. */
export function access(value: Value, keys: readonly (string | bigint)[], context: Context, node?: Expression): Value {
  if (keys.length === 0) return value
  warnOfMember(value, keys, context, node)
  const { binder } = context
  const { storedKey = (key: string) => key } = value
  const [only] = keys
  if (value.texts && keys.length === 1 && typeof only === 'bigint')
    return { ...item(value, binder.integer(only < 0n ? only : only + 1n)), ...keysOf(value) }
  const path = keys.map((key) =>
    typeof key === 'string' ? binder.text(storedKey(key)) : binder.integer(key < 0n ? key : key + 1n),
  )
  const find = typeof only === 'bigint' ? itemOf : member
  return { ...json(find(value.as('json'), path.join(', '))), ...keysOf(value), ...quantityOfKey(keys.at(-1)) }
}

/** `parse_url(u).Host`, as Kusto calls what is `host` here. */
function warnOfMember({ members = [] }: Value, [key, ...more]: readonly unknown[], context: Context, node?: Expression): void {
  const meant =
    typeof key === 'string' && !members.includes(key) && members.find((one) => key.toLowerCase().split(' ', 1)[0] === one)
  if (!meant) return
  const isSame = key.length === meant.length && more.length === 0 && node?.kind === 'member'
  const fix = isSame ? [{ span: { start: node.object.span.end, end: node.span.end }, text: `.${meant}` }] : undefined
  const hint = meant === 'query' ? 'write parse_urlquery(….query)' : `write .${meant}`
  context.warn('likely_mistake', `a URL has "${meant}", and no "${key}": ${hint}`, fix)
}

/** What the value under a key counts, where the key tells. */
function quantityOfKey(key: string | bigint | undefined): Pick<Value, 'quantity'> {
  const unit = typeof key === 'string' ? unitOfField(key) : undefined
  return unit === undefined ? {} : { quantity: { unit } }
}

/** What is in it was stored in the same way. */
function keysOf({ storedKey }: Value): Pick<Value, 'storedKey'> {
  return storedKey ? { storedKey } : {}
}

/** The member under a key that is only known row by row. */
export function accessComputed(value: Value, key: Value): Value {
  if (key.kind !== 'integer') return json(member(value.as('json'), `ifNull(${key.as('text')}, '')`))
  const at = key.as('plain')
  return json(itemOf(value.as('json'), `ifNull(if(${at} < 0, ${at}, ${at} + 1), 0)`))
}

/** One item of an array that may be one of texts. */
function item(value: Value, place: string): Value {
  const at = (items: string) => `arrayElementOrNull(${items}, ${place})`
  const text = overItems(value, at, (array) => JSON_TEXT(itemOf(array, place)))
  if (value.texts?.().otherwise === 'nothing') return typed('string', text)
  const sql = overItems(
    value,
    (items) => `nullIf(toJSONString(${at(items)}), 'null')`,
    (array) => itemOf(array, place),
  )
  return typed('dynamic', sql, { views: { text } })
}

/** The engine answers '' for what is not there. */
function member(sql: string, path: string): string {
  return `nullIf(JSONExtractRaw(${sql}, ${path}), '')`
}

/** The engine would find a member of an object by its place, too. */
const itemOf = (sql: string, place: string) => `if(startsWith(${sql}, '['), ${member(sql, place)}, NULL)`

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

/** Also a field of the same name with a dot inside of a key; of several, whichever an event has. */
function findSpelled(name: string, scope: Scope): Value | undefined {
  const spelled = /[.\\]/.test(name) ? (scope.spelled?.(name) ?? []) : []
  const found = [name, ...spelled].map((one) => scope.find(one)).filter((value) => value !== undefined)
  const values = found.filter(({ closed, alone }) => !closed || alone)
  if (values.length < 2) return values[0] ?? found[0]
  return { ...firstOf(values), ...commonQuantity(values) }
}

const firstOf = (values: readonly Value[]) => chooseParts(values, (sqls) => `coalesce(${sqls.join(', ')})`)

export function findName(parts: readonly NamePart[], node: Expression, scope: Scope, context: Context): Value {
  const made = madeObject(parts, scope)
  const unlisted = [...namesOf(parts)].flatMap((one) => scope.unlisted?.(one) ?? [])
  for (let length = parts.length; length > 0; length--) {
    const rest = parts.slice(length)
    for (const name of namesOf(parts.slice(0, length))) {
      if (length > made && !scope.isMade?.(name)) continue
      const value = rest.length === 0 && !parts.some(({ quoted }) => quoted) ? findSpelled(name, scope) : scope.find(name)
      if (!value || (rest.length > 0 && (!mayHave(value, rest) || (value.closed && unlisted.length > 0)))) continue
      context.noteRead(name, node.span)
      if (rest.length > 0 && value.closed) warnOfKey(textsOf(parts).join('.'), node, scope, context)
      return access(value, textsOf(rest), context, node)
    }
  }
  const inside = insideOf(parts, scope)
  if (inside) return access(inside.value, inside.keys, context)
  const [first] = parts as [NamePart]
  const known = context.lets.get(first.text)
  if (known) return access(known, textsOf(parts.slice(1)), context)
  const name = textsOf(parts).join('.')
  if (unlisted.length > 0) {
    context.noteRead(name, node.span)
    return firstOf(unlisted)
  }
  const members = membersOf(name, node, scope)
  if (members.length > 0)
    return context.expression({ kind: 'call', name: 'bag_pack', arguments: members, span: node.span }, scope)
  const refusal = scope.refusal?.(name)
  if (refusal) throw mismatch(refusal, node.span)
  const advice = adviceOnName(name, {
    isFunction: (one) => Object.hasOwn(FUNCTIONS, one),
    hasField: (one) => scope.find(one) !== undefined,
  })
  throw invalidField(name, node.span, advice ?? guessName(name, [...scope.names(), ...context.lets.keys()]))
}

/**
 * `o.k` is a key of `o` where the query has made a column `o` that may hold objects, and no field of the events, whose `o` that is not.
 * @returns how many parts name such a column; all of them where none does
 */
function madeObject(parts: readonly NamePart[], scope: Scope): number {
  for (let length = parts.length - 1; length > 0; length--) {
    const name = textsOf(parts.slice(0, length)).join('.')
    const value = scope.isMade?.(name) ? scope.find(name) : undefined
    if (value && partOf(value, 'dynamic')) return length
  }
  return parts.length
}

/** The keys and values of an object that a grouping took apart into columns, as `arg_max(_time, *)` does. */
function membersOf(name: string, { span }: Expression, scope: Scope): Expression[] {
  const below = [...scope.names()].filter((one) => one.startsWith(`${name}.`) && scope.find(one))
  const keys = new Set(below.map((one) => /^(?:\\.|[^\\.])+/.exec(one.slice(name.length + 1))?.[0] ?? ''))
  return [...keys].flatMap((key): Expression[] => [
    { kind: 'literal', value: { type: 'string', value: key.replace(/\\(.)/g, '$1') }, span },
    { kind: 'name', name: `${name}.${key}`, span },
  ])
}

/** `['props.level']`, where `props` is an object that was read from a text: what it holds is known by its keys alone. */
function insideOf(parts: readonly NamePart[], scope: Scope): { value: Value; keys: readonly string[] } | undefined {
  const [only] = parts
  if (!only || parts.length > 1) return undefined
  for (let at = only.text.lastIndexOf('.'); at > 0; at = only.text.lastIndexOf('.', at - 1)) {
    const value = scope.find(only.text.slice(0, at))
    if (value?.kind === 'dynamic' && !value.closed) return { value, keys: only.text.slice(at + 1).split('.') }
  }
  return undefined
}

/** A key in brackets may be missing, but no event has this one. */
function warnOfKey(name: string, { span }: Expression, scope: Scope, context: Context): void {
  const guess = guessName(name, scope.names())
  const text = `no event of the dataset has the key "${name}"`
  context.warn('unknown_field', guess ? `${text}: ${guess.hint}` : text, guess && [{ span, text: guess.written }])
}

/** Whether a value may have these keys. The fields of a stored object are known, so a name that is none of them is a mistake; a key in brackets may be missing. */
function mayHave(value: Value, keys: readonly NamePart[]): boolean {
  return value.kind === 'dynamic' && (!value.closed || keys.every(({ quoted }) => quoted))
}
