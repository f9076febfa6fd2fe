/**
 * Conversions between types, questions about types, and choices.
 * Deliberately not here: JSON; see `json.ts`.
 */
import { CompileError } from '../error.ts'
import { chooseParts, isKind, partsOf } from '../sql/mixed.ts'
import { boolean, type Kind, NULL, typed, type Value } from '../sql/value.ts'
import { parseTimespan } from '../text/literal.ts'
import type { Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { COLUMN_TYPES } from '../tree/typed-names.ts'
import { calculate } from '../values/arithmetic.ts'
import { asKind, commonKind, isNull } from '../values/comparison.ts'
import { unitNsOf } from '../values/units.ts'
import { type FunctionTable, type Invocation, special } from './definition.ts'

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

/** The type that `typeof(type)` as an argument asks for. */
export function typeAsked(node: Expression, of: string): string {
  const [type] = node.kind === 'call' && node.name === 'typeof' && node.arguments.length === 1 ? node.arguments : []
  if (type?.kind === 'name' && COLUMN_TYPES.includes(type.name)) return type.name
  throw new CompileError('type_mismatch', `${of}() takes typeof(type) here`, node.span, `types are ${COLUMN_TYPES.join(', ')}`)
}

const toTimespan = special('value:any', ({ arguments: [value], context, call }) => {
  const from = value as Value
  if (from.literal?.type === 'string') {
    const timespan = parseTimespan(from.literal.value)
    if (!timespan) throw new CompileError('type_mismatch', `"${from.literal.value.slice(0, 40)}" is not a timespan`, call.span)
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
function choose({ arguments: values }: Pick<Invocation, 'arguments'>): Value {
  const otherwise = values.at(-1) as Value
  const results = values.filter((_, at) => at % 2 === 1 || at === values.length - 1)
  const kind = commonKind(results)
  if (kind === 'null') return NULL
  if (results.some(({ parts }) => parts)) {
    const conditions = values
      .slice(0, -1)
      .filter((_, at) => at % 2 === 0)
      .map((value) => value.as('filter'))
    return chooseParts(
      results,
      (sqls) => `multiIf(${sqls.flatMap((sql, at) => [...conditions.slice(at, at + 1), sql]).join(', ')})`,
    )
  }
  const branches = values.slice(0, -1).map((value, at) => (at % 2 === 0 ? value.as('filter') : asKind(value, kind)))
  const sql = `multiIf(${[...branches, asKind(otherwise, kind)].join(', ')})`
  return typed(kind, sql)
}

const iff = special('condition:truth value:any otherwise:any', choose)

const gettype = special('value:any', ({ arguments: [value], context }) => {
  const { kind, as } = value as Value
  const names: Record<Kind, string> = {
    integer: 'int',
    real: 'real',
    string: 'string',
    boolean: 'bool',
    datetime: 'datetime',
    timespan: 'timespan',
    dynamic: '',
    null: 'null',
  }
  if ((value as Value).parts) {
    const ofParts = partsOf(value as Value).filter((part) => part.kind !== 'dynamic')
    const known = ofParts.map((part) => `isNotNull(${part.as('plain')}), '${names[part.kind]}'`)
    const array = `startsWith(ifNull(${as('json')}, ''), '[')`
    const rest =
      ofParts.length === partsOf(value as Value).length
        ? `'null'`
        : `isNull(${as('text')}), 'null', ${array}, 'array', 'dictionary'`
    return typed('string', `multiIf(${known.join(', ')}, ${rest})`, { nullable: false })
  }
  if (kind !== 'dynamic')
    return kind === 'null'
      ? context.literal({ type: 'string', value: 'null' })
      : typed('string', `if(isNull(${as('plain')}), 'null', ${context.binder.text(names[kind])})`, { nullable: false })
  const json = `ifNull(${as('json')}, 'null')`
  return typed(
    'string',
    `multiIf(startsWith(${json}, '"'), 'string', startsWith(${json}, '['), 'array', startsWith(${json}, '{'), 'dictionary', ${json} IN ('true', 'false'), 'bool', ${json} = 'null', 'null', match(${json}, '^-?[0-9]+$'), 'int', 'real')`,
    { nullable: false },
  )
})

/** `ensure_field(name, typeof(type))`: the field, or NULL where the dataset has none of that name. */
const ensureField = special(
  'field:text type:any',
  (invocation) => fieldNamed(invocation) ?? typed('string', "CAST(NULL, 'Nullable(String)')"),
)

const columnIfExists = special('field:text otherwise:any', (invocation) => fieldNamed(invocation) ?? invocation.argument(1))

/** The field whose name is the first argument, as a text or as it is; `undefined` where the dataset has none of that name. */
function fieldNamed({ call, scope }: Invocation): Value | undefined {
  const node = call.arguments[0]
  const name = node?.kind === 'literal' && node.value.type === 'string' ? node.value.value : node && dottedName(node)
  if (name === undefined) throw new CompileError('type_mismatch', `${call.name}() takes the name of a field`, call.span)
  return scope.find(name)
}

/** What `coalesce` passes over, beside NULL. */
const EMPTY: Partial<Record<Kind, readonly string[]>> = { string: ["''"], dynamic: ["'null'", `'""'`] }

const coalesce = special('value:any alternative:any*', ({ arguments: values }) => {
  const kind = commonKind(values)
  if (kind === 'null') return NULL
  const passing = (sql: string) => (EMPTY[kind] ?? []).reduce((inner, empty) => `nullIf(${inner}, ${empty})`, sql)
  if (values.some(({ parts }) => parts)) {
    const isThere = values.slice(0, -1).map((value) => `isNotNull(${passing(asKind(value, 'dynamic'))})`)
    return chooseParts(values, (sqls) => `multiIf(${sqls.flatMap((sql, at) => [...isThere.slice(at, at + 1), sql]).join(', ')})`)
  }
  const there = values.filter((value) => value.kind !== 'null').map((value) => asKind(value, kind))
  // Where all are empty the last one is the answer: an empty text stays one.
  const last = kind === 'string' || kind === 'dynamic' ? there.slice(-1) : []
  const parts = [...there.map(passing), ...last.map((sql) => (kind === 'dynamic' ? `nullIf(${sql}, 'null')` : sql))]
  return typed(kind, `coalesce(${parts.join(', ')})`)
})

export const CONVERSION_FUNCTIONS: FunctionTable = {
  tostring: toText.shows('tostring(200)', '200'),
  toint: to('integer', 'integer').shows("toint('42')", 42),
  tolong: to('integer', 'integer').shows("tolong('42')", 42),
  int: to('integer', 'integer').shows("int('42')", 42),
  long: to('integer', 'integer').shows("long('42')", 42),
  toreal: to('real', 'number').shows("toreal('1.5')", 1.5),
  todouble: to('real', 'number').shows("todouble('1.5')", 1.5),
  real: to('real', 'number').shows("real('1.5')", 1.5),
  double: to('real', 'number').shows("double('1.5')", 1.5),
  tobool: toBool.shows("tobool('true')", true),
  bool: toBool.shows("bool('true')", true),
  totimespan: toTimespan.shows("totimespan('1h') / 1m", 60),
  timespan: toTimespan.shows("timespan('1h') / 1m", 60),
  time: toTimespan.shows("time('1h') / 1m", 60),
  decimal: to('real', 'number').shows("decimal('1.5')", 1.5),
  iff: iff.shows("iff(503 >= 500, 'error', 'fine')", 'error'),
  iif: iff.shows("iif(503 >= 500, 'error', 'fine')", 'error'),
  case: special('condition:truth value:any* otherwise:any', (invocation) => {
    const values = invocation.arguments
    if (values.length % 2 === 1) return choose(invocation)
    // Without a value for otherwise it is missing, where the last pair is one.
    if (values.at(-2)?.kind === 'boolean') return choose({ arguments: [...values, NULL] })
    throw new CompileError(
      'type_mismatch',
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
  isbool: special('value:any', ({ arguments: [value] }) => boolean(isKind(value as Value, 'boolean'))).shows(
    'isbool(true)',
    true,
  ),
  isstring: special('value:any', ({ arguments: [value] }) => boolean(isKind(value as Value, 'string'))).shows(
    "isstring('x')",
    true,
  ),
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
