/**
 * Functions over series: arrays of numbers, such as `make-series` makes. An item that is no number is missing, and so is what is
 * computed from it. Of two series the shorter one sets the length; a number beside a series stands for as many of it.
 * Items are zipped, never looked up: an array that a lambda reads by position is copied once for each item.
 * Deliberately not here: functions on arrays of anything; see `array.ts` and `json.ts`.
 */
import { json, typed, type Value } from '../sql/value.ts'
import { type FunctionDefinition, type FunctionTable, special } from './definition.ts'

/** The numbers of a JSON array, NULL for what is none. */
const numbersOf = (sql: string) => `arrayMap(i -> JSONExtract(i, 'Nullable(Float64)'), JSONExtractArrayRaw(ifNull(${sql}, '')))`
/** The same as plain floats: NaN stands for what is missing, and is written as null. */
const floatsOf = (sql: string) => `arrayMap(x -> ifNull(x, nan), ${numbersOf(sql)})`
const jsonOf = (array: string) => `toJSONString(${array})`
const isArray = (sql: string) => `startsWith(${sql}, '[')`
/** Names the SQL of values, so that each is written (and computed) once. */
export const naming = (values: Readonly<Record<string, string>>, body: string) =>
  `arrayMap((${Object.keys(values).join(', ')}) -> ${body}, ${Object.values(values)
    .map((value) => `[${value}]`)
    .join(', ')})[1]`

const ofArray = (a: string, sql: string, type = 'array') => json(`if(${isArray(a)}, ${sql}, NULL)`, type)

/** A series from one series. */
function fromSeries(sql: (a: string) => string): FunctionDefinition {
  return special('series:json', ({ arguments: [series] }) => {
    const a = (series as Value).as('json')
    return ofArray(a, jsonOf(sql(a)))
  })
}

/** Each number by itself. */
const each = (sql: string) => fromSeries((a) => `arrayMap(x -> ${sql}, ${numbersOf(a)})`)

/** The items of a second argument: a series, or a number as often as the first has items. */
function partner(second: Value, first: string): string {
  const repeated = `arrayWithConstant(JSONLength(ifNull(${first}, '')), toFloat64(${second.as('number')}))`
  if (second.kind !== 'dynamic') return repeated
  const sql = second.as('json')
  return `if(${isArray(`ifNull(${sql}, '')`)}, ${numbersOf(sql)}, ${repeated})`
}

const shorter = '1, least(length(a), length(b))'

/** Two series item by item. */
const paired = (sql: string) =>
  special('series1:json series2:any', ({ arguments: [first, second] }) => {
    const a = (first as Value).as('json')
    const body = jsonOf(`arrayMap((x, y) -> ${sql}, arraySlice(a, ${shorter}), arraySlice(b, ${shorter}))`)
    return ofArray(a, naming({ a: numbersOf(a), b: partner(second as Value, a) }, body))
  })

const compared = (operator: string) => paired(`CAST(x ${operator} y, 'Nullable(Bool)')`)
/** The engine passes over what is missing. */
const extreme = (name: string) => paired(`if(isNull(x) OR isNull(y), NULL, ${name}(x, y))`)

/** A number from two series, of the places where both have one. */
const fromPairs = (sql: (x: string, y: string) => string) =>
  special('series1:json series2:json', ({ arguments: [first, second] }) => {
    const [a, b] = [(first as Value).as('json'), (second as Value).as('json')]
    const zipped = `arrayFilter(p -> isNotNull(p.1) AND isNotNull(p.2), arrayZip(arraySlice(a, ${shorter}), arraySlice(b, ${shorter})))`
    const both = naming({ a: numbersOf(a), b: numbersOf(b) }, zipped)
    const side = (at: number) => `arrayMap(p -> assumeNotNull(p.${at}), pairs)`
    const found = naming({ pairs: both }, sql(side(1), side(2)))
    return typed('real', `if(${isArray(a)} AND ${isArray(b)}, ${finite(found)}, NULL)`)
  })
const finite = (sql: string) => `if(isFinite(${sql}), ${sql}, NULL)`

const squares = (array: string) => `arraySum(x -> x * x, ${array})`

/** A number from the numbers that a series has. */
const fromNumbers = (sql: (numbers: string) => string) =>
  special('series:json', ({ arguments: [series] }) => {
    const a = (series as Value).as('json')
    const there = `arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), ${numbersOf(a)}))`
    return typed('real', `if(${isArray(a)}, toFloat64(${sql(there)}), NULL)`)
  })

/** What is missing takes the value before it; at the beginning, as there is none, the one behind it. */
const forward = (array: string) => `arrayReverseFill(x -> isNotNull(x), arrayFill(x -> isNotNull(x), ${array}))`
const backward = (array: string) => `arrayFill(x -> isNotNull(x), arrayReverseFill(x -> isNotNull(x), ${array}))`

/** On the line between the neighbors that are known; beyond the ends the nearest. */
function linear(a: string): string {
  const known = 'arrayMap((x, i) -> if(isNull(x), 0, i), a, arrayEnumerate(a))'
  const [before, behind] = [`arrayFill(i -> i != 0, ${known})`, `arrayReverseFill(i -> i != 0, ${known})`]
  const [left, right] = ['arrayFill(x -> isNotNull(x), a)', 'arrayReverseFill(x -> isNotNull(x), a)']
  const between = 'l + (r - l) * (toInt64(i) - toInt64(p)) / (toInt64(n) - toInt64(p))'
  const value = `multiIf(isNull(l), r, isNull(r), l, p = n, l, ${between})`
  return naming(
    { a: numbersOf(a) },
    `arrayMap((i, p, n, l, r) -> ${value}, arrayEnumerate(a), ${before}, ${behind}, ${left}, ${right})`,
  )
}

/** Statistics in the documented order; positions count from 0, variance and deviation are those of a sample. */
const STATISTICS: readonly (readonly [name: string, sql: string])[] = [
  ['min', 'arrayMin(n)'],
  ['min_idx', 'toFloat64(indexOf(a, arrayMin(n))) - 1'],
  ['max', 'arrayMax(n)'],
  ['max_idx', 'toFloat64(indexOf(a, arrayMax(n))) - 1'],
  ['avg', 'arrayAvg(n)'],
  ['variance', "arrayReduce('varSampStable', n)"],
  ['stdev', "arrayReduce('stddevSampStable', n)"],
]

const statistics = (shown: (values: readonly (readonly [string, string])[]) => string, type: string) =>
  special('series:json', ({ arguments: [series] }) => {
    const a = (series as Value).as('json')
    const values = STATISTICS.map(([name, sql]) => [name, `if(empty(n), nan, ${sql})`] as const)
    const inner = naming({ n: 'arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), a))' }, jsonOf(shown(values)))
    return ofArray(a, naming({ a: numbersOf(a) }, inner), type)
  })

/** The series weighted with the coefficients: each item with those before it. Before the first there is 0. */
const filtered = (series: string, coefficients: string) =>
  `arrayReduce('sumForEach', arrayMap((k, j) -> arrayMap(x -> k * x, arraySlice(arrayConcat(arrayWithConstant(j - 1, toFloat64(0)), ${series}), 1, length(${series}))), ${coefficients}, arrayEnumerate(${coefficients})))`

const fir = special('series:json kernel:json', ({ arguments: [series, kernel] }) => {
  const [a, k] = [(series as Value).as('json'), (kernel as Value).as('json')]
  const named = naming({ a: floatsOf(a), k: floatsOf(k) }, jsonOf(filtered('a', 'k')))
  return json(`if(${isArray(a)} AND ${isArray(k)}, ${named}, NULL)`, 'array')
})

/** a₀·yᵢ = Σ bⱼ·xᵢ₋ⱼ − Σ aⱼ·yᵢ₋ⱼ: what was computed so far is kept newest first. */
const iir = special('series:json numerator:json denominator:json', ({ arguments: [series, numerator, denominator] }) => {
  const [x, b, a] = [series, numerator, denominator].map((value) => (value as Value).as('json')) as [string, string, string]
  const back = 'arrayResize(arraySlice(d, 2), length(y), toFloat64(0))'
  const next = `(f - arraySum((p, q) -> p * q, ${back}, y)) / d[1]`
  const folded = `reverse(arrayFold((y, f) -> arrayPushFront(y, ${next}), f, CAST([], 'Array(Float64)')))`
  const weighted = naming({ a: floatsOf(x), k: floatsOf(b) }, filtered('a', 'k'))
  const named = naming({ d: floatsOf(a), f: weighted }, jsonOf(folded))
  return json(`if(${isArray(x)} AND ${isArray(b)} AND ${isArray(a)}, ${named}, NULL)`, 'array')
})

/** The discrete Fourier transform, exact for any length, and its inverse: an array of the real and of the imaginary parts. */
const fourier = (sign: '+' | '-', divisor: string) =>
  special('real:json imaginary:json?', ({ arguments: [real, imaginary] }) => {
    const a = (real as Value).as('json')
    const angle = '2 * pi() * (((t - 1) * k) % n) / n'
    const sum = (term: string) =>
      `arrayReduce('sumForEach', arrayMap((x, y, t) -> arrayMap(k -> (${term}) / ${divisor}, range(n)), a, b, arrayEnumerate(a)))`
    const parts = [
      sum(`x * cos(${angle}) ${sign === '+' ? '-' : '+'} y * sin(${angle})`),
      sum(`y * cos(${angle}) ${sign} x * sin(${angle})`),
    ]
    const size = `JSONLength(ifNull(${a}, ''))`
    const b = `arrayResize(${imaginary ? floatsOf(imaginary.as('json')) : "CAST([], 'Array(Float64)')"}, ${size}, toFloat64(0))`
    return ofArray(a, naming({ a: floatsOf(a), b, n: size }, jsonOf(`[${parts.join(', ')}]`)))
  })

export const SERIES_FUNCTIONS: FunctionTable = {
  series_abs: each('abs(x)').shows('series_abs(dynamic([-1, 2]))', [1, 2]),
  series_acos: each('acos(x)').shows('series_acos(dynamic([1]))', [0]),
  series_asin: each('asin(x)').shows('series_asin(dynamic([0]))', [0]),
  series_atan: each('atan(x)').shows('series_atan(dynamic([0]))', [0]),
  series_ceiling: each('ceil(x)').shows('series_ceiling(dynamic([1.2, 2.8]))', [2, 3]),
  series_cos: each('cos(x)').shows('series_cos(dynamic([0]))', [1]),
  series_exp: each('exp(x)').shows('series_exp(dynamic([0]))', [1]),
  series_floor: each('floor(x)').shows('series_floor(dynamic([1.2, 2.8]))', [1, 2]),
  series_log: each('if(x > 0, log(x), NULL)').shows('series_log(dynamic([1]))', [0]),
  series_sign: each('sign(x)').shows('series_sign(dynamic([-3, 0, 3]))', [-1, 0, 1]),
  series_sin: each('sin(x)').shows('series_sin(dynamic([0]))', [0]),
  series_tan: each('tan(x)').shows('series_tan(dynamic([0]))', [0]),
  series_add: paired('x + y').shows('series_add(dynamic([1, 2]), dynamic([10, 20]))', [11, 22]),
  series_subtract: paired('x - y').shows('series_subtract(dynamic([10, 20]), dynamic([1, 2]))', [9, 18]),
  series_multiply: paired('x * y').shows('series_multiply(dynamic([1, 2]), 10)', [10, 20]),
  series_divide: paired('x / y').shows('series_divide(dynamic([10, 20]), dynamic([2, 5]))', [5, 4]),
  series_pow: paired('pow(x, y)').shows('series_pow(dynamic([1, 2, 3]), 2)', [1, 4, 9]),
  series_max: extreme('greatest').shows('series_max(dynamic([1, 5]), dynamic([3, 2]))', [3, 5]),
  series_min: extreme('least').shows('series_min(dynamic([1, 5]), dynamic([3, 2]))', [1, 2]),
  series_equals: compared('=').shows('series_equals(dynamic([1, 2]), dynamic([1, 3]))', [true, false]),
  series_not_equals: compared('!=').shows('series_not_equals(dynamic([1, 2]), dynamic([1, 3]))', [false, true]),
  series_greater: compared('>').shows('series_greater(dynamic([1, 5]), dynamic([3, 2]))', [false, true]),
  series_greater_equals: compared('>=').shows('series_greater_equals(dynamic([1, 5]), dynamic([1, 6]))', [true, false]),
  series_less: compared('<').shows('series_less(dynamic([1, 5]), dynamic([3, 2]))', [true, false]),
  series_less_equals: compared('<=').shows('series_less_equals(dynamic([1, 5]), dynamic([1, 4]))', [true, false]),
  series_sum: fromNumbers((n) => `arraySum(${n})`).shows('series_sum(dynamic([1, 2, 3]))', 6),
  series_magnitude: fromNumbers((n) => `sqrt(${squares(n)})`).shows('series_magnitude(dynamic([3, 4]))', 5),
  series_dot_product: fromPairs((x, y) => `toFloat64(arraySum((x, y) -> x * y, ${x}, ${y}))`).shows(
    'series_dot_product(dynamic([1, 2]), dynamic([3, 4]))',
    11,
  ),
  series_cosine_similarity: fromPairs(
    (x, y) => `arraySum((x, y) -> x * y, ${x}, ${y}) / sqrt(${squares(x)}) / sqrt(${squares(y)})`,
  ).shows('series_cosine_similarity(dynamic([1, 0]), dynamic([0, 1]))', 0),
  series_pearson_correlation: fromPairs((x, y) => `arrayReduce('corrStable', ${x}, ${y})`).shows(
    'series_pearson_correlation(dynamic([1, 2, 3]), dynamic([2, 4, 6]))',
    1,
  ),
  series_stats: statistics((values) => `[${values.map(([, sql]) => sql).join(', ')}]`, 'array').shows(
    'series_stats(dynamic([1, 2, 3]))',
    [1, 0, 3, 2, 2, 1, 1],
  ),
  series_stats_dynamic: statistics(
    (values) => `map(${values.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`,
    'map[string]',
  ).shows('series_stats_dynamic(dynamic([1, 2, 3])).max', 3),
  series_fill_const: special('series:json value:number', ({ arguments: [series, value] }) => {
    const a = (series as Value).as('json')
    const filled = jsonOf(`arrayMap(x -> ifNull(x, toFloat64(${value?.as('number')})), ${numbersOf(a)})`)
    return ofArray(a, filled)
  }).shows('series_fill_const(dynamic([1, null, 3]), 0)', [1, 0, 3]),
  series_fill_forward: fromSeries((a) => forward(numbersOf(a))).shows('series_fill_forward(dynamic([1, null, 3]))', [1, 1, 3]),
  series_fill_backward: fromSeries((a) => backward(numbersOf(a))).shows('series_fill_backward(dynamic([1, null, 3]))', [1, 3, 3]),
  series_fill_linear: fromSeries(linear).shows('series_fill_linear(dynamic([1, null, 3]))', [1, 2, 3]),
  series_fir: fir.shows('series_fir(dynamic([1, 2, 3]), dynamic([1, 1]))', [1, 3, 5]),
  series_iir: iir.shows('series_iir(dynamic([1, 1, 1]), dynamic([1]), dynamic([1, -1]))', [1, 2, 3]),
  series_fft: fourier('-', '1').shows('series_fft(dynamic([3]))', [[3], [0]]),
  series_ifft: fourier('+', 'n').shows('series_ifft(dynamic([2, 0]))', [
    [1, 1],
    [0, 0],
  ]),
}
