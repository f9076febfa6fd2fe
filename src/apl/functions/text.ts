/**
 * Functions on text. Positions count characters (code points), from 0.
 * Deliberately not here: the text operators.
 */
import { checkRegex } from '../regex.ts'
import { quoteRegex } from '../text-match.ts'
import { json, typed } from '../value.ts'
import { direct, type FunctionTable, type Invocation, special } from './definition.ts'

/** A rewrite text: `$1` and `\1` mean the first group, as in the public documentation; the engine knows `\1`. */
const rewrite = (text: string) =>
  text
    .replace(/\\(?!\d)/g, '\\\\')
    .replace(/\$\$|\$(\d)/g, (whole, digit?: string) => (digit === undefined ? '$' : whole === '$$' ? '$' : `\\${digit}`))

/** The pattern argument, checked where it is known now, and its number of groups. */
function pattern({ arguments: values, call }: Invocation, at: number): { sql: string; groups: number | undefined } {
  const value = values[at]
  const node = call.arguments[at]
  if (!value || !node) return { sql: "''", groups: 0 }
  const literal = value.literal?.type === 'string' ? value.literal.value : undefined
  return { sql: `ifNull(${value.as('text')}, '')`, groups: literal === undefined ? undefined : checkRegex(literal, node.span) }
}

const replaceRegex = special('text text text', (invocation) => {
  const { arguments: values, context } = invocation
  const [, to, text] = values as [(typeof values)[0], (typeof values)[0], (typeof values)[0]]
  const { sql, groups } = pattern(invocation, 0)
  // A group that the pattern does not have would be refused when the query runs.
  const known =
    to?.literal?.type === 'string'
      ? rewrite(to.literal.value).replace(/\\(\d)/g, (whole, digit: string) => (Number(digit) <= (groups ?? 9) ? whole : ''))
      : undefined
  const target =
    known === undefined
      ? `replaceRegexpAll(ifNull(${to?.as('text')}, ''), '\\\\$(\\\\d)', '\\\\\\\\\\\\1')`
      : context.binder.text(known)
  return typed('string', `replaceRegexpAll(${text?.as('text')}, ${sql}, ${target})`)
})

const extract = special('text integer text any?', (invocation) => {
  const { arguments: values, context, call } = invocation
  const { sql, groups } = pattern(invocation, 0)
  const group = context.count(call.arguments[1] as (typeof call.arguments)[0], 'the group of extract()')
  const text = values[2]?.as('text') as string
  if (groups !== undefined && group > groups) return typed('string', `CAST(NULL, 'Nullable(String)')`)
  const whole = group === 0
  const wanted = whole ? `concat('(', ${sql}, ')')` : sql
  return typed(
    'string',
    `if(match(${text}, ${sql}), extractGroups(ifNull(${text}, ''), ${wanted})[${context.binder.count(whole ? 1 : group)}], NULL)`,
  )
})

const extractAll = special('text any text?', (invocation) => {
  const text = invocation.arguments.at(-1)?.as('text') as string
  const { sql, groups } = pattern(invocation, 0)
  const wanted = groups === 0 ? `concat('(', ${sql}, ')')` : sql
  const rows = `extractAllGroupsVertical(ifNull(${text}, ''), ${wanted})`
  const items = groups !== undefined && groups <= 1 ? `arrayMap(g -> g[1], ${rows})` : rows
  return json(`toJSONString(${items})`, 'array')
})

/** Trims by a set of characters, written as a regular expression of ours. */
const trimming = (head: boolean, tail: boolean) =>
  special('text text', ({ arguments: [cutset, text], context }) => {
    const set =
      cutset?.literal?.type === 'string'
        ? context.binder.text(
            [...cutset.literal.value].map((char) => `\\x{${(char.codePointAt(0) as number).toString(16)}}`).join(''),
          )
        : `regexpQuoteMeta(ifNull(${cutset?.as('text')}, ''))`
    if (cutset?.literal?.type === 'string' && cutset.literal.value === '') return typed('string', text?.as('text') as string)
    const parts = [...(head ? [`concat('^[', ${set}, ']+')`] : []), ...(tail ? [`concat('[', ${set}, ']+$')`] : [])]
    return typed(
      'string',
      parts.reduce((sql, part) => `replaceRegexpOne(${sql}, ${part}, '')`, text?.as('text') as string),
    )
  })

const trimmingRegex = (head: boolean, tail: boolean) =>
  special('text text', (invocation) => {
    const { sql } = pattern(invocation, 0)
    const parts = [...(head ? [`concat('^(?:', ${sql}, ')')`] : []), ...(tail ? [`concat('(?:', ${sql}, ')$')`] : [])]
    return typed(
      'string',
      parts.reduce((text, part) => `replaceRegexpOne(${text}, ${part}, '')`, invocation.arguments[1]?.as('text') as string),
    )
  })

const concat = (parts: readonly string[]) => `concat(${["''", ...parts.map((part) => `ifNull(${part}, '')`)].join(', ')})`

const split = special('text text integer?', ({ arguments: [text, delimiter, at] }) => {
  const items = `splitByString(ifNull(${delimiter?.as('text')}, ''), ifNull(${text?.as('text')}, ''))`
  if (at)
    return json(
      `if(${at.as('integer')} >= 0, toJSONString(arraySlice(${items}, assumeNotNull(${at.as('integer')}) + 1, 1)), '[]')`,
      'array',
    )
  return json(`if(isNull(${text?.as('text')}), NULL, toJSONString(${items}))`, 'array')
})

/** The parameters of a URL, as the engine's map. */
const queryMap = (url: string) =>
  `mapFromArrays(arrayMap(p -> decodeURLFormComponent(splitByChar('=', p)[1]), extractURLParameters(${url})), arrayMap(p -> decodeURLFormComponent(substring(p, position(p, '=') + 1)), extractURLParameters(${url})))`

const BYTE_UNITS = `['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']`

export const TEXT_FUNCTIONS: FunctionTable = {
  strlen: direct('text', 'integer', (text) => `toInt64(lengthUTF8(${text}))`),
  string_size: direct('text', 'integer', (text) => `toInt64(length(${text}))`),
  tolower: direct('text', 'string', (text) => `lowerUTF8(${text})`),
  toupper: direct('text', 'string', (text) => `upperUTF8(${text})`),
  totitle: direct('text', 'string', (text) => `initcapUTF8(${text})`),
  reverse: direct('text', 'string', (text) => `reverseUTF8(${text})`),
  strcat: special('text*', ({ arguments: values }) =>
    typed('string', concat(values.map((value) => value.as('text'))), { nullable: false }),
  ),
  strcat_delim: special('text text*', ({ arguments: [delimiter, ...values] }) => {
    const between = delimiter?.as('text') as string
    return typed('string', concat(values.flatMap((value, at) => (at === 0 ? [value.as('text')] : [between, value.as('text')]))), {
      nullable: false,
    })
  }),
  strrep: direct(
    'text integer text?',
    'string',
    (text, times, delimiter) =>
      `arrayStringConcat(arrayWithConstant(toUInt64(greatest(least(ifNull(${times}, 0), 1000), 0)), ifNull(${text}, '')), ${delimiter === undefined ? "''" : `ifNull(${delimiter}, '')`})`,
  ),
  strcmp: direct('text text', 'integer', (a, b) => `multiIf(${a} < ${b}, toInt64(-1), ${a} > ${b}, toInt64(1), toInt64(0))`),
  substring: direct(
    'text integer integer?',
    'string',
    (text, start, length) =>
      `substringUTF8(${text}, greatest(ifNull(${start}, 0), 0) + 1${length === undefined ? '' : `, greatest(ifNull(${length}, 0), 0)`})`,
  ),
  indexof: direct(
    'text text integer?',
    'integer',
    (text, wanted, start) =>
      `toInt64(positionUTF8(${text}, ${wanted}${start === undefined ? '' : `, toUInt64(greatest(ifNull(${start}, 0), 0) + 1)`})) - 1`,
  ),
  replace_string: direct(
    'text text text',
    'string',
    (from, to, text) => `replaceAll(${text}, ifNull(${from}, ''), ifNull(${to}, ''))`,
  ),
  replace: replaceRegex,
  replace_regex: replaceRegex,
  regex_quote: special('text', ({ arguments: [text], context }) =>
    text?.literal?.type === 'string'
      ? context.literal({ type: 'string', value: quoteRegex(text.literal.value) })
      : typed('string', `regexpQuoteMeta(${text?.as('text')})`),
  ),
  extract,
  extract_all: extractAll,
  split,
  trim: trimming(true, true),
  trim_start: trimming(true, false),
  trim_end: trimming(false, true),
  trim_regex: trimmingRegex(true, true),
  trim_start_regex: trimmingRegex(true, false),
  trim_end_regex: trimmingRegex(false, true),
  trim_space: direct('text', 'string', (text) => `replaceRegexpOne(replaceRegexpOne(${text}, '^\\\\s+', ''), '\\\\s+$', '')`),
  countof: direct('text text', 'integer', (wanted, text) => `toInt64(countSubstrings(${text}, ifNull(${wanted}, '')))`),
  countof_regex: special('text text', (invocation) =>
    typed('integer', `toInt64(countMatches(ifNull(${invocation.arguments[1]?.as('text')}, ''), ${pattern(invocation, 0).sql}))`),
  ),
  indexof_regex: special('text text', (invocation) => {
    const text = invocation.arguments[0]?.as('text') as string
    const { sql } = pattern(invocation, 1)
    return typed(
      'integer',
      `if(match(${text}, ${sql}), toInt64(positionUTF8(${text}, extractGroups(ifNull(${text}, ''), concat('(', ${sql}, ')'))[1])) - 1, toInt64(-1))`,
    )
  }),
  translate: special('text text text', ({ arguments: [from, to, text], context, call }) => {
    const search = [...literalText(from)]
    const replacement = [...literalText(to)]
    const map = new Map(
      search.map((char, at) => [
        char,
        replacement.length === 0 ? '' : (replacement[Math.min(at, replacement.length - 1)] as string),
      ]),
    )
    const items = [...map].map(([char, with_]) => `(${context.binder.text(char)}, ${context.binder.text(with_)})`)
    if (items.length === 0 || call.arguments.length < 3) return typed('string', text?.as('text') as string)
    const chars = context.binder.texts([...map.keys()])
    const others = context.binder.texts([...map.values()])
    return typed(
      'string',
      `arrayStringConcat(arrayMap(c -> transform(c, ${chars}, ${others}, c), extractAll(ifNull(${text?.as('text')}, ''), '(?s).')))`,
    )
  }),
  isempty: special('any', ({ arguments: [value] }) => {
    const sql = `ifNull(${value?.as('text')}, '') = ''`
    return typed('boolean', `(${sql})`, { nullable: false })
  }),
  isnotempty: special('any', ({ arguments: [value] }) =>
    typed('boolean', `(ifNull(${value?.as('text')}, '') != '')`, { nullable: false }),
  ),
  isascii: direct('text', 'boolean', (text) => `match(${text}, '^[\\\\x00-\\\\x7f]*$')`),
  isutf8: direct('text', 'boolean', (text) => `isValidUTF8(ifNull(${text}, ''))`),
  url_encode: direct('text', 'string', (text) => `encodeURLComponent(${text})`),
  url_decode: direct('text', 'string', (text) => `decodeURLComponent(${text})`),
  base64_encode_tostring: direct('text', 'string', (text) => `base64Encode(${text})`),
  base64_decode_tostring: direct('text', 'string', (text) => `tryBase64Decode(${text})`),
  hash_md5: direct('text', 'string', (text) => `lower(hex(MD5(ifNull(${text}, ''))))`),
  hash_sha1: direct('text', 'string', (text) => `lower(hex(SHA1(ifNull(${text}, ''))))`),
  hash_sha256: direct('text', 'string', (text) => `lower(hex(SHA256(ifNull(${text}, ''))))`),
  hash_sha512: direct('text', 'string', (text) => `lower(hex(SHA512(ifNull(${text}, ''))))`),
  hash: direct(
    'text integer?',
    'integer',
    (text, salt) =>
      `toInt64(bitAnd(xxHash64(ifNull(${text}, '')${salt === undefined ? '' : `, ifNull(${salt}, 0)`}), 9223372036854775807))`,
  ),
  tohex: direct('integer', 'string', (number) => `lower(hex(${number}))`),
  format_bytes: direct('number integer?', 'string', (number, digits) => {
    const power = `least(if(abs(toFloat64(ifNull(${number}, 0))) < 1, 0, toInt64(floor(log2(abs(toFloat64(ifNull(${number}, 0))) + 0.5) / 10))), 6)`
    return `concat(toString(round(toFloat64(${number}) / pow(1024, ${power}), ${digits === undefined ? '0' : `toInt64(greatest(least(ifNull(${digits}, 0), 10), 0))`})), ' ', ${BYTE_UNITS}[${power} + 1])`
  }),
  parse_urlquery: direct(
    'text',
    'dynamic',
    (text) => `toJSONString(${queryMap(`concat('?', ifNull(${text}, ''))`)})`,
    'map[string]',
  ),
  parse_url: direct('text', 'dynamic', (text) => {
    const url = `ifNull(${text}, '')`
    const parameters = queryMap(url)
    const parts = [
      ['Scheme', `protocol(${url})`],
      ['Host', `domain(${url})`],
      ['Port', `if(port(${url}) = 0, '', toString(port(${url})))`],
      ['Path', `path(${url})`],
      ['Fragment', `fragment(${url})`],
    ]
    return `concat('{', ${parts.map(([name, sql]) => `'"${name}":', toJSONString(${sql}), ','`).join(', ')}, '"Query Parameters":', toJSONString(${parameters}), '}')`
  }),
}

function literalText(value: Invocation['arguments'][0] | undefined): string {
  return value?.literal?.type === 'string' ? value.literal.value : ''
}
