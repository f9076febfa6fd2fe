/**
 * Functions on numbers, and binning.
 * Deliberately not here: aggregation.
 */
import { autoBinNs, binSize, binValue } from '../bin.ts'
import { asKind, commonKind } from '../comparison.ts'
import { boolean, typed, type Value } from '../value.ts'
import { direct, type FunctionTable, special } from './definition.ts'

const real = (name: string) => direct('number', 'real', (x) => `${name}(toFloat64(${x}))`)

/** Of the same kind as its argument, where that is a number or a timespan. */
const keeping = (sql: (x: string) => string) =>
  special('number', ({ arguments: [value] }) => {
    const kind = value?.kind === 'integer' || value?.kind === 'timespan' ? value.kind : 'real'
    const x = value?.as('number') as string
    return typed(kind, kind === 'real' ? sql(`toFloat64(${x})`) : `toInt64(${sql(x)})`)
  })

const extreme = (name: 'least' | 'greatest') =>
  special('any any*', ({ arguments: values }) => {
    const kind = commonKind(values)
    const sql = (value: Value) => (kind === 'dynamic' ? `toFloat64(${value.as('number')})` : asKind(value, kind))
    return typed(kind === 'dynamic' ? 'real' : kind, `${name}(${values.map(sql).join(', ')})`)
  })

const bin = special('any any', ({ arguments: [value], call, context }) =>
  binValue(value as Value, binSize(call.arguments[1], context, call), context),
)

export const NUMBER_FUNCTIONS: FunctionTable = {
  abs: keeping((x) => `abs(${x})`),
  ceiling: keeping((x) => `ceil(${x})`),
  round: direct(
    'number integer?',
    'real',
    (x, digits) =>
      `round(toFloat64(${x}), ${digits === undefined ? '0' : `toInt64(greatest(least(ifNull(${digits}, 0), 15), -15))`})`,
  ),
  sign: direct('number', 'integer', (x) => `toInt64(sign(${x}))`),
  sqrt: real('sqrt'),
  exp: real('exp'),
  exp2: real('exp2'),
  exp10: real('exp10'),
  log: real('log'),
  log2: real('log2'),
  log10: real('log10'),
  sin: real('sin'),
  cos: real('cos'),
  tan: real('tan'),
  asin: real('asin'),
  acos: real('acos'),
  atan: real('atan'),
  atan2: direct('number number', 'real', (y, x) => `atan2(toFloat64(${y}), toFloat64(${x}))`),
  cot: direct('number', 'real', (x) => `1 / tan(toFloat64(${x}))`),
  degrees: real('degrees'),
  radians: real('radians'),
  gamma: real('tgamma'),
  loggamma: real('lgamma'),
  pow: direct('number number', 'real', (x, y) => `pow(toFloat64(${x}), toFloat64(${y}))`),
  pi: direct('', 'real', () => 'pi()'),
  rand: direct('', 'real', () => 'randCanonical()'),
  isfinite: direct('number', 'boolean', (x) => `isFinite(toFloat64(${x}))`),
  isinf: direct('number', 'boolean', (x) => `isInfinite(toFloat64(${x}))`),
  isnan: direct('number', 'boolean', (x) => `isNaN(toFloat64(${x}))`),
  isint: special('any', ({ arguments: [value] }) =>
    boolean(
      value?.kind === 'dynamic' ? `ifNull(match(${value.as('json')}, '^-?[0-9]+$'), false)` : String(value?.kind === 'integer'),
    ),
  ),
  isreal: special('any', ({ arguments: [value] }) =>
    boolean(
      value?.kind === 'dynamic' ? `ifNull(match(${value.as('json')}, '^-?[0-9]+[.eE]'), false)` : String(value?.kind === 'real'),
    ),
  ),
  min_of: extreme('least'),
  max_of: extreme('greatest'),
  bin,
  bin_auto: special('time', ({ arguments: [value], context }) =>
    binValue(value as Value, { type: 'timespan', ns: autoBinNs(context) }, context),
  ),
  floor: special('number any?', (invocation) =>
    invocation.call.arguments.length === 2 ? bin.compile(invocation) : keeping((x) => `floor(${x})`).compile(invocation),
  ),
}
