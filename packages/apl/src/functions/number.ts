/**
 * Functions on numbers, and binning.
 * Deliberately not here: aggregation.
 */

import { mismatch } from '../error.ts'
import { isMixed, mixed, overNumbers, partOf } from '../sql/mixed.ts'
import { boolean, type Kind, typed, type Value } from '../sql/value.ts'
import { autoBin, binSize, binValue } from '../values/bin.ts'
import { asKind, commonKind } from '../values/comparison.ts'
import { isOf } from './conversion.ts'
import { direct, type FunctionTable, special } from './definition.ts'

const real = (name: string) => direct('number:number', 'real', (x) => `${name}(toFloat64(${x}))`)

/** A test of a float, which may be infinite; false for what is missing. */
const ofFloat = (name: string) =>
  special('number:number', ({ arguments: [value] }) => boolean(`ifNull(${name}(${value?.as('ieee')}), false)`))

/** A function whose result is of the kind of its argument, if that is a number or a timespan. */
const keeping = (sql: (x: string) => string) =>
  special('number:number', ({ arguments: [value] }) => {
    const ofWhole = (x: string) => `toInt64(${sql(x)})`
    if (value?.kind === 'timespan') return typed('timespan', ofWhole(value.as('number')))
    return overNumbers(value as Value, ofWhole, sql)
  })

/** Compares values of several types: whole numbers exactly, other numbers as floats, and texts if all are texts. */
function extremeOfParts(name: 'least' | 'greatest', values: readonly Value[]): Value | undefined {
  if (!values.some(isMixed)) return undefined
  const all = (kind: Kind) => {
    const sqls = values.map((value) => partOf(value, kind)?.as('plain') ?? 'NULL')
    // What is missing is passed over.
    const isAll = `(${sqls.map((sql, at) => `(isNotNull(${sql}) OR isNull(${values[at]?.as('text')}))`).join(' AND ')})`
    return { isAll, sql: `if(${isAll}, ${name}(${sqls.join(', ')}), NULL)` }
  }
  const [whole, text] = [all('integer'), all('string')]
  const floats = values.map((value) => `toFloat64(${value.as('number')})`).join(', ')
  const real = `if(${whole.isAll} OR ${text.isAll}, NULL, ${name}(${floats}))`
  return mixed([typed('integer', whole.sql), typed('real', real), typed('string', text.sql)])
}

const extreme = (name: 'least' | 'greatest') =>
  special('value:any other:any*', ({ arguments: values }) => {
    const exact = extremeOfParts(name, values)
    if (exact) return exact
    const kind = commonKind(values)
    const sql = (value: Value) => (kind === 'dynamic' ? `toFloat64(${value.as('number')})` : asKind(value, kind))
    return typed(kind === 'dynamic' ? 'real' : kind, `${name}(${values.map(sql).join(', ')})`)
  })

const bin = special('value:any binSize:any', ({ arguments: [value], call, context }) => {
  const size = binSize(call.arguments[1], context, call)
  if (value?.kind === 'datetime' && size.type !== 'timespan')
    throw mismatch(
      `the size of ${call.name}() of a time must be a timespan`,
      call.arguments[1]?.span ?? call.span,
      `write ${size.value}s, ${size.value}m or ${size.value}h`,
    )
  return binValue(value as Value, size, context)
})

/** The largest float below a half: added instead of a half, it does not lift what is just below one. */
const NEARLY_HALF = '0.49999999999999994'

/** Half away from zero, as people round; the engine rounds half to even. Adding 0 leaves no negative zero. */
const halfUp = (x: string) => `(sign(${x}) * floor(abs(${x}) + ${NEARLY_HALF}) + 0)`

const round = special('number:number digits:integer?', ({ arguments: [number, digits] }) => {
  const x = `toFloat64(${number?.as('number')})`
  if (digits === undefined) return typed('real', halfUp(x))
  const places = `toInt64(greatest(least(ifNull(${digits.as('integer')}, 0), 15), -15))`
  const scale = `exp10(abs(${places}))`
  return typed('real', `if(${places} < 0, ${halfUp(`(${x} / ${scale})`)} * ${scale}, ${halfUp(`(${x} * ${scale})`)} / ${scale})`)
})

export const NUMBER_FUNCTIONS: FunctionTable = {
  abs: keeping((x) => `abs(${x})`).shows('abs(-5)', 5),
  ceiling: keeping((x) => `ceil(${x})`).shows('ceiling(1.2)', 2),
  round: round.shows('round(2.345, 2)', 2.35),
  sign: direct('number:number', 'integer', (x) => `toInt64(sign(${x}))`).shows('sign(-5)', -1),
  sqrt: real('sqrt').shows('sqrt(16)', 4),
  exp: real('exp').shows('exp(0)', 1),
  exp2: real('exp2').shows('exp2(3)', 8),
  exp10: real('exp10').shows('exp10(2)', 100),
  log: real('log').shows('log(1)', 0),
  log2: real('log2').shows('log2(8)', 3),
  log10: real('log10').shows('log10(1000)', 3),
  sin: real('sin').shows('sin(0)', 0),
  cos: real('cos').shows('cos(0)', 1),
  tan: real('tan').shows('tan(0)', 0),
  asin: real('asin').shows('asin(0)', 0),
  acos: real('acos').shows('acos(1)', 0),
  atan: real('atan').shows('atan(0)', 0),
  atan2: direct('y:number x:number', 'real', (y, x) => `atan2(toFloat64(${y}), toFloat64(${x}))`).shows('atan2(0, 1)', 0),
  cot: direct('number:number', 'real', (x) => `(1 / tan(toFloat64(${x})))`).shows('round(cot(1), 4)', 0.6421),
  degrees: real('degrees').shows('degrees(pi())', 180),
  radians: real('radians').shows('round(radians(90), 2)', 1.57),
  gamma: real('tgamma').shows('gamma(5)', 24),
  loggamma: real('lgamma').shows('loggamma(1)', 0),
  pow: direct('base:number exponent:number', 'real', (x, y) => `pow(toFloat64(${x}), toFloat64(${y}))`).shows('pow(2, 10)', 1024),
  pi: direct('', 'real', () => 'pi()').shows('round(2 * pi(), 2)', 6.28),
  rand: special('below:integer?', ({ arguments: [below] }) =>
    below
      ? typed('integer', `toInt64(floor(randCanonical() * greatest(${below.as('integer')}, 1)))`)
      : typed('real', 'randCanonical()'),
  ).shows('rand() < 1', true),
  isfinite: ofFloat('isFinite').shows('isfinite(1.5)', true),
  isinf: ofFloat('isInfinite').shows('isinf(1.0 / 0)', true),
  isnan: ofFloat('isNaN').shows('isnan(0.0 / 0)', true),
  isint: isOf('integer').shows('isint(5)', true),
  isreal: isOf('real').shows('isreal(5.5)', true),
  min_of: extreme('least').shows('min_of(3, 1, 2)', 1),
  max_of: extreme('greatest').shows('max_of(3, 1, 2)', 3),
  bin: bin.shows('bin(17, 5)', 15),
  bin_auto: special('time:time', ({ arguments: [value], context }) => autoBin(value as Value, context)).shows(
    'bin_auto(datetime(2026-01-01T12:34:56Z))',
    '2026-01-01T12:30:00Z',
  ),
  floor: special('number:number binSize:any?', (invocation) =>
    invocation.call.arguments.length === 2 ? bin.compile(invocation) : keeping((x) => `floor(${x})`).compile(invocation),
  ).shows('floor(1.8)', 1),
}
