/**
 * Conversions between types, questions about types, and choices.
 * Deliberately not here: JSON; see `json.ts`.
 */
import { CompileError, mismatch } from '../error.ts'
import { isKind, isMixed, partsOf } from '../sql/mixed.ts'
import { boolean, json, type Kind, NULL, typed, type Value } from '../sql/value.ts'
import { parseTimespan } from '../text/literal.ts'
import type { Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { COLUMN_TYPES } from '../tree/typed-names.ts'
import { calculate } from '../values/arithmetic.ts'
import { asKind, choose, commonKind, isNull } from '../values/comparison.ts'
import { unitNsOf } from '../values/units.ts'
import { type FunctionTable, type Invocation, named, special } from './definition.ts'

const NULL_OF: Partial<Record<Kind, string>> = { integer: 'Int64', real: 'Float64', string: 'String' }

/** Reads a value as a kind; a literal stays one where nothing changes. */
const to = (kind: Kind, view: 'integer' | 'number') =>
  special('value:any', ({ arguments: [value] }) => {
    const from = value as Value
    if (from.kind === kind && !from.parts) return from
    if (from.kind === 'null') return typed(kind, `CAST(NULL, 'Nullable(${NULL_OF[kind]})')`)
    const sql = from.as(view)
    return typed(kind, view === 'number' ? `toFloat64(${sql})` : sql)
  })

/** What is missing stays missing; a text that spells neither is false. */
const toBool = special('value:any', ({ arguments: [value] }) => {
  const from = value as Value
  if (from.kind === 'boolean') return from
  if (from.kind === 'null') return typed('boolean', "CAST(NULL, 'Nullable(Bool)')")
  return typed('boolean', `if(isNull(${from.as('text')}), NULL, ifNull(${from.as('filter')}, false))`)
})

/** What is missing is the empty text. */
const toText = special('value:any', ({ arguments: [value] }) => {
  const from = value as Value
  if (from.kind === 'string' && from.literal) return from
  return typed('string', `ifNull(${from.as('text')}, '')`, { nullable: false })
})

/** Whether it is of a kind, row by row. */
export const isOf = (kind: Kind) => special('value:any', ({ arguments: [value] }) => boolean(isKind(value as Value, kind)))

/** The type in `typeof(type)` as an argument. */
export function readType(node: Expression, of: string): string {
  const [type] = node.kind === 'call' && node.name === 'typeof' && node.arguments.length === 1 ? node.arguments : []
  if (type?.kind === 'name' && COLUMN_TYPES.includes(type.name)) return type.name
  throw mismatch(`${of}() takes typeof(type) here`, node.span, `types are ${COLUMN_TYPES.join(', ')}`)
}

const toTimespan = special('value:any', ({ arguments: [value], context, call }) => {
  const from = value as Value
  if (from.literal?.type === 'string') {
    const timespan = parseTimespan(from.literal.value)
    if (!timespan) throw mismatch(`"${from.literal.value.slice(0, 40)}" is not a timespan`, call.span)
    return context.literal(timespan)
  }
  if (from.literal?.type === 'timespan') return from
  // Of a number whose name tells its unit.
  const ns = unitNsOf(from)
  if (ns !== undefined && (from.kind === 'integer' || from.kind === 'real'))
    return calculate({ operator: '*', left: from, right: context.literal({ type: 'timespan', ns }), context, span: call.span })
  return typed('timespan', from.as('span'))
})

/** `iff` and `case`: conditions and values in turn, and the value otherwise. */
function chooseByConditions({ arguments: values }: Pick<Invocation, 'arguments'>): Value {
  const pairs = values.slice(0, -1)
  const conditions = pairs.filter((_, at) => at % 2 === 0).map((value) => value.as('filter'))
  const results = [...pairs.filter((_, at) => at % 2 === 1), values.at(-1) as Value]
  if (commonKind(results) === 'null') return NULL
  return choose(results, (sqls) => `multiIf(${interleaved(conditions, sqls)})`)
}

/** A condition before each but the last. */
const interleaved = (conditions: readonly string[], sqls: readonly string[]) =>
  sqls.flatMap((sql, at) => [...conditions.slice(at, at + 1), sql]).join(', ')

const iff = special('condition:truth value:any otherwise:any', chooseByConditions)

const NAMES: Record<Kind, string> = {
  ...{ integer: 'int', real: 'real', string: 'string', boolean: 'bool', datetime: 'datetime', timespan: 'timespan' },
  ...{ dynamic: 'dynamic', null: 'null' },
}

const gettype = special('value:any', ({ arguments: [given] }) => {
  const value = given?.kind === 'dynamic' && given.literal ? json(given.as('json')) : (given as Value)
  const parts = partsOf(value).filter(({ kind }) => kind !== 'null')
  const known = parts.flatMap(({ kind, as }) => (kind === 'dynamic' ? [] : `isNotNull(${as('plain')}), '${NAMES[kind]}'`))
  const begins = (sign: string, name: string) => `startsWith(ifNull(${value.as('json')}, ''), '${sign}'), '${name}'`
  const rest = known.length === parts.length ? [] : [begins('[', 'array'), begins('{', 'dictionary')]
  const names = [...known, ...rest, "'null'"].join(', ')
  return typed('string', parts.length === 0 ? names : `multiIf(${names})`, { nullable: false })
})

/** `ensure_field(name, typeof(type))`: the field, or NULL where the dataset has none of that name. */
const ensureField = special(
  'field:text type:any',
  (invocation) => fieldNamed(invocation) ?? typed('string', "CAST(NULL, 'Nullable(String)')"),
)

const columnIfExists = special('field:text otherwise:any', (invocation) => fieldNamed(invocation) ?? invocation.argument(1))

/** The field whose name is the first argument, as a text, a `let` of one or as it is; `undefined` where the dataset has none of that name. */
function fieldNamed({ call, scope, context }: Invocation): Value | undefined {
  const node = call.arguments[0]
  const name = node?.kind === 'literal' && node.value.type === 'string' ? node.value.value : node && dottedName(node)
  if (name === undefined) throw mismatch(`${call.name}() takes the name of a field`, call.span)
  const held = node?.kind === 'name' ? context.lets.get(name)?.literal : undefined
  return scope.find(name) ?? (held?.type === 'string' ? scope.find(held.value) : undefined)
}

/** What `coalesce` passes over, beside NULL. */
const EMPTY: Partial<Record<Kind, readonly string[]>> = { string: ["''"], dynamic: ["'null'", `'""'`] }

const coalesce = special('value:any alternative:any*', ({ arguments: values }) => {
  if (commonKind(values) === 'null') return NULL
  const isThere = values.slice(0, -1).map((value) => {
    const kind = isMixed(value) ? 'dynamic' : value.kind
    return `isNotNull(${(EMPTY[kind] ?? []).reduce((inner, empty) => `nullIf(${inner}, ${empty})`, asKind(value, kind))})`
  })
  // Where all are empty the last one is the answer: an empty text stays one.
  return choose(values, (sqls) => `multiIf(${interleaved(isThere, sqls)})`)
})

export const CONVERSION_FUNCTIONS: FunctionTable = {
  tostring: toText.shows('tostring(200)', '200'),
  ...named(['toint', 'tolong', 'int', 'long'], to('integer', 'integer'), "('42')", 42),
  ...named(['toreal', 'todouble', 'real', 'double', 'decimal'], to('real', 'number'), "('1.5')", 1.5),
  ...named(['tobool', 'bool'], toBool, "('true')", true),
  ...named(['totimespan', 'timespan', 'time'], toTimespan, "('1h') / 1m", 60),
  ...named(['iff', 'iif'], iff, "(503 >= 500, 'error', 'fine')", 'error'),
  case: special('condition:truth value:any* otherwise:any', (invocation) => {
    const values = invocation.arguments
    if (values.length % 2 === 1) return chooseByConditions(invocation)
    // Without a value for otherwise it is missing, where the last pair is one.
    if (values.at(-2)?.kind === 'boolean') return chooseByConditions({ arguments: [...values, NULL] })
    throw mismatch(
      'case() takes pairs of a condition and a value, and a last value for otherwise',
      invocation.call.span,
      "for example case(404 >= 500, 'server', 404 >= 400, 'client', 'fine')",
    )
  }).shows("case(404 >= 500, 'server', 404 >= 400, 'client', 'fine')", 'client'),
  coalesce: coalesce.shows("coalesce('', 'unknown')", 'unknown'),
  not: special('condition:truth', ({ arguments: [value] }) => boolean(`(NOT ${(value as Value).as('truth')})`)).shows(
    'not(1 > 2)',
    true,
  ),
  isnull: special('value:any', ({ arguments: [value] }) => isNull(value as Value)).shows('isnull(null)', true),
  isnotnull: special('value:any', ({ arguments: [value] }) => boolean(`(NOT ${isNull(value as Value).as('truth')})`)).shows(
    "isnotnull('x')",
    true,
  ),
  isbool: isOf('boolean').shows('isbool(true)', true),
  isstring: isOf('string').shows("isstring('x')", true),
  gettype: gettype.shows("gettype('x')", 'string'),
  typeof: special('type:any', ({ call }) => {
    throw new CompileError(
      'unsupported',
      'typeof() can only be an argument of ensure_field() and mv-expand',
      call.span,
      'gettype() tells the type of a value',
    )
  }).shows("ensure_field('missing', typeof(string))", null),
  ensure_field: ensureField.shows("ensure_field('missing', typeof(string))", null),
  column_ifexists: columnIfExists.shows("column_ifexists('missing', 'none')", 'none'),
}
