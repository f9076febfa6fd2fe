/**
 * Random data, and random programs over it: texts of the language whose types fit, with everything named.
 * Deliberately not here: what the programs mean.
 */
import fc from 'fast-check'
import { readGolden } from '../support/golden.ts'
import type { Row, Value } from './values.ts'

/** Short texts, dates and what is nearly one, texts of several words and signs, what is looked for in them, and how. */
const { words, dates, messages, signs, textOperators } =
  readGolden<Readonly<Record<'words' | 'dates' | 'messages' | 'signs' | 'textOperators', readonly string[]>>>('naive')

/** A day among the events; whoever has them at another time writes another. */
export const DAY = 'datetime(2026-01-05)'

/** Quarters, of which small sums and products are exact. */
const quarter = fc.integer({ min: -40, max: 40 }).map((n) => n / 4 + 0.125)
const small = fc.integer({ min: -9, max: 9 })
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 5 })

/** What people have in one field: whole numbers, and now and then something else. */
const any = fc.oneof(
  { weight: 3, arbitrary: small },
  fc.constantFrom('', 'Beta', 'alpha', '7', '7.5', '12', 'NaN', 'a-1', 'true', '2026-01-05'),
  fc.boolean(),
)

const LARGE = [9_007_199_254_740_992n, 9_007_199_254_740_993n, -9_007_199_254_740_993n, 1_234_567_890_123_456_789n, 7n]

interface Data {
  readonly id: number
  readonly i?: number
  readonly k?: number
  readonly r?: number
  readonly s?: string
  readonly b?: boolean
  readonly a?: readonly number[]
  /** Of any type in each event. */
  readonly p?: number | string | boolean
  readonly q?: number | string | boolean
  /** Whole numbers and decimals. */
  readonly f?: number
  /** A time as a text, or nearly one. */
  readonly t?: string
  /** A message. */
  readonly m?: string
  /** One of whole numbers that are equal as floats. */
  readonly g?: bigint
  /** The key `n` of `d`, and a key with a dot. */
  readonly d?: { readonly n?: number }
  readonly 'd.n'?: number
  readonly 'e.f'?: string
  readonly o?: { readonly 'x.y'?: number | string }
}

export interface RandomEvent {
  readonly minutes: number
  readonly data: Omit<Data, 'id'>
}

export const EVENTS: fc.Arbitrary<RandomEvent[]> = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 20_000 }),
    data: fc
      .record({
        i: maybe(small),
        k: maybe(fc.integer({ min: 0, max: 3 })),
        r: maybe(quarter),
        s: maybe(fc.constantFrom(...words)),
        b: maybe(fc.boolean()),
        a: maybe(fc.array(small, { maxLength: 4 })),
        p: maybe(any),
        q: maybe(any),
        f: maybe(fc.oneof(small, quarter)),
        t: maybe(fc.constantFrom(...dates)),
        m: maybe(fc.constantFrom(...messages)),
        g: maybe(fc.constantFrom(...LARGE)),
        d: maybe(fc.record({ n: small })),
        'd.n': maybe(small),
        'e.f': maybe(fc.constantFrom(...words)),
        o: maybe(fc.record({ 'x.y': any })),
      })
      .map((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Omit<Data, 'id'>),
  }),
  { minLength: 1, maxLength: 30 },
)

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
const literalText = fc.constantFrom(...words).map(quoted)
const filled = fc.constantFrom('a', 'A', 'l', 'two', 'b', '1', '.', '.b', 'a.', '-1', ' two', '-', ...signs).map(quoted)
const pattern = fc.constantFrom('^a', '[0-9]+', 'l.h', 'x.y', '\\\\d$', 'a|b', '(?:al)+').map((text) => `'${text}'`)
const grouped = fc.constantFrom('([a-z]+)', '(\\\\d+)', 'a(.)').map((text) => `'${text}'`)

type Kinds = { int: string; real: string; text: string; truth: string; time: string; list: string }
const join =
  (...parts: string[]) =>
  (values: readonly string[]) =>
    values.reduce((text, value, at) => text + value + parts[at + 1], parts[0] as string)
/** `f('(', a, ' + ', b, ')')`: texts and arbitraries in turn. */
function form(...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  const texts: string[] = ['']
  const holes: fc.Arbitrary<string>[] = []
  for (const part of parts) {
    if (typeof part === 'string') texts[texts.length - 1] += part
    else {
      holes.push(part)
      texts.push('')
    }
  }
  return fc.tuple(...holes).map((values) => join(...texts)(values as string[]))
}

const compared = fc.constantFrom(' == ', ' != ', ' < ', ' <= ', ' > ', ' >= ')
const arithmetic = fc.constantFrom(' + ', ' - ', ' * ', ' % ')
/** Without `%`: what is left of a float that is nearly a multiple depends on how it is calculated. */
const ofReals = fc.constantFrom(' + ', ' - ', ' * ', ' / ')
const textTest = fc.constantFrom(...textOperators).map((word) => ` ${word} `)
const mixed = fc.constantFrom('p', 'q', "o['x.y']", 'o.x.y')
/** A key with a dot in each of its spellings: of the first two, the one that is found is the key inside of a key where there is one. */
const dottedInt = fc.constantFrom('d.n', "['d.n']", "['d\\\\.n']")
const dottedText = fc.constantFrom('e.f', "['e.f']", "['e\\\\.f']")
const sign = fc.constantFrom(...signs).map(quoted)
const large = fc.oneof(
  fc.constant('g'),
  fc.constantFrom('g + 1', 'g - 1', 'g % 10', 'bin(g, 10)', 'g / 10', 'abs(g)', 'toint(tostring(g))').map((text) => `(${text})`),
  fc.constantFrom('9007199254740992', '9007199254740993', "'9007199254740993'", '(-9007199254740993)'),
)
const number = small.map((n) => (n < 0 ? `(${n})` : String(n)))
const size = fc.constantFrom('1', '2', '5')

const kinds = fc.letrec<Kinds>((tie) => {
  const [int, real, text, truth, time, list] = (['int', 'real', 'text', 'truth', 'time', 'list'] as const).map((kind) =>
    tie(kind),
  ) as [
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
  ]
  const choice = (kind: fc.Arbitrary<string>) => form('iff(', truth, ', ', kind, ', ', kind, ')')
  const depth = { depthSize: 'small', withCrossShrink: true } as const
  return {
    int: fc.oneof(
      depth,
      fc.constantFrom('i', 'k', 'id'),
      dottedInt,
      number,
      form('(', int, arithmetic, int, ')'),
      form('(toint(', int, ') / ', fc.oneof(number, form('strlen(', text, ')')), ')'),
      form('strlen(', text, ')'),
      form('indexof(', text, ', ', filled, ')'),
      form('countof(', filled, ', ', text, ')'),
      form('toint(', text, ')'),
      form('toint(', real, ')'),
      form('abs(', int, ')'),
      form('sign(', real, ')'),
      form('bin(', int, ', ', size, ')'),
      form('-(', int, ')'),
      form(fc.constantFrom('dayofweek', 'hourofday', 'dayofmonth', 'getyear'), '(', time, ')'),
      form('array_length(', list, ')'),
      form('array_index_of(', list, ', ', number, ')'),
      choice(int),
    ),
    real: fc.oneof(
      depth,
      fc.constant('r'),
      quarter.map((n) => `(${n})`),
      form('(', real, ofReals, real, ')'),
      form('(', int, ofReals, real, ')'),
      form('(', fc.constantFrom('id', 'd.n', 'p', 'f'), ' / ', int, ')'),
      form('(', int, ' / ', fc.constantFrom('id', 'd.n', 'q', 'f'), ')'),
      form('todouble(', int, ')'),
      form(fc.constantFrom('floor', 'round', 'abs'), '(', real, ')'),
      form('sqrt(abs(', real, '))'),
      form('array_sum(', list, ')'),
      choice(real),
    ),
    text: fc.oneof(
      depth,
      fc.constantFrom('s', 'm'),
      dottedText,
      literalText,
      form('strcat(', text, ', ', text, ')'),
      form(fc.constantFrom('tolower', 'toupper', 'reverse'), '(', text, ')'),
      form('substring(', text, ', ', number, ')'),
      form('substring(', text, ', ', number, ', ', size, ')'),
      form('replace_string(', filled, ', ', literalText, ', ', text, ')'),
      form('extract(', grouped, ', 1, ', text, ')'),
      form('tostring(', int, ')'),
      form('coalesce(', text, ', ', text, ')'),
      choice(text),
    ),
    truth: fc.oneof(
      depth,
      fc.constant('b'),
      form('(', int, compared, int, ')'),
      form('(', real, compared, int, ')'),
      form('(', fc.constant('s'), fc.constantFrom(' == ', ' != '), number, ')'),
      form('(s', fc.constantFrom(' == ', ' != ', ' < ', ' > '), '9007199254740992)'),
      form('(', fc.constant('s'), compared, literalText, ')'),
      form('(', mixed, compared, fc.constantFrom('p', 'q', 'i', 'r', 's', 'b'), ')'),
      form('(', fc.constantFrom('i', 'r', 's', 'b'), compared, mixed, ')'),
      form('(', mixed, compared, int, ')'),
      form('(', mixed, fc.constantFrom(' == ', ' != '), literalText, ')'),
      form('(', mixed, fc.constantFrom(' in ', ' !in '), '(', number, ', ', number, '))'),
      form('(', mixed, textTest, filled, ')'),
      form('(', mixed, ' in (', number, ', ', literalText, '))'),
      form('(', mixed, fc.constantFrom(' between ', ' !between '), '(', number, ' .. ', number, '))'),
      form('(f', compared, fc.oneof(mixed, int, real), ')'),
      form('(', large, compared, fc.oneof(large, fc.constantFrom('p', 'r', 's', 'id')), ')'),
      form('(m', textTest, sign, ')'),
      form('(m', fc.constantFrom(' has_any ', ' has_all ', ' !has_any '), '(', sign, ', ', filled, '))'),
      form('(', dottedInt, compared, dottedInt, ')'),
      form('(', dottedText, textTest, filled, ')'),
      form('(t', compared, time, ')'),
      form('(todatetime(t)', compared, time, ')'),
      form(fc.constantFrom('isnull', 'isnotnull'), '(todatetime(', fc.oneof(fc.constantFrom('t', 's'), dottedText), '))'),
      form(fc.constantFrom('isnull', 'isnotnull'), '(', mixed, ')'),
      form('(', time, compared, time, ')'),
      form('(', text, textTest, filled, ')'),
      form('(', text, ' matches regex ', pattern, ')'),
      form('(', int, fc.constantFrom(' in ', ' !in '), '(', number, ', ', number, '))'),
      form('(', text, fc.constantFrom(' in ', ' in~ ', ' !in '), '(', literalText, ', ', literalText, '))'),
      form('(', int, fc.constantFrom(' between ', ' !between '), '(', number, ' .. ', number, '))'),
      form('(', truth, fc.constantFrom(' and ', ' or '), truth, ')'),
      form('not(', truth, ')'),
      form(fc.constantFrom('isnull', 'isnotnull'), '(', fc.oneof(int, real, text), ')'),
      form(fc.constantFrom('isempty', 'isnotempty'), '(', text, ')'),
    ),
    time: fc.oneof(
      depth,
      fc.constantFrom('_time', DAY, 'todatetime(t)'),
      form('(', fc.oneof(time, fc.constant('t')), fc.constantFrom(' + ', ' - '), fc.constantFrom('1h', '90m', '2d'), ')'),
      form('bin(', time, ', ', fc.constantFrom('1h', '1d', '7d'), ')'),
      form('startofday(', time, ')'),
    ),
    list: fc.oneof(
      depth,
      fc.constant('a'),
      form('array_slice(', list, ', ', number, ', ', number, ')'),
      form('array_reverse(', list, ')'),
    ),
  }
})

/** An expression of any type. */
export const EXPRESSION: fc.Arbitrary<string> = fc.oneof(
  ...(['int', 'real', 'text', 'truth', 'time', 'list'] as const).map((kind) => kinds[kind]),
  form('(', mixed, arithmetic, fc.constantFrom('p', 'q', 'i', 'r', '3'), ')'),
  form('(', mixed, ' / ', fc.constantFrom('p', 'i', '3'), ')'),
  form('(f', ofReals, fc.constantFrom('i', 'f', 'p', '3'), ')'),
  form('(t - ', kinds.time, ')'),
  form('(', kinds.time, ' - t)'),
  form('((', kinds.time, ' - t) / 1h)'),
  large,
  form('coalesce(', mixed, ', ', fc.constantFrom('p', 'q', 's', 'f'), ')'),
  form('case(', kinds.truth, ', ', mixed, ', ', kinds.truth, ', f, ', fc.constantFrom('s', 'p', 'g'), ')'),
  form('iff(', kinds.truth, ', ', mixed, ', ', fc.constantFrom('p', 'i', 's', '2'), ')'),
  form(fc.constantFrom('toint', 'todouble', 'tostring'), '(', mixed, ')'),
)

const column = fc.oneof(
  form('i = ', kinds.int),
  form('k = ', kinds.int),
  form('r = ', kinds.real),
  form('s = ', kinds.text),
  form('b = ', kinds.truth),
)
const aggregate = fc.oneof(
  fc.constant('count()'),
  form('countif(', kinds.truth, ')'),
  form(fc.constantFrom('sum', 'avg', 'min', 'max'), '(', fc.oneof(fc.constantFrom('i', 'k', 'r', 'f'), dottedInt), ')'),
  form(fc.constantFrom('min', 'max', 'dcount'), '(', fc.oneof(fc.constantFrom('g', 's', 't', 'm', 'b'), dottedText), ')'),
  form(fc.constantFrom('sumif', 'avgif', 'minif', 'maxif'), '(', fc.constantFrom('i', 'r'), ', ', kinds.truth, ')'),
  form('dcount(', fc.constantFrom('i', 's', 'b', 'k', 'p'), ')'),
  form(fc.constantFrom('sum', 'avg', 'min', 'max', 'dcount'), '(', mixed, ')'),
  form(
    fc.constantFrom('arg_max', 'arg_min'),
    '(id, ',
    fc.oneof(fc.constantFrom('i', 'r', 's', 'p', 'b', 'g', 'f', 't'), dottedInt, dottedText, mixed),
    ')',
  ),
)
const groupKey = fc.oneof(
  fc.constantFrom('k', 's', 'b', 'p', 'f', 'g', 't'),
  form('h = ', fc.oneof(mixed, dottedInt, dottedText)),
  form('h = bin(_time, ', fc.constantFrom('1h', '1d'), ')'),
  form('h = ', kinds.int),
)
const direction = fc.constantFrom(' asc', ' desc')

const step = fc.oneof(
  { weight: 4, arbitrary: form('where ', kinds.truth) },
  { weight: 3, arbitrary: form('extend ', column) },
  form(
    'sort by ',
    fc.oneof(fc.constantFrom('i', 'r', 's', 'b', 'p', 'f', 'g', 't', 'm', '_time'), dottedInt, dottedText, mixed),
    direction,
    ', id',
    direction,
    ', k | limit ',
    fc.constantFrom('0', '3', '7'),
  ),
  form(
    'top ',
    fc.constantFrom('2', '5'),
    ' by ',
    fc.constantFrom('i', 'r', 's', 'q', 'f', 'g', 't'),
    direction,
    ', id',
    direction,
    ', k',
  ),
  form('where ', mixed, fc.constantFrom(' in ', ' !in '), '((other | project x = ', fc.constantFrom('i', 'p', 's', 'f'), '))'),
  fc.constantFrom('mv-expand v = a', 'mv-expand k = a to typeof(long)'),
  form(
    'join kind=',
    fc.constantFrom('inner', 'leftouter', 'leftsemi', 'leftanti', 'innerunique'),
    ' (other | summarize most = max(i) by k) on k',
  ),
  form(
    'join kind=',
    fc.constantFrom('inner', 'leftouter', 'leftsemi', 'leftanti'),
    ' (other | where id < 9 | summarize most = max(i) by ',
    fc.constantFrom('p', 'q', 's', 'g', 'f').map((key) => `${key}) on ${key}`),
  ),
)
/** What ends a program: its rows have no order. */
const last = fc.oneof(
  form('project id, v = ', EXPRESSION),
  form('summarize x = ', aggregate, ', y = ', aggregate, ' by ', groupKey),
  form('summarize x = ', aggregate, ', y = ', aggregate),
  form('distinct ', fc.constantFrom('k', 's', 'k, b', 'p', 'g, f')),
  form('summarize ', fc.constantFrom('arg_max', 'arg_min'), '(id, i, s, p, f, t, b) by k'),
  form('summarize arg_max(id, *) by k | project k, id, i, s, p, g, f, v = ', fc.oneof(dottedInt, dottedText, mixed)),
  form(
    'sort by id ',
    fc.constantFrom('asc', 'desc'),
    ' | summarize x = make_list(',
    fc.oneof(mixed, fc.constantFrom('s', 'g', 'i')),
    ') by k',
  ),
  form('count'),
)

export const PROGRAM: fc.Arbitrary<string> = fc
  .tuple(fc.array(step, { maxLength: 3 }), last)
  .map(([steps, end]) => ['data', ...steps, end].join('\n| '))

/** An event as a row of the evaluator: a dot inside of a key stands behind a backslash. */
export function rowOf({ minutes, data }: RandomEvent, id: number, startNs: bigint): Row {
  const row: Record<string, Value> = { _time: { timeNs: startNs + BigInt(minutes) * 60_000_000_000n }, id: BigInt(id) }
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) visit(inner, [path, key.replaceAll('.', '\\.')].filter(Boolean).join('.'))
    } else if (Array.isArray(value)) row[path] = value.map(BigInt)
    else row[path] = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : (value as Value)
  }
  visit(data, '')
  return row
}
