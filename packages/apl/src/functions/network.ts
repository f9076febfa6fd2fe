/**
 * Functions on IPv4 addresses. Ranges are constants, read here, so that a row costs two comparisons.
 * Deliberately not here: IPv6, and looking addresses up.
 */
import { CompileError } from '../error.ts'
import { typed, type Value } from '../value.ts'
import { direct, type FunctionTable, type Invocation, special } from './definition.ts'

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

/** First and last address of `a.b.c.d[/bits]` as numbers. */
function rangeOf(text: string): readonly [bigint, bigint] | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(text)
  if (!parts) return undefined
  const octets = parts.slice(1, 5).map(Number)
  const bits = Number(parts[5] ?? 32)
  if (bits > 32 || octets.some((octet) => octet > 255)) return undefined
  const address = octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n)
  const size = 1n << BigInt(32 - bits)
  const first = address - (address % size)
  return [first, first + size - 1n]
}

/** The address as a number; of `a.b.c.d/bits` the first of that range. */
function addressOf(ip: string | undefined): string {
  const address = `IPv4StringToNumOrNull(splitByChar('/', ifNull(${ip}, ''))[1])`
  const bits = `toUInt8OrNull(splitByChar('/', ifNull(${ip}, ''))[2])`
  const mask = `bitNot(toUInt32(bitShiftLeft(toUInt64(1), 32 - least(${bits}, 32)) - 1))`
  return `multiIf(position(ifNull(${ip}, ''), '/') = 0, toInt64(${address}), ${bits} <= 32, toInt64(bitAnd(${address}, ${mask})), NULL)`
}

function within(ip: Value, ranges: readonly string[], { context, call }: Invocation): Value {
  const number = addressOf(ip.as('text'))
  const tests = ranges.map((text) => {
    const range = rangeOf(text)
    if (!range) throw new CompileError('type_mismatch', `"${text.slice(0, 40)}" is not an IPv4 address or range`, call.span)
    return `${number} BETWEEN ${context.binder.integer(range[0])} AND ${context.binder.integer(range[1])}`
  })
  return typed('boolean', `(${tests.join(' OR ') || 'false'})`)
}

function texts(value: Value | undefined, { call }: Invocation): string[] {
  if (value?.literal?.type === 'string') return [value.literal.value]
  const list: unknown = value?.literal?.type === 'dynamic' ? JSON.parse(value.literal.json) : undefined
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
    throw new CompileError('type_mismatch', `${call.name}() takes constant ranges`, call.span)
  return list
}

export const NETWORK_FUNCTIONS: FunctionTable = {
  ipv4_is_in_range: special('text text', (invocation) =>
    within(invocation.argument(0), texts(invocation.argument(1), invocation), invocation),
  ),
  ipv4_is_in_any_range: special('text any*', (invocation) =>
    within(
      invocation.argument(0),
      invocation.arguments.slice(1).flatMap((value) => texts(value, invocation)),
      invocation,
    ),
  ),
  ipv4_is_private: special('text', (invocation) => within(invocation.argument(0), PRIVATE, invocation)),
  parse_ipv4: direct('text', 'integer', addressOf),
  format_ipv4: direct(
    'integer',
    'string',
    (number) => `if(${number} BETWEEN 0 AND 4294967295, IPv4NumToString(toUInt32(ifNull(${number}, 0))), NULL)`,
  ),
}
