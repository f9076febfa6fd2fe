/**
 * Functions on IPv4 addresses, and on texts that hold some. Ranges are constants, read here, so that a row costs two comparisons.
 * Deliberately not here: comparing addresses, IPv6 (`address.ts`), and looking addresses up.
 */
import { mismatch } from '../error.ts'
import { typed, type Value } from '../sql/value.ts'
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

const isIn = (invocation: Invocation, ranges: readonly string[]): Value =>
  typed('boolean', isWithin(addressOf(invocation.argument(0).as('text')), ranges, invocation))

/** Whether a number is the address of one of the ranges. */
function isWithin(number: string, ranges: readonly string[], { context, call }: Invocation): string {
  const tests = ranges.map((text) => {
    const range = rangeOf(text)
    if (!range) throw mismatch(`"${text.slice(0, 40)}" is not an IPv4 address or range`, call.span)
    return `${number} BETWEEN ${context.binder.integer(range[0])} AND ${context.binder.integer(range[1])}`
  })
  return `(${tests.join(' OR ') || 'false'})`
}

/** The addresses in a text: between characters that are no letters or digits. */
const addressesIn = (text: string) =>
  `arrayFilter(t -> isNotNull(IPv4StringToNumOrNull(t)), extractAll(ifNull(${text}, ''), '\\\\b[0-9]{1,3}(?:\\\\.[0-9]{1,3}){3}\\\\b'))`

const hasAny = (invocation: Invocation, ranges: readonly string[]) => {
  const isFound = isWithin('toInt64(IPv4StringToNumOrDefault(t))', ranges, invocation)
  return typed('boolean', `arrayExists(t -> ${isFound}, ${addressesIn(invocation.argument(0).as('text'))})`, { nullable: false })
}

/** A prefix ends where a part of the address does: `10.1` is not that of `10.12.0.1`. */
const hasAnyPrefix = (invocation: Invocation, prefixes: readonly string[]) => {
  const whole = invocation.context.binder.texts(prefixes.map((prefix) => prefix.replace(/\.?$/, '.')))
  const isFound = `arrayExists(t -> arrayExists(p -> startsWith(concat(t, '.'), p), ${whole}), ${addressesIn(invocation.argument(0).as('text'))})`
  return typed('boolean', isFound, { nullable: false })
}

const listed = (has: (invocation: Invocation, texts: readonly string[]) => Value, signature = 'source:text ip:any other:any*') =>
  special(signature, (invocation) => has(invocation, constantTexts(invocation)))

/** The first address of so many leading bits, as a number. */
const masked = (number: string, prefix: string) =>
  `if(${prefix} BETWEEN 0 AND 32, intDiv(${number}, toInt64(exp2(32 - ${prefix}))) * toInt64(exp2(32 - ${prefix})), NULL)`

/** The arguments behind the first: constant texts, and those of constant arrays. */
export function constantTexts({ arguments: [, ...values], call }: Invocation): string[] {
  return values.flatMap(({ literal }) => {
    const list: unknown = literal?.type === 'dynamic' ? JSON.parse(literal.json) : literal?.type === 'string' && [literal.value]
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
    throw mismatch(`${call.name}() takes constant ranges`, call.span)
  })
}

export const NETWORK_FUNCTIONS: FunctionTable = {
  ipv4_is_in_range: listed(isIn, 'ip:text range:text').shows("ipv4_is_in_range('192.168.1.7', '192.168.1.0/24')", true),
  ipv4_is_in_any_range: listed(isIn, 'ip:text ranges:any*').shows(
    "ipv4_is_in_any_range('10.1.2.3', dynamic(['192.168.0.0/16', '10.0.0.0/8']))",
    true,
  ),
  ipv4_is_private: special('ip:text', (invocation) => isIn(invocation, PRIVATE)).shows("ipv4_is_private('10.1.2.3')", true),
  has_ipv4: direct(
    'source:text ip:text',
    'boolean',
    (text, ip) => `has(${addressesIn(text as string)}, ifNull(${ip}, ''))`,
  ).shows("has_ipv4('denied 10.1.2.3 at login', '10.1.2.3')", true),
  has_any_ipv4: listed(hasAny).shows("has_any_ipv4('denied 10.1.2.3 at login', '10.1.2.3', '10.1.2.4')", true),
  has_ipv4_prefix: listed(hasAnyPrefix).shows("has_ipv4_prefix('denied 10.1.2.3 at login', '10.1.')", true),
  has_any_ipv4_prefix: listed(hasAnyPrefix).shows(
    "has_any_ipv4_prefix('denied 10.1.2.3 at login', dynamic(['192.168.', '10.1.']))",
    true,
  ),
  parse_ipv4_mask: direct('ip:text prefix:integer', 'integer', (ip, prefix) => masked(addressOf(ip), prefix as string)).shows(
    "parse_ipv4_mask('10.1.2.3', 24)",
    167838208,
  ),
  format_ipv4_mask: special('ip:any prefix:integer?', ({ arguments: [ip, prefix] }) => {
    const number =
      ip?.kind === 'integer' ? ip.as('plain') : `ifNull(${addressOf(ip?.as('text'))}, toInt64(toUInt32OrNull(${ip?.as('text')})))`
    const bits = prefix ? prefix.as('integer') : '32'
    const first = masked(`if(${number} BETWEEN 0 AND 4294967295, ${number}, NULL)`, bits)
    return typed('string', `ifNull(concat(IPv4NumToString(toUInt32(${first})), '/', toString(${bits})), '')`)
  }).shows("format_ipv4_mask('10.1.2.3', 24)", '10.1.2.0/24'),
  parse_ipv4: direct('ip:text', 'integer', addressOf).shows("parse_ipv4('0.0.1.0')", 256),
  format_ipv4: direct(
    'number:integer',
    'string',
    (number) => `if(${number} BETWEEN 0 AND 4294967295, IPv4NumToString(toUInt32(ifNull(${number}, 0))), NULL)`,
  ).shows('format_ipv4(256)', '0.0.1.0'),
}
