/**
 * Functions on text. Positions count characters (code points), from 0.
 * Deliberately not here: where something is in a text (`places.ts`), and the text operators.
 */
import { CompileError, mismatch } from '../error.ts'
import { boolean, json, typed, type Value } from '../sql/value.ts'
import { literalNumber } from '../text/literal.ts'
import { capturingOnly, checkRegex, lineWise } from '../text/regex.ts'
import { readAs } from '../tree/typed-names.ts'
import { extracted, quoteRegex } from '../values/text-match.ts'
import { readType } from './conversion.ts'
import { constantText, direct, type FunctionTable, type Invocation, nameArgument, special } from './definition.ts'

/** A rewrite text: `$1` and `\1` mean the first group, as in the public documentation; the engine knows `\1`. */
const rewrite = (text: string) =>
  text
    .replace(/\\(?!\d)/g, '\\\\')
    .replace(/\$\$|\$(\d)/g, (whole, digit?: string) => (digit === undefined ? '$' : whole === '$$' ? '$' : `\\${digit}`))

/** The pattern argument, checked, and its number of groups. */
export function pattern(invocation: Invocation, at: number): { text: string; sql: string; groups: number } {
  const text = constantText(invocation, at)
  const { groups } = checkRegex(text, (invocation.call.arguments[at] as Invocation['call']['arguments'][0]).span)
  return { text, sql: invocation.context.binder.text(lineWise(text)), groups }
}

const replaceRegex = special('regex:text rewrite:text source:text', (invocation) => {
  const { sql, groups } = pattern(invocation, 0)
  const to = rewrite(constantText(invocation, 1))
  // A group that the pattern does not have would be refused when the query runs.
  const known = to.replace(/\\(\d)/g, (whole, digit: string) => (Number(digit) <= groups ? whole : ''))
  return typed(
    'string',
    `replaceRegexpAll(${invocation.argument(2).as('text')}, ${sql}, ${invocation.context.binder.text(known)})`,
  )
})

const extract = special('regex:text captureGroup:integer source:text type:any?', (invocation) => {
  const { context, call } = invocation
  const { text, sql, groups } = pattern(invocation, 0)
  const group = context.count(call.arguments[1] as (typeof call.arguments)[0], nameArgument(invocation, 1))
  const type = call.arguments[3] === undefined ? 'string' : readType(call.arguments[3], call.name)
  if (group > groups) return readAs(typed('string', "CAST(NULL, 'Nullable(String)')"), type)
  const one = context.binder.text(capturingOnly(lineWise(text), group))
  return readAs(extracted(invocation.argument(2).as('text'), one, sql), type)
})

/** The wanted groups of each match: one as it is, several as an array. Group 0 is the whole match. */
const extractAll = special('regex:text captureGroups:any? source:text', (invocation) => {
  const { text, groups } = pattern(invocation, 0)
  const source = `ifNull(${invocation.argument(invocation.call.arguments.length - 1).as('text')}, '')`
  const wanted = invocation.call.arguments.length === 3 ? readGroups(invocation, groups) : undefined
  // One group more, around everything, so that the whole match has a number too.
  const rows = `extractAllGroupsVertical(${source}, ${invocation.context.binder.text(lineWise(`(${text})`))})`
  const numbers = wanted ?? (groups === 0 ? [0] : Array.from({ length: groups }, (_, at) => at + 1))
  const [only] = numbers
  const shown =
    numbers.length === 1 ? `g[${(only as number) + 1}]` : `[${numbers.map((number) => `g[${number + 1}]`).join(', ')}]`
  return json(`toJSONString(arrayMap(g -> ${shown}, ${rows}))`, 'array')
})

/** The numbers of groups in `dynamic([1, 2])`. */
function readGroups(invocation: Invocation, groups: number): number[] {
  const { call, context } = invocation
  const node = call.arguments[1] as (typeof call.arguments)[0]
  const literal = context.constant(node, nameArgument(invocation, 1))
  const list: unknown = literal.type === 'dynamic' ? JSON.parse(literal.json) : undefined
  const isGroup = (item: unknown): item is number => Number.isInteger(item) && (item as number) >= 0 && (item as number) <= groups
  if (Array.isArray(list) && list.length > 0 && list.every(isGroup)) return list
  throw mismatch(
    `extract_all() takes the numbers of its groups, and the pattern has ${groups}`,
    node.span,
    'write dynamic([1]) or dynamic([1, 2])',
  )
}

/** Trims by patterns at the ends. */
function trimmed({ context, argument }: Invocation, patterns: readonly string[]): Value {
  return typed(
    'string',
    patterns.reduce((text, one) => `replaceRegexpOne(${text}, ${context.binder.text(one)}, '')`, argument(1).as('text')),
  )
}

/** By a set of characters, written as a regular expression of ours. */
const trimming = (head: boolean, tail: boolean) =>
  special('cutset:text source:text', (invocation) => {
    const set = [...constantText(invocation, 0)].map((char) => `\\x{${(char.codePointAt(0) as number).toString(16)}}`).join('')
    return trimmed(invocation, set === '' ? [] : [...(head ? [`^[${set}]+`] : []), ...(tail ? [`[${set}]+$`] : [])])
  })

const trimmingRegex = (head: boolean, tail: boolean) =>
  special('regex:text source:text', (invocation) => {
    const { text } = pattern(invocation, 0)
    return trimmed(invocation, [...(head ? [lineWise(`^(?:${text})+`)] : []), ...(tail ? [lineWise(`(?:${text})+$`)] : [])])
  })

const concat = (parts: readonly string[]) => `concat(${["''", ...parts.map((part) => `ifNull(${part}, '')`)].join(', ')})`

const split = special('source:text delimiter:text index:integer?', (invocation) => {
  const text = invocation.argument(0).as('text')
  const delimiter = constantText(invocation, 1)
  const items = `splitByString(${invocation.context.binder.text(delimiter)}, ifNull(${text}, ''))`
  if (invocation.call.arguments.length < 3)
    return {
      ...json(`if(isNull(${text}), NULL, toJSONString(${items}))`, 'array'),
      texts: () => ({ items, when: `isNotNull(${text})`, otherwise: 'nothing' }),
    }
  const at = invocation.argument(2).as('integer')
  return json(`if(${at} >= 0, toJSONString(arraySlice(${items}, assumeNotNull(${at}) + 1, 1)), '[]')`, 'array')
})

/** The parameters of a URL, as the engine's map. */
const queryMap = (url: string) =>
  `mapFromArrays(arrayMap(p -> toValidUTF8(decodeURLFormComponent(splitByChar('=', p)[1])), extractURLParameters(${url})), arrayMap(p -> toValidUTF8(decodeURLFormComponent(substring(p, position(p, '=') + 1))), extractURLParameters(${url})))`

/** RFC 3986, appendix B, with the authority taken apart. */
const URL_PATTERN =
  '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\\\[[^\\\\]/?#]*\\\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\\\?([^#]*))?(?:#(.*))?$'
/** The groups of the pattern, by the documented names. */
const URL_PARTS = ['scheme', 'username', 'password', 'host', 'port', 'path', 'query', 'fragment']
const PERCENT_ENCODED = new Set(['username', 'password', 'fragment'])

/** The members of a URL as an object; those it does not have are empty. */
function parsedUrl(text: string | undefined): string {
  const groups = `extractGroups(ifNull(${text}, ''), '${URL_PATTERN}')`
  const members = URL_PARTS.map((name, at) => {
    const part = `g[${at + 1}]`
    return `'${at === 0 ? '' : ','}"${name}":', toJSONString(${PERCENT_ENCODED.has(name) ? `toValidUTF8(decodeURLComponent(${part}))` : part})`
  })
  return `arrayMap(g -> concat('{', ${members.join(', ')}, '}'), [${groups}])[1]`
}

/** A negative start counts from the end, and stops at the beginning. */
const substring = special('source:text startingIndex:integer length:integer?', ({ arguments: [value, at, count] }) => {
  const [text, start] = [(value as Value).as('text'), (at as Value).as('integer')]
  const isForward = at?.literal?.type === 'integer' && at.literal.value >= 0n
  const from = isForward
    ? start
    : `if(ifNull(${start}, 0) < 0, greatest(toInt64(lengthUTF8(${text})) + ${start}, 0), ifNull(${start}, 0))`
  const length = count === undefined ? '' : `, greatest(ifNull(${count.as('integer')}, 0), 0)`
  return typed('string', `substringUTF8(${text}, ${from} + 1${length})`)
})

/** A hash of a text, in hexadecimal. */
const comparedWithNothing = (sign: '=' | '!=') =>
  special('value:any', ({ arguments: [value] }) => boolean(`(ifNull(${value?.as('text')}, '') ${sign} '')`))

const ofText = (sql: (text: string) => string) => direct('source:text', 'string', sql)
const hashed = (name: string) => ofText((text) => `lower(hex(${name}(ifNull(${text}, ''))))`)

/** Most copies of one text. */
const REPEATS_MAX = 1_000

/** Most digits that `tohex` fills up to. */
const HEX_DIGITS_MAX = 1_000

export const TEXT_FUNCTIONS: FunctionTable = {
  strlen: direct('source:text', 'integer', (text) => `toInt64(lengthUTF8(${text}))`).shows("strlen('día')", 3),
  string_size: direct('source:text', 'integer', (text) => `toInt64(length(${text}))`).shows("string_size('día')", 4),
  tolower: ofText((text) => `lowerUTF8(${text})`).shows("tolower('GET')", 'get'),
  toupper: ofText((text) => `upperUTF8(${text})`).shows("toupper('get')", 'GET'),
  totitle: ofText((text) => `concat(upperUTF8(substringUTF8(${text}, 1, 1)), substringUTF8(${text}, 2))`).shows(
    "totitle('oslo')",
    'Oslo',
  ),
  reverse: ofText((text) => `reverseUTF8(${text})`).shows("reverse('abc')", 'cba'),
  strcat: special('value:text*', ({ arguments: values, context }) =>
    values.every(({ literal }) => literal?.type === 'string')
      ? context.literal({ type: 'string', value: values.map(({ literal }) => (literal as { value: string }).value).join('') })
      : typed('string', concat(values.map((value) => value.as('text'))), { nullable: false }),
  ).shows("strcat('web', '-', 1)", 'web-1'),
  strcat_delim: special('delimiter:text value:text*', ({ arguments: [delimiter, ...values] }) => {
    const between = delimiter?.as('text') as string
    return typed('string', concat(values.flatMap((value, at) => (at === 0 ? [value.as('text')] : [between, value.as('text')]))), {
      nullable: false,
    })
  }).shows("strcat_delim('/', 'api', 'users')", 'api/users'),
  strrep: special('source:text times:integer delimiter:text?', (invocation) => {
    if ((literalNumber(invocation.argument(1).literal) ?? 0) > REPEATS_MAX)
      throw new CompileError('limit', `strrep() repeats a text ${REPEATS_MAX} times at most`, invocation.call.span)
    const times = `toUInt64(greatest(least(ifNull(${invocation.argument(1).as('integer')}, 0), ${REPEATS_MAX}), 0))`
    const delimiter = invocation.call.arguments.length < 3 ? '' : constantText(invocation, 2)
    const items = `arrayWithConstant(${times}, ifNull(${invocation.argument(0).as('text')}, ''))`
    return typed('string', `arrayStringConcat(${items}, ${invocation.context.binder.text(delimiter)})`)
  }).shows("strrep('ab', 2, '-')", 'ab-ab'),
  strcmp: direct(
    'text1:text text2:text',
    'integer',
    (a, b) => `multiIf(${a} < ${b}, toInt64(-1), ${a} > ${b}, toInt64(1), toInt64(0))`,
  ).shows("strcmp('a', 'b')", -1),
  substring: substring.shows("substring('abcdef', 1, 3)", 'bcd'),
  replace_string: direct(
    'lookup:text rewrite:text source:text',
    'string',
    (from, to, text) => `replaceAll(${text}, ifNull(${from}, ''), ifNull(${to}, ''))`,
  ).shows("replace_string('.', '-', '1.2.3')", '1-2-3'),
  replace: replaceRegex.shows("replace('[0-9]+', 'N', 'user 42')", 'user N'),
  replace_regex: replaceRegex.shows("replace_regex('([a-z]+)@[a-z.]+', '$1@…', 'ann@example.com')", 'ann@…'),
  regex_quote: special('source:text', ({ arguments: [text], context }) =>
    text?.literal?.type === 'string'
      ? context.literal({ type: 'string', value: quoteRegex(text.literal.value) })
      : typed('string', `regexpQuoteMeta(${text?.as('text')})`),
  ).shows("regex_quote('a.b')", 'a\\.b'),
  extract: extract.shows("extract('user=([a-z]+)', 1, 'user=ann code=200')", 'ann'),
  extract_all: extractAll.shows("extract_all('([0-9]+)', '10 of 12')", ['10', '12']),
  split: split.shows("split('a,b,c', ',')", ['a', 'b', 'c']),
  trim: trimming(true, true).shows("trim('-', '--a-b--')", 'a-b'),
  trim_start: trimming(true, false).shows("trim_start('-', '--a-b--')", 'a-b--'),
  trim_end: trimming(false, true).shows("trim_end('-', '--a-b--')", '--a-b'),
  trim_regex: trimmingRegex(true, true).shows("trim_regex('[0-9]+', '12ab34')", 'ab'),
  trim_start_regex: trimmingRegex(true, false).shows("trim_start_regex('[0-9]+', '12ab34')", 'ab34'),
  trim_end_regex: trimmingRegex(false, true).shows("trim_end_regex('[0-9]+', '12ab34')", '12ab'),
  trim_space: ofText((text) => `replaceRegexpOne(replaceRegexpOne(${text}, '^\\\\s+', ''), '\\\\s+$', '')`).shows(
    "trim_space('  a b ')",
    'a b',
  ),
  countof: direct(
    'search:text source:text',
    'integer',
    (wanted, text) => `toInt64(countSubstrings(${text}, ifNull(${wanted}, '')))`,
  ).shows("countof('a', 'banana')", 3),
  countof_regex: special('regex:text source:text', (invocation) =>
    typed('integer', `toInt64(countMatches(${invocation.argument(1).as('text')}, ${pattern(invocation, 0).sql}))`),
  ).shows("countof_regex('[0-9]', 'a1b2')", 2),
  translate: special('searchList:text replacementList:text source:text', (invocation) => {
    const from = [...constantText(invocation, 0)]
    const to = [...constantText(invocation, 1)]
    const text = invocation.argument(2).as('text')
    const map = new Map(from.map((char, at) => [char, to.length === 0 ? '' : (to[Math.min(at, to.length - 1)] as string)]))
    if (map.size === 0) return typed('string', text)
    const { binder } = invocation.context
    const changed = `transform(c, ${binder.texts([...map.keys()])}, ${binder.texts([...map.values()])}, c)`
    return typed('string', `arrayStringConcat(arrayMap(c -> ${changed}, extractAll(ifNull(${text}, ''), '(?s).')))`)
  }).shows("translate('abc', 'xyz', 'aabbcc')", 'xxyyzz'),
  isempty: comparedWithNothing('=').shows("isempty('')", true),
  isnotempty: comparedWithNothing('!=').shows("isnotempty('a')", true),
  isascii: direct('source:text', 'boolean', (text) => `match(${text}, '^[\\\\x00-\\\\x7f]*$')`).shows("isascii('día')", false),
  isutf8: direct('source:text', 'boolean', (text) => `isValidUTF8(ifNull(${text}, ''))`).shows("isutf8('día')", true),
  url_encode: ofText((text) => `encodeURLComponent(${text})`).shows("url_encode('a b&c')", 'a%20b%26c'),
  url_decode: ofText((text) => `toValidUTF8(decodeURLFormComponent(${text}))`).shows("url_decode('a%20b%26c')", 'a b&c'),
  base64_encode_tostring: ofText((text) => `base64Encode(${text})`).shows("base64_encode_tostring('ab')", 'YWI='),
  // What is decoded need not be UTF-8: in an answer it would not be JSON, and the engine refuses it in a pattern.
  base64_decode_tostring: ofText((text) => `toValidUTF8(tryBase64Decode(${text}))`).shows("base64_decode_tostring('YWI=')", 'ab'),
  hash_md5: hashed('MD5').shows("hash_md5('a')", '0cc175b9c0f1b6a831c399e269772661'),
  hash_sha1: hashed('SHA1').shows("hash_sha1('a')", '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'),
  hash_sha256: hashed('SHA256').shows("substring(hash_sha256('a'), 0, 16)", 'ca978112ca1bbdca'),
  hash_sha512: hashed('SHA512').shows("substring(hash_sha512('a'), 0, 16)", '1f40fc92da241694'),
  hash: direct(
    'source:text salt:integer?',
    'integer',
    (text, salt) =>
      `toInt64(bitAnd(xxHash64(ifNull(${text}, '')${salt === undefined ? '' : `, ifNull(${salt}, 0)`}), 9223372036854775807))`,
  ).shows("hash('a') % 100", 47),
  tohex: direct('number:integer minLength:integer?', 'string', (number, least) => {
    const digits = `replaceRegexpOne(lower(hex(${number})), '^0+(.)', '\\\\1')`
    if (least === undefined) return digits
    const width = `greatest(toInt64(length(${digits})), least(ifNull(${least}, 0), ${HEX_DIGITS_MAX}))`
    return `leftPad(${digits}, ${width}, '0')`
  }).shows('tohex(255)', 'ff'),
  parse_urlquery: direct(
    'query:text',
    'dynamic',
    (text) => `toJSONString(${queryMap(`concat('?', ifNull(${text}, ''))`)})`,
    'map[string]',
  ).shows("parse_urlquery('q=oslo&page=2').q", 'oslo'),
  parse_url: special('url:text', ({ arguments: [url] }) => ({
    ...json(parsedUrl(url?.as('text')), 'map[string]'),
    members: URL_PARTS,
  })).shows("parse_url('https://example.com:8080/a?b=c').host", 'example.com'),
}
