/**
 * The largest and the smallest value, and what else the row has that has it.
 * Deliberately not here: columns of several values of that row, which are `arg_max(x, a, b)`; see `operators/aggregations.ts`.
 */
import { carried, isMixed, mixed, orderKeysOf, partsOf } from '../sql/mixed.ts'
import { type Kind, realOf, typed, type Value } from '../sql/value.ts'
import { type AggregateInvocation, aggregate, call } from './aggregation.ts'

/** So that of nothing the answer is missing: of values that are never NULL the engine's would be 0. */
export const orMissing = (value: Value, sql: string) => (value.stored ? sql : `toNullable(${sql})`)

/** The result is of the kind of what is aggregated; values without a type are read as numbers. */
export const extreme = (name: 'min' | 'max') =>
  aggregate('value:any', (invocation, value) => {
    const x = value as Value
    if (isMixed(x)) return extremeOfParts(name, invocation, x)
    const kind: Kind = x.kind === 'dynamic' || x.kind === 'null' ? 'real' : x.kind
    const sql = call(invocation, name, orMissing(x, x.kind === 'dynamic' ? realOf(x) : x.as('plain')))
    return typed(kind, sql, kind === 'boolean' ? { views: { output: `CAST(${sql}, 'Nullable(Bool)')` } } : {})
  })

/** For values of several types: that of the numbers if there are any, else of the texts, else of true and false. */
function extremeOfParts(name: 'min' | 'max', invocation: AggregateInvocation, value: Value): Value {
  const found = partsOf(value).flatMap((part) =>
    part.kind === 'dynamic' ? [] : typed(part.kind, call(invocation, name, part.as('plain'))),
  )
  const numbers = found.filter(({ kind }) => kind === 'integer' || kind === 'real')
  const parts = found.map((one, at) => {
    const sql = one.as('plain')
    // Of a whole number and a decimal of one size the first counts.
    const sign = `${name === 'max' ? '>' : '<'}${at === 0 ? '=' : ''}`
    const conditions = numbers.includes(one)
      ? numbers.flatMap((other) => (other === one ? [] : `(isNull(${other.as('plain')}) OR ${sql} ${sign} ${other.as('plain')})`))
      : found.slice(0, at).map((other) => `isNull(${other.as('plain')})`)
    return conditions.length === 0 ? one : typed(one.kind, `if(${conditions.join(' AND ')}, ${sql}, NULL)`)
  })
  return mixed(parts)
}

/** The value of one column in the row where another is largest or smallest; several come as one column each, see `summarize`. */
export const argExtreme = (name: 'argMin' | 'argMax') =>
  aggregate('by:any returned:any', (invocation, by, value) => {
    const { key, among } = extremeKey(name, invocation, by as Value)
    return carried(value as Value, (sql) => {
      // In a tuple: of a bare value that is missing in that row, the engine would take the one of another row.
      const placed = `tuple(toNullable(${sql}))`
      const found = `tupleElement(${call(among, name, `${placed}, ${key}`)}, 1)`
      if (!(by as Value).nullable) return found
      // Where no row has one, any row is as far out as the others.
      return `if(${call(among, 'count', key)} = 0, tupleElement(${call(invocation, 'any', placed)}, 1), ${found})`
    })
  })

/** By what the row is chosen: of values that are not of one type, numbers are further out than texts, as in `min` and `max`. */
function extremeKey(name: 'argMin' | 'argMax', invocation: AggregateInvocation, by: Value) {
  if (!isMixed(by)) return { key: by.as('plain'), among: invocation }
  const { numbers: sizes, texts } = orderKeysOf(by)
  const isThere = `(${[...sizes, ...texts].map((sql) => `isNotNull(${sql})`).join(' OR ')})`
  const condition = invocation.condition === undefined ? isThere : `(${invocation.condition} AND ${isThere})`
  const rank = sizes.slice(0, 1).map((sql) => `isNotNull(${sql}) = ${name === 'argMax' ? 1 : 0}`)
  const key = [...rank, ...sizes.map((sql) => `ifNull(${sql}, 0)`), ...texts.map((sql) => `ifNull(${sql}, '')`)]
  return { key: `tuple(${key.join(', ')})`, among: { ...invocation, condition } }
}
