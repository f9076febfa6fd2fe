/**
 * Random data, and random programs over it: texts of the language whose types fit, with everything named.
 * Deliberately not here: what the programs mean.
 */
import fc from 'fast-check'

const WORDS = [
  '',
  'alpha',
  'Beta',
  'ALPHA two',
  'gamma-1',
  'ü',
  '12',
  '7.5',
  '-3',
  'a.b',
  'x\ny',
  '9007199254740993',
  'NaN',
  'inf',
  '1e400',
  '10:61',
  '2026-01-05',
  '/a/b.log',
]

/** Quarters, of which small sums and products are exact. */
const quarter = fc.integer({ min: -40, max: 40 }).map((n) => n / 4 + 0.125)
const small = fc.integer({ min: -9, max: 9 })
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 5 })

/** What people have in one field: whole numbers, and now and then something else. */
const any = fc.oneof(
  { weight: 3, arbitrary: small },
  fc.constantFrom('', 'Beta', 'alpha', '7', '7.5', '12', 'NaN', 'a-1'),
  fc.boolean(),
)

export interface Data {
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
}

export const EVENTS: fc.Arbitrary<{ minutes: number; data: Omit<Data, 'id'> }[]> = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 20_000 }),
    data: fc
      .record({
        i: maybe(small),
        k: maybe(fc.integer({ min: 0, max: 3 })),
        r: maybe(quarter),
        s: maybe(fc.constantFrom(...WORDS)),
        b: maybe(fc.boolean()),
        a: maybe(fc.array(small, { maxLength: 4 })),
        p: maybe(any),
        q: maybe(any),
      })
      .map((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))),
  }),
  { minLength: 1, maxLength: 30 },
)

const quoted = (text: string) => `'${text.replaceAll('\n', '\\n')}'`
const literalText = fc.constantFrom(...WORDS).map(quoted)
const filled = fc.constantFrom('a', 'A', 'l', 'two', 'b', '1', '.', '.b', 'a.', '-1', ' two', '-').map(quoted)
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
const arithmetic = fc.constantFrom(' + ', ' - ', ' * ', ' / ', ' % ')
/** Without `%`: what is left of a float that is nearly a multiple depends on how it is calculated. */
const ofReals = fc.constantFrom(' + ', ' - ', ' * ', ' / ')
const textTest = fc
  .constantFrom(
    'contains',
    'startswith',
    'endswith',
    'has',
    '!contains',
    '!startswith',
    'contains_cs',
    'startswith_cs',
    'endswith_cs',
  )
  .map((word) => ` ${word} `)
const mixed = fc.constantFrom('p', 'q')
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
      number,
      form('(', int, arithmetic, int, ')'),
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
      form('todouble(', int, ')'),
      form(fc.constantFrom('floor', 'round', 'abs'), '(', real, ')'),
      form('sqrt(abs(', real, '))'),
      form('array_sum(', list, ')'),
      choice(real),
    ),
    text: fc.oneof(
      depth,
      fc.constant('s'),
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
      fc.constantFrom('_time', 'datetime(2026-01-05)'),
      form('(', time, fc.constantFrom(' + ', ' - '), fc.constantFrom('1h', '90m', '2d'), ')'),
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
  form(fc.constantFrom('sum', 'avg', 'min', 'max'), '(', fc.constantFrom('i', 'k', 'r'), ')'),
  form(fc.constantFrom('sumif', 'avgif', 'minif', 'maxif'), '(', fc.constantFrom('i', 'r'), ', ', kinds.truth, ')'),
  form('dcount(', fc.constantFrom('i', 's', 'b', 'k', 'p'), ')'),
  form(fc.constantFrom('sum', 'min', 'max'), '(', mixed, ')'),
  form(fc.constantFrom('arg_max', 'arg_min'), '(id, ', fc.constantFrom('i', 'r', 's', 'p', 'b'), ')'),
)
const groupKey = fc.oneof(
  fc.constantFrom('k', 's', 'b', 'p'),
  form('g = bin(_time, ', fc.constantFrom('1h', '1d'), ')'),
  form('g = ', kinds.int),
)
const direction = fc.constantFrom(' asc', ' desc')

const step = fc.oneof(
  { weight: 4, arbitrary: form('where ', kinds.truth) },
  { weight: 3, arbitrary: form('extend ', column) },
  form(
    'sort by ',
    fc.constantFrom('i', 'r', 's', 'b', 'p', '_time'),
    direction,
    ', id',
    direction,
    ', k | limit ',
    fc.constantFrom('0', '3', '7'),
  ),
  form('top ', fc.constantFrom('2', '5'), ' by ', fc.constantFrom('i', 'r', 's'), direction, ', id', direction, ', k'),
  fc.constantFrom('mv-expand m = a', 'mv-expand k = a to typeof(long)'),
  form(
    'join kind=',
    fc.constantFrom('inner', 'leftouter', 'leftsemi', 'leftanti', 'innerunique'),
    ' (other | summarize most = max(i) by k) on k',
  ),
)
/** What ends a program: its rows have no order. */
const last = fc.oneof(
  form('project id, v = ', EXPRESSION),
  form('summarize x = ', aggregate, ', y = ', aggregate, ' by ', groupKey),
  form('summarize x = ', aggregate, ', y = ', aggregate),
  form('distinct ', fc.constantFrom('k', 's', 'k, b')),
  form('count'),
)

export const PROGRAM: fc.Arbitrary<string> = fc
  .tuple(fc.array(step, { maxLength: 3 }), last)
  .map(([steps, end]) => ['data', ...steps, end].join('\n| '))
