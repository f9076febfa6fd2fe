/**
 * Expressions to values: one function for each kind, which compiles what is inside; a call looks up its function and checks its
 * arguments against the row of the function's table. It is one switch, and what each of its kinds becomes.
 * Deliberately not here: what is said of an expression that runs and is seldom meant so; see `conditions.ts` and the files beside it.
 */

import { CompileError, mismatch } from '../error.ts'
import { AGGREGATES, findAggregate } from '../functions/aggregates.ts'
import { checkArgument, type FunctionDefinition, nameArgument } from '../functions/definition.ts'
import { FUNCTIONS } from '../functions/table.ts'
import { SQL_BYTES_MAX } from '../limits.ts'
import { adviceOnFunction, adviceOnLacking } from '../mistakes/functions.ts'
import { boolean, commonQuantity, isWhole, joined, NULL, type Value, wholeIf } from '../sql/value.ts'
import { isArithmetic, isComparison, withoutNegation } from '../text/infix.ts'
import { guessName, writeText } from '../text/nearest.ts'
import type { Call, Expression, InList, Member } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { checkArity } from '../tree/signature.ts'
import { anyText } from '../values/anywhere.ts'
import { calculate, negate } from '../values/arithmetic.ts'
import { compare } from '../values/comparison.ts'
import type { Context, Scope } from '../values/context.ts'
import { membership } from '../values/membership.ts'
import { matchText } from '../values/text-match.ts'
import { besideNumber, inCommonUnit, inOneUnit, withQuantity } from '../values/units.ts'
import { warnOfArray, warnOfList } from './arrays.ts'
import { warnOfBounds, warnOfMoment, warnOfRange } from './bounds.ts'
import { doubtTexts, refuseConstant, refuseQuotedField, warnOfCase, warnOfQuotient } from './conditions.ts'
import { warnOfCall } from './kusto-calls.ts'
import { access, accessComputed, findName, type NamePart, textsOf } from './name-lookup.ts'
import { warnOfPattern } from './patterns.ts'
import { inQuery, TO_SCALAR, toScalar } from './tabular.ts'
import { compileWindow, isWindowFunction } from './window.ts'

export function compileExpression(node: Expression, scope: Scope, context: Context): Value {
  const compile = (child: Expression) => compileExpression(child, scope, context)
  switch (node.kind) {
    case 'literal':
      return node.value.type === 'datetime' ? context.time(node.value.ns, node.span) : context.literal(node.value)
    case 'name':
      return findName([{ text: node.name, quoted: false }], node, scope, context)
    case 'member':
      return compileMember(node, scope, context)
    case 'index':
      return bounded(compileIndex(node, scope, context), node)
    case 'call':
      return bounded(scope.aggregate?.(node) ?? compileCall(node, scope, context), node)
    case 'negation':
      return compileNegation(node, scope, context)
    case 'logical': {
      for (const [at, operand] of node.operands.entries()) refuseConstant(operand, node.operands[at - 1])
      const operands = node.operands.map(compile)
      if (node.operator === 'and') warnOfBounds(node.operands, (one) => compile(one).literal, context)
      return bounded(joined(operands, node.operator === 'and' ? 'AND' : 'OR'), node)
    }
    case 'binary':
      return bounded(node.left.kind === 'star' ? compileAnyText(node, scope, context) : compileBinary(node, scope, context), node)
    case 'in-list':
      return bounded(compileList(node, scope, context), node)
    case 'between':
      return bounded(compileBetween(node, scope, context), node)
    case 'tabular':
      throw mismatch(
        'a query stands where a value is needed',
        node.span,
        'write toscalar(…) for its first value, or in (…) for all of them',
      )
    case 'star':
      throw new CompileError('unsupported', '"*" cannot be used here', node.span)
    default:
      return node satisfies never
  }
}

function compileBinary(node: NodeOf<'binary'>, scope: Scope, context: Context): Value {
  const [a, b] = [compileExpression(node.left, scope, context), compileText(node.right, scope, context)]
  const { operator, span } = node
  refuseQuotedField(node, scope)
  const [left, right] = inOneUnit(node, a, b, context)
  const written = { operator, left, right, node, context }
  warnOfPattern(written)
  warnOfArray(written)
  warnOfQuotient(written)
  doubtTexts(written)
  warnOfCase(node, right, context)
  warnOfMoment(node, right, context)
  const operands = { left, right, context, span }
  if (isArithmetic(operator)) return withQuantity(operator, [left, right], calculate({ operator, ...operands }))
  return isComparison(operator) ? compare({ operator, ...operands }) : matchText({ operator, ...operands })
}

function compileNegation({ operand, span }: NodeOf<'negation'>, scope: Scope, context: Context): Value {
  const value = compileExpression(operand, scope, context)
  return wholeIf(isWhole(value), { ...negate(value, context, span), ...commonQuantity([value]) })
}

/** What something is compared with: a word there that nothing is called may be a text without its quotes. */
function compileText(node: Expression, scope: Scope, context: Context): Value {
  try {
    return compileExpression(node, scope, context)
  } catch (error) {
    if (!(error instanceof CompileError) || error.code !== 'unknown_name' || error.hint !== undefined || node.kind !== 'name')
      throw error
    const text = writeText(node.name)
    throw new CompileError(error.code, error.message, error.span, { hint: `a text is in quotes: ${text}`, written: text })
  }
}

/** `* has 'x'`: any field. */
function compileAnyText({ operator, left, right, span }: NodeOf<'binary'>, scope: Scope, context: Context): Value {
  const wanted = compileExpression(right, scope, context)
  const node = { left, right, span }
  warnOfPattern({ operator, left: NULL, right: wanted, node, context })
  warnOfArray({ operator, left: NULL, right: wanted, node, context })
  const base = withoutNegation(operator) as typeof operator
  if (isArithmetic(base) || (isComparison(base) && base !== '==' && base !== '=~'))
    throw new CompileError('unsupported', `"*" cannot be used with "${operator}"`, span)
  const found = anyText(scope, (text) => {
    const operands = { left: text, right: wanted, context, span }
    return isComparison(base) ? compare({ operator: base, ...operands }) : matchText({ operator: base, ...operands })
  })
  return base === operator ? found : boolean(`(NOT ${found.as('truth')})`)
}

type NodeOf<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** Both ends belong to the range. */
function compileBetween({ value: inner, low, high, negated }: NodeOf<'between'>, scope: Scope, context: Context): Value {
  const [value, first, last] = [inner, low, high].map((node) => compileExpression(node, scope, context)) as [Value, Value, Value]
  // `(t .. 1h)` ends an hour after t.
  const isMoment = first.kind === 'datetime' || (first.kind === 'string' && !first.literal)
  const isLength = isMoment && last.kind === 'timespan'
  const end = isLength ? calculate({ operator: '+', left: first, right: last, context, span: high.span }) : last
  const ends = [
    { value: first, node: low },
    { value: end, node: high },
  ]
  const written = (counts: readonly string[]) => `between (${counts.join(' .. ')})`
  const [least, most] = besideNumber(ends, { value, node: inner }, written, context) as [Value, Value]
  if (!negated) warnOfRange({ low, high }, least, most, context)
  const from = compare({ operator: '>=', left: value, right: least, context, span: low.span })
  const to = compare({ operator: '<=', left: value, right: most, context, span: high.span })
  const inside = joined([from, to], 'AND')
  return negated ? boolean(`(NOT ${inside.as('truth')})`) : inside
}

function compileIndex({ object: inner, index: at }: NodeOf<'index'>, scope: Scope, context: Context): Value {
  const object = compileExpression(inner, scope, context)
  const index = compileExpression(at, scope, context)
  if (!INDEX_KINDS.has(index.kind))
    throw mismatch('an index is a number, and a key is a text', at.span, 'a part of an array is array_slice(array, start, end)')
  return index.literal?.type === 'integer' ? access(object, [index.literal.value], context) : accessComputed(object, index)
}

const INDEX_KINDS = new Set(['integer', 'real', 'string', 'dynamic', 'null'])

/** Text grows with each level; it is stopped here, before it could fill the memory. */
function bounded(value: Value, node: Expression): Value {
  const { literal } = value
  const text = literal?.type === 'string' ? literal.value : literal?.type === 'dynamic' ? literal.json : ''
  const length = literal ? text.length : value.as('plain').length
  if (length > SQL_BYTES_MAX)
    throw new CompileError('limit', 'the expression is too large', node.span, 'compute parts of it with extend')
  return value
}

/** `a.b.c`: the field with the longest dotted name that exists, then access into its value. */
function compileMember(node: Member, scope: Scope, context: Context): Value {
  const keys: NamePart[] = []
  let inner: Expression = node
  while (inner.kind === 'member') {
    keys.unshift({ text: inner.key, quoted: inner.quoted ?? false })
    inner = inner.object
  }
  if (inner.kind === 'name') return bounded(findName([{ text: inner.name, quoted: false }, ...keys], node, scope, context), node)
  return bounded(access(compileExpression(inner, scope, context), textsOf(keys), context, node), node)
}

function compileList(node: InList, scope: Scope, context: Context): Value {
  const { operator, span } = node
  const value = compileExpression(node.value, scope, context)
  const query = node.list.find(({ kind }) => kind === 'tabular')
  if (query?.kind === 'tabular') {
    if (node.list.length === 1) return inQuery({ operator, value, query, context, span })
    throw new CompileError('unsupported', 'a list is either values or one query', query.span)
  }
  // Without brackets it is a field that holds a list.
  const isListed = node.span.end !== node.list.at(-1)?.span.end
  const items = node.list.map((item) => ({
    value: (isListed ? compileText : compileExpression)(item, scope, context),
    node: item,
  }))
  const written = (counts: readonly string[]) => `${operator} (${counts.join(', ')})`
  const list = besideNumber(items, { value, node: node.value }, written, context)
  warnOfList(node, value, list, context)
  return membership({ operator, value, list, context, span })
}

/** Functions of a number whose result counts the same. */
const KEEPS_QUANTITY: ReadonlySet<string> = new Set([
  ...['abs', 'bin', 'ceiling', 'floor', 'round', 'decimal', 'double', 'int', 'long', 'real', 'todouble', 'toint', 'tolong'],
  ...['toreal', 'next', 'prev', 'row_cumsum'],
])
/** Functions that give the value of a field, or one that is cut. */
const GIVES_FIELD = new Set(['column_ifexists', 'ensure_field'])
const CUTS = /^(?:to)?(?:int|long)$/
/** Functions that give one of their arguments, and which those are. */
const CHOOSES: Readonly<Record<string, (at: number, count: number) => boolean>> = {
  case: (at, count) => at % 2 === 1 || at === count - 1,
  coalesce: () => true,
  iff: (at) => at > 0,
  iif: (at) => at > 0,
  max_of: () => true,
  min_of: () => true,
}

function compileCall(given: Call, scope: Scope, context: Context): Value {
  const node = packingAll(given, scope)
  if (node.name === 'toscalar') return compileToScalar(node, context)
  if (isWindowFunction(node.name)) {
    const [counted] = KEEPS_QUANTITY.has(node.name) ? node.arguments : []
    return { ...compileWindow(node, scope, context), ...(counted && commonQuantity([context.expression(counted, scope)])) }
  }
  const definition = Object.hasOwn(FUNCTIONS, node.name) ? (FUNCTIONS[node.name] as FunctionDefinition) : undefined
  if (!definition) throw unknownFunction(node, scope)
  checkArity(node, definition)
  warnOfCall(node, definition, context)
  const compiled: (Value | undefined)[] = []
  const argument = (at: number): Value => {
    const known = compiled[at]
    if (known) return known
    const value = context.expression(node.arguments[at] as Expression, scope)
    checkArgument(node, at, definition.parameters, value)
    compiled[at] = value
    return value
  }
  const chosen = Object.hasOwn(CHOOSES, node.name) ? chooseOf(node, argument, context) : []
  for (const [at, value] of chosen) compiled[at] = value
  const value = definition.compile({
    call: node,
    get arguments() {
      return node.arguments.map((_, at) => argument(at))
    },
    argument,
    parameters: definition.parameters,
    context,
    scope,
  })
  const counting = (KEEPS_QUANTITY.has(node.name) ? compiled.slice(0, 1) : chosen.map(([, one]) => one)).filter(
    (one) => one !== undefined,
  )
  const isMade = CUTS.test(node.name) || (!GIVES_FIELD.has(node.name) && counting.every(isWhole))
  return wholeIf(isMade, { ...value, ...commonQuantity(counting) })
}

/** The arguments that a function gives one of, in one unit, by their places. */
function chooseOf(node: Call, argument: (at: number) => Value, context: Context): (readonly [number, Value])[] {
  const given = node.arguments.map((_, at) => argument(at))
  const places = [...given.keys()].filter((at) => CHOOSES[node.name]?.(at, given.length))
  const values = inCommonUnit(
    places.map((at) => given[at] as Value),
    node,
    context,
  )
  return places.map((at, index) => [at, values[index] as Value] as const)
}

const PACKING = new Set(['pack', 'bag_pack', 'pack_dictionary'])

/** `pack(*)`: every field under its name. */
function packingAll(node: Call, scope: Scope): Call {
  const [only] = node.arguments
  if (only?.kind !== 'star' || node.arguments.length > 1 || !PACKING.has(node.name)) return node
  const { span } = only
  const pairs = [...scope.names()].flatMap((name): Expression[] => [
    { kind: 'literal', value: { type: 'string', value: name }, span },
    { kind: 'name', name, span },
  ])
  return { ...node, arguments: pairs }
}

function compileToScalar(node: Call, context: Context): Value {
  checkArity(node, TO_SCALAR)
  const [query] = node.arguments as [Expression]
  if (query.kind === 'tabular') return toScalar(query, context)
  throw mismatch(
    `${nameArgument({ call: node, ...TO_SCALAR }, 0)} must be a query`,
    query.span,
    'toscalar(dataset | summarize max(field))',
  )
}

function unknownFunction(node: Call, scope: Scope): CompileError {
  if (findAggregate(node.name)) {
    const [first] = node.arguments
    const column = `${node.name}_${(first && dottedName(first)) ?? ''}`
    return new CompileError(
      'unsupported',
      `${node.name}() aggregates rows and can only be used in summarize`,
      node.span,
      scope.find(column) ? `its column is ${column}` : `write | summarize ${node.name}(…) by … | where …`,
    )
  }
  const span = { start: node.span.start, end: node.span.start + node.name.length }
  // By name: to a monitor, whose events may be still to come, everything is a field.
  if (Array.from(scope.names()).includes(node.name))
    return new CompileError(
      'unknown_name',
      `"${node.name}" is a field, not a function`,
      span,
      node.name === '_time' ? 'write bin(_time, 1h)' : undefined,
    )
  const instead = adviceOnLacking(node.name)
  if (instead) return new CompileError('unsupported', `function '${node.name}' is not supported`, span, instead)
  const known = [
    ...Object.keys(FUNCTIONS),
    ...(scope.aggregate ? Object.keys(AGGREGATES).flatMap((name) => [name, `${name}if`]) : []),
  ]
  const hint = adviceOnFunction(node.name) ?? guessName(node.name, known)
  return new CompileError('unknown_name', `function '${node.name}' not found`, span, hint)
}
