/**
 * IPv6 addresses, and comparison of addresses of both kinds by their first bits. An IPv4 address is one of IPv6 too, `::ffff:a.b.c.d`.
 * Deliberately not here: ranges of IPv4 that are known beforehand (`network.ts`).
 */
import { mismatch } from '../error.ts'
import { typed, type Value } from '../sql/value.ts'
import { direct, type FunctionTable, type Invocation, special } from './definition.ts'
import { constantTexts } from './network.ts'

const part = (ip: string, at: number) => `splitByChar('/', ifNull(${ip}, ''))[${at}]`
const hasSuffix = (ip: string) => `position(ifNull(${ip}, ''), '/') > 0`

/** The bits of `a/bits` that count; NULL where that is no such number. */
function suffixOf(ip: string, most: number): string {
  const bits = `toUInt8OrNull(${part(ip, 2)})`
  return `if(${hasSuffix(ip)}, if(${bits} <= ${most}, ${bits}, NULL), ${most})`
}

const isIpv4 = (ip: string) => `isNotNull(IPv4StringToNumOrNull(${part(ip, 1)}))`

interface Family {
  /** An address as text of digits, each a bit. Of a number the engine leaves out leading zeros. */
  readonly bits: (ip: string) => string
  readonly suffix: (ip: string) => string
  readonly most: number
}
const IPV4: Family = {
  bits: (ip) => `leftPad(bin(IPv4StringToNumOrNull(${part(ip, 1)})), 32, '0')`,
  suffix: (ip) => suffixOf(ip, 32),
  most: 32,
}
const IPV6: Family = {
  bits: (ip) => `bin(IPv6StringToNumOrNull(${part(ip, 1)}))`,
  suffix: (ip) => `if(${isIpv4(ip)}, 96 + ${IPV4.suffix(ip)}, ${suffixOf(ip, 128)})`,
  most: 128,
}

/** -1, 0 or 1 by the bits that both addresses, and the prefix, let count. NULL where one is no address. */
function comparison({ bits, suffix, most }: Family, a: string, b: string, prefix?: string): string {
  const limits = [suffix(a), suffix(b), ...(prefix === undefined ? [] : [`if(${prefix} BETWEEN 0 AND ${most}, ${prefix}, NULL)`])]
  const isKnown = limits.map((limit) => `isNotNull(${limit})`).join(' AND ')
  const first = (ip: string) => `substring(${bits(ip)}, 1, least(${limits.join(', ')}))`
  const sign = `multiIf(${first(a)} < ${first(b)}, -1, ${first(a)} > ${first(b)}, 1, 0)`
  return `if(${isKnown} AND isNotNull(${bits(a)}) AND isNotNull(${bits(b)}), toInt64(${sign}), NULL)`
}

const compare = (family: Family) =>
  direct('ip1:text ip2:text prefix:integer?', 'integer', (a, b, prefix) => comparison(family, a as string, b as string, prefix))
const isMatch = (family: Family) =>
  direct(
    'ip1:text ip2:text prefix:integer?',
    'boolean',
    (a, b, prefix) => `(${comparison(family, a as string, b as string, prefix)} = 0)`,
  )

/** Whether the address begins with the bits of the range; not, where one of them is none. */
const isWithin = (ip: string, range: string) =>
  `ifNull(substring(${IPV6.bits(ip)}, 1, ${IPV6.suffix(range)}) = substring(${IPV6.bits(range)}, 1, ${IPV6.suffix(range)}), false)`

/** @throws CompileError for a constant that is no range: no address would ever be in it */
function checkRange(text: string, { call }: Invocation): string {
  const [address = '', bits = '128', ...rest] = text.split('/')
  const isAddress = /^[\d.]+$/.test(address) || (/^[\da-fA-F:.]+$/.test(address) && URL.canParse(`http://[${address}]/`))
  if (isAddress && /^\d{1,3}$/.test(bits) && Number(bits) <= 128 && rest.length === 0) return text
  throw mismatch(`"${text.slice(0, 40)}" is not an IPv6 address or range`, call.span, "write '2001:db8::/32'")
}

export const ADDRESS_FUNCTIONS: FunctionTable = {
  ipv4_compare: compare(IPV4).shows("ipv4_compare('10.1.2.3', '10.1.9.9', 16)", 0),
  ipv4_is_match: isMatch(IPV4).shows("ipv4_is_match('192.168.1.7', '192.168.1.0/24')", true),
  ipv4_netmask_suffix: direct(
    'ip:text',
    'integer',
    (ip) => `if(${isIpv4(ip as string)}, toInt64(${IPV4.suffix(ip as string)}), NULL)`,
  ).shows("ipv4_netmask_suffix('10.1.2.0/24')", 24),
  ipv6_compare: compare(IPV6).shows("ipv6_compare('2001:db8::1', '2001:db8::2')", -1),
  ipv6_is_match: isMatch(IPV6).shows("ipv6_is_match('2001:db8::1', '2001:db8::/32')", true),
  ipv6_is_in_range: special('ip:text range:text', (invocation) => {
    const [ip, range] = invocation.arguments as [Value, Value]
    if (range.literal?.type === 'string') checkRange(range.literal.value, invocation)
    return typed('boolean', isWithin(ip.as('text'), range.as('text')))
  }).shows("ipv6_is_in_range('2001:db8::1', '2001:db8::/32')", true),
  ipv6_is_in_any_range: special('ip:text ranges:any*', (invocation) => {
    const texts = constantTexts(invocation).map((text) => checkRange(text, invocation))
    const tests = texts.map((range) => isWithin(invocation.argument(0).as('text'), invocation.context.binder.text(range)))
    return typed('boolean', `(${tests.join(' OR ') || 'false'})`)
  }).shows("ipv6_is_in_any_range('2001:db8::1', dynamic(['fe80::/10', '2001:db8::/32']))", true),
}
