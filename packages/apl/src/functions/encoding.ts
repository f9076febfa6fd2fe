/**
 * Texts as bytes, code points, sizes and checked numbers, and back.
 * Deliberately not here: hashes and Base64 of text (`text.ts`).
 */
import { mismatch } from '../error.ts'
import { typed, type Value } from '../sql/value.ts'
import { constantText, direct, type FunctionTable, type Invocation, special } from './definition.ts'
import { itemsOf } from './json.ts'

/** The bytes of a text, in hexadecimal so that each is found at once. */
const bytesOf = (text: string) => `arrayMap(h -> reinterpretAsUInt8(unhex(h)), extractAll(hex(${text}), '..'))`

const decodeToArray = direct(
  'source:text',
  'dynamic',
  (text) => `if(isNull(${text}), NULL, toJSONString(${bytesOf(`tryBase64Decode(ifNull(${text}, ''))`)}))`,
  'array',
)

/** The result is the empty text unless all items are whole numbers from 0 to 255. */
const encodeFromArray = special('bytes:json', ({ arguments: [list] }) => {
  const items = itemsOf((list as Value).as('json'))
  const isByte = "match(i, '^[0-9]{1,3}$') AND toUInt16OrZero(i) <= 255"
  const encoded = `base64Encode(arrayStringConcat(arrayMap(i -> char(toUInt8OrZero(i)), ${items})))`
  return typed('string', `if(arrayAll(i -> ${isByte}, ${items}), ${encoded}, '')`)
})

/** The bytes of one character of UTF-8 are one number; its bits without those that mark the bytes are the code point. */
const codePoint = (char: string) => {
  const six = (at: number) => `bitAnd(reinterpretAsUInt8(substring(${char}, ${at}, 1)), 63)`
  const first = `reinterpretAsUInt8(${char})`
  return `multiIf(length(${char}) = 1, ${first}, length(${char}) = 2, bitAnd(${first}, 31) * 64 + ${six(2)}, length(${char}) = 3, bitAnd(${first}, 15) * 4096 + ${six(2)} * 64 + ${six(3)}, bitAnd(${first}, 7) * 262144 + ${six(2)} * 4096 + ${six(3)} * 64 + ${six(4)})`
}

const CHARACTERS = '(?s).'
const toCodePoints = direct(
  'source:text',
  'dynamic',
  (text) =>
    `if(isNull(${text}), NULL, toJSONString(arrayMap(c -> toUInt32(${codePoint('c')}), extractAll(toValidUTF8(ifNull(${text}, '')), '${CHARACTERS}'))))`,
  'array',
)

/** What is no code point becomes the replacement character, as where bytes are no UTF-8. */
const fromCodePoints = direct('codepoints:json', 'string', (list) => {
  const tail = (shift: number) => `128 + intDiv(n, ${64 ** shift}) % 64`
  const encoded = `multiIf(n < 0 OR n > 1114111, char(239, 191, 189), n < 128, char(n), n < 2048, char(192 + intDiv(n, 64), ${tail(0)}), n < 65536, char(224 + intDiv(n, 4096), ${tail(1)}, ${tail(0)}), char(240 + intDiv(n, 262144), ${tail(2)}, ${tail(1)}, ${tail(0)}))`
  const points = `arrayMap(i -> ifNull(JSONExtract(i, 'Nullable(Int64)'), -1), ${itemsOf(list as string)})`
  return `if(startsWith(${list}, '['), toValidUTF8(arrayStringConcat(arrayMap(n -> ${encoded}, ${points}))), NULL)`
})

/** Escape sequences of ECMA-48: with parameters, operating system commands, and those of one or two characters. */
const ANSI_ESCAPES = '\\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|[ -/]*[0-~])'

/** 1,024 or 1,000: what the next larger unit has. */
function stepOf(invocation: Invocation, at: number): '1024' | '1000' {
  const node = invocation.call.arguments[at]
  const base = node ? invocation.context.number(node, `the base of ${invocation.call.name}()`) : 2
  if (node && base !== 2 && base !== 10) throw mismatch(`the base of ${invocation.call.name}() is 2 or 10`, node.span)
  return base === 2 ? '1024' : '1000'
}

/** Numbers of so many digits, with blanks and hyphens between them, whose last digit makes the weighted sum of all a multiple of ten. */
const checked = (lengths: string) =>
  direct('number:text', 'boolean', (text) => {
    const digits = `replaceRegexpAll(ifNull(${text}, ''), '[ -]', '')`
    const backwards = `arrayMap(c -> toInt64OrZero(c), extractAll(reverse(${digits}), '.'))`
    const sum = `arraySum((d, i) -> if(i % 2 = 1, d, 2 * d - if(d > 4, 9, 0)), ${backwards}, arrayEnumerate(${backwards}))`
    return `(match(${digits}, '^[0-9]{${lengths}}$') AND ${sum} % 10 = 0)`
  })

const PREFIXES = ['', 'k', 'm', 'g', 't', 'p', 'e', 'z', 'y']
const SIZE = '(?i)^\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(?:bytes?|([kmgtpe]?)(i?)b?)\\s*$'

/** A size with its unit as a number of bytes; `KiB` is 1,024 whatever the base. 0 for any other text. */
const parseBytes = special('source:text base:integer?', (invocation) => {
  const { binder } = invocation.context
  const groups = `extractGroups(ifNull(${invocation.argument(0).as('text')}, ''), ${binder.text(SIZE)})`
  const power = `toUInt8(indexOf(${binder.texts(PREFIXES.slice(0, 7))}, lower(g[2])) - 1)`
  const step = `if(g[3] = '', ${stepOf(invocation, 1)}, 1024)`
  const bytes = `if(empty(g), 0, ifNull(accurateCastOrNull(trunc(toFloat64OrZero(g[1]) * pow(${step}, ${power})), 'Int64'), 0))`
  return typed('integer', `arrayMap(g -> ${bytes}, [${groups}])[1]`)
})

const UNITS_OF_STEP = { 1024: ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'], 1000: ['Bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] }

/** A number of bytes in a unit: the one that is asked for, or the largest that it reaches. */
const formatBytes = special('bytes:number precision:integer? unit:text? base:integer?', (invocation) => {
  const { binder } = invocation.context
  const [number, digits] = invocation.arguments as [Value, Value | undefined]
  const step = stepOf(invocation, 3)
  const units = UNITS_OF_STEP[step]
  const x = `toFloat64(${number.as('number')})`
  const unit = invocation.call.arguments[2] ? constantText(invocation, 2) : ''
  const size = `abs(ifNull(${x}, 0))`
  const reached = step === '1024' ? `log2(${size} + 0.5) / 10` : `log10(${size} + 0.0005) / 3`
  const power = unit === '' ? `least(if(${size} < 1, 0, toInt64(floor(${reached}))), 6)` : String(powerOf(unit, invocation))
  const scaled = `${x} / pow(${step}, ${power})`
  const shown = unit === '' ? `${binder.texts(units)}[${power} + 1]` : binder.text(unit)
  return typed('string', `concat(${decimals(scaled, digits)}, ' ', ${shown})`)
})

/** So many decimals; the engine fills them up only where it knows beforehand how many. */
function decimals(x: string, digits: Value | undefined): string {
  const places = digits === undefined ? '0' : `toUInt8(greatest(least(ifNull(${digits.as('integer')}, 0), 10), 0))`
  return digits && !digits.literal ? `toString(round(${x}, ${places}))` : `toDecimalString(round(${x}, ${places}), ${places})`
}

/** @throws CompileError for a text that is no unit */
function powerOf(unit: string, { call }: Invocation): number {
  const power = /^b(?:ytes?)?$/i.test(unit)
    ? 0
    : /^[kmgtpezy]i?b$/i.test(unit)
      ? PREFIXES.indexOf((unit[0] as string).toLowerCase())
      : -1
  if (power >= 0) return power
  throw mismatch(
    `"${unit.slice(0, 40)}" is not a unit of bytes`,
    call.arguments[2]?.span ?? call.span,
    "write 'KB', 'MiB' or 'Bytes'",
  )
}

export const ENCODING_FUNCTIONS: FunctionTable = {
  base64_decode_toarray: decodeToArray.shows("base64_decode_toarray('YWI=')", [97, 98]),
  base64_encode_fromarray: encodeFromArray.shows('base64_encode_fromarray(dynamic([97, 98]))', 'YWI='),
  unicode_codepoints_from_string: toCodePoints.shows("unicode_codepoints_from_string('aé')", [97, 233]),
  unicode_codepoints_to_string: fromCodePoints.shows('unicode_codepoints_to_string(dynamic([97, 233]))', 'aé'),
  // The engine escapes slashes, which need none.
  quote: direct('source:text', 'string', (text) => `replaceAll(toJSONString(${text}), '\\\\/', '/')`).shows(
    'quote(\'say "hi"\')',
    '"say \\"hi\\""',
  ),
  strip_ansi_escapes: special('source:text', ({ arguments: [text], context }) =>
    typed('string', `replaceRegexpAll(${text?.as('text')}, ${context.binder.text(ANSI_ESCAPES)}, '')`),
  ).shows("strip_ansi_escapes('\\u001b[31mred\\u001b[0m')", 'red'),
  iscc: checked('13,19').shows("iscc('4111 1111 1111 1111')", true),
  isimei: checked('15').shows("isimei('490154203237518')", true),
  parse_bytes: parseBytes.shows("parse_bytes('1.5 KB')", 1536),
  format_bytes: formatBytes.shows('format_bytes(1536, 1)', '1.5 KB'),
}
