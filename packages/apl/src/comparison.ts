/**
 * Comparing two values: which type they are compared as, and two-valued logic.
 * A literal decides: the other side is read as its type. NULL equals nothing, and differs from everything.
 * Deliberately not here: text operators such as `contains`.
 */
import type { ComparisonOperator } from './ast.ts'
import type { Operation } from './context.ts'
import { CompileError } from './error.ts'
import { parseDatetime, parseTimespan } from './literal.ts'
import { boolean, type Kind, type Value, type View } from './value.ts'

const NUMERIC = new Set<Kind>(['integer', 'real'])

export function compare(operation: Operation<ComparisonOperator>): Value {
  const { operator, left, right } = operation
  if (operator === '=~' || operator === '!~') {
    const [a, b] = [left, right].map((value) => `lowerUTF8(${value.as('text')})`) as [string, string]
    return test(operator === '=~' ? '=' : '!=', a, b, true)
  }
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left
    if (operator === '==') return isNull(other)
    if (operator === '!=') return boolean(`(NOT ${isNull(other).as('truth')})`)
    return boolean('false')
  }
  const [a, b] = [adapt(left, right, operation), adapt(right, left, operation)]
  const view = commonView(a, b)
  return test(operator === '==' ? '=' : operator, a.as(view), b.as(view), a.nullable || b.nullable || view !== 'plain')
}

/** NULL, or a JSON null. */
export function isNull(value: Value): Value {
  if (value.kind === 'null') return boolean('true')
  if (!value.nullable) return boolean('false')
  return boolean(value.kind === 'dynamic' ? `ifNull(${value.as('json')} = 'null', true)` : `isNull(${value.as('plain')})`)
}

function test(operator: string, a: string, b: string, nullable: boolean): Value {
  const sql = `${a} ${operator} ${b}`
  if (!nullable) return boolean(`(${sql})`)
  // `x != y` is true where one is missing, so NULL may not stand for false.
  return operator === '!=' ? boolean(`ifNull(${sql}, true)`) : boolean(`ifNull(${sql}, false)`, `(${sql})`)
}

/** A text literal beside a time or a number is read as one, once, here. */
function adapt(value: Value, other: Value, { context, span }: Operation<ComparisonOperator>): Value {
  if (value.literal?.type !== 'string') return value
  const text = value.literal.value
  if (other.kind === 'datetime') {
    const time = parseDatetime(text)
    if (!time)
      throw new CompileError(
        'type_mismatch',
        `"${text.slice(0, 40)}" is not a point in time`,
        span,
        'write datetime(2026-01-31T12:00:00Z)',
      )
    return context.literal(time)
  }
  if (other.kind === 'timespan') {
    const timespan = parseTimespan(text)
    if (!timespan)
      throw new CompileError('type_mismatch', `"${text.slice(0, 40)}" is not a timespan`, span, 'write 1h, 1.5d or 00:30:00')
    return context.literal(timespan)
  }
  if (NUMERIC.has(other.kind) && !other.literal && /^-?\d{1,15}(?:\.\d+)?$/.test(text)) {
    return context.literal(text.includes('.') ? { type: 'real', value: Number(text) } : { type: 'integer', value: BigInt(text) })
  }
  return value
}

/** The view both sides are read in. */
export function commonView(a: Value, b: Value): View {
  const kinds = [a.kind, b.kind]
  if (kinds.includes('datetime')) return 'time'
  if (kinds.includes('timespan')) return 'span'
  const lead = a.literal && !b.literal ? a.kind : b.literal && !a.literal ? b.kind : a.kind === 'dynamic' ? b.kind : a.kind
  if (a.kind === b.kind) return a.kind === 'boolean' ? 'filter' : 'plain'
  if (lead === 'boolean' || (kinds.includes('boolean') && lead !== 'string')) return 'filter'
  if (lead === 'dynamic') return 'json'
  if (lead === 'string' && (a.literal || b.literal || kinds.includes('dynamic'))) return 'text'
  return 'number'
}

/** The kind two branches of a choice have in common. */
export function commonKind(values: readonly Value[]): Kind {
  const kinds = new Set(values.map((value) => value.kind).filter((kind) => kind !== 'null'))
  if (kinds.size === 0) return 'null'
  if (kinds.size === 1) return [...kinds][0] as Kind
  return [...kinds].every((kind) => NUMERIC.has(kind)) ? 'real' : 'dynamic'
}

/** SQL of a value as one kind that `commonKind` has chosen. */
export function asKind(value: Value, kind: Kind): string {
  if (value.kind === 'null') return 'NULL'
  if (kind === 'real' && value.kind === 'integer') return `toFloat64(${value.as('plain')})`
  if (kind === 'boolean') return `CAST(${value.as('plain')}, 'Nullable(Bool)')`
  return kind === 'dynamic' ? value.as('json') : value.as('plain')
}
