/**
 * Functions on numbers, and binning.
 * Deliberately not here: aggregation.
 */
import { autoBinNs, binSize, binValue } from '../bin.ts'
import { asKind, commonKind } from '../comparison.ts'
import { CompileError } from '../error.ts'
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

const bin = special('any any', ({ arguments: [value], call, context }) => {
  const size = binSize(call.arguments[1], context, call)
  if (value?.kind === 'datetime' && size.type !== 'timespan')
    throw new CompileError(
      'type_mismatch',
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

const round = special('number integer?', ({ arguments: [number, digits] }) => {
  const x = `toFloat64(${number?.as('number')})`
  if (digits === undefined) return typed('real', halfUp(x))
  const places = `toInt64(greatest(least(ifNull(${digits.as('integer')}, 0), 15), -15))`
  const scale = `exp10(abs(${places}))`
  return typed('real', `if(${places} < 0, ${halfUp(`(${x} / ${scale})`)} * ${scale}, ${halfUp(`(${x} * ${scale})`)} / ${scale})`)
})

export const NUMBER_FUNCTIONS: FunctionTable = {
  abs: keeping((x) => `abs(${x})`),
  ceiling: keeping((x) => `ceil(${x})`),
  round,
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
  cot: direct('number', 'real', (x) => `(1 / tan(toFloat64(${x})))`),
  degrees: real('degrees'),
  radians: real('radians'),
  gamma: real('tgamma'),
  loggamma: real('lgamma'),
  pow: direct('number number', 'real', (x, y) => `pow(toFloat64(${x}), toFloat64(${y}))`),
  pi: direct('', 'real', () => 'pi()'),
  rand: special('integer?', ({ arguments: [below] }) =>
    below
      ? typed('integer', `toInt64(floor(randCanonical() * greatest(${below.as('integer')}, 1)))`)
      : typed('real', 'randCanonical()'),
  ),
  isfinite: special('number', ({ arguments: [value] }) => boolean(`ifNull(isFinite(${value?.as('ieee')}), false)`)),
  isinf: special('number', ({ arguments: [value] }) => boolean(`ifNull(isInfinite(${value?.as('ieee')}), false)`)),
  isnan: special('number', ({ arguments: [value] }) => boolean(`ifNull(isNaN(${value?.as('ieee')}), false)`)),
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
