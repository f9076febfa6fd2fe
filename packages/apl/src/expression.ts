/**
 * Expressions to values: names are looked up, operators and functions compiled.
 * Deliberately not here: SQL of single operators and functions, and rows.
 */

import { calculate, negate } from './arithmetic.ts'
import type { Call, Expression, InList, Member } from './ast.ts'
import { compare } from './comparison.ts'
import { type Context, invalidField, type Scope } from './context.ts'
import { CompileError } from './error.ts'
import { dottedName } from './expression-parser.ts'
import { findAggregate } from './functions/aggregates.ts'
import { checkArity, type FunctionDefinition } from './functions/definition.ts'
import { FUNCTIONS } from './functions/table.ts'
import { access, accessComputed } from './json-access.ts'
import { SQL_BYTES_MAX } from './limits.ts'
import { membership } from './membership.ts'
import { didYouMean } from './nearest.ts'
import { matchText } from './text-match.ts'
import { boolean, type Value } from './value.ts'

const ARITHMETIC = new Set(['+', '-', '*', '/', '%'])
const COMPARISON = new Set(['==', '!=', '<', '<=', '>', '>=', '=~', '!~'])

export function compileExpression(node: Expression, scope: Scope, context: Context): Value {
  const compile = (child: Expression) => compileExpression(child, scope, context)
  switch (node.kind) {
    case 'literal':
      return context.literal(node.value)
    case 'name':
      return findName([node.name], node, scope, context)
    case 'member':
      return compileMember(node, scope, context)
    case 'index': {
      const object = compile(node.object)
      const index = compile(node.index)
      return bounded(
        index.literal?.type === 'integer' ? access(object, [index.literal.value], context) : accessComputed(object, index),
        node,
      )
    }
    case 'call':
      return bounded(scope.aggregate?.(node) ?? compileCall(node, scope, context), node)
    case 'negation':
      return negate(compile(node.operand), context)
    case 'logical': {
      const operands = node.operands.map(compile)
      const join = (view: 'truth' | 'filter') =>
        `(${operands.map((value) => value.as(view)).join(node.operator === 'and' ? ' AND ' : ' OR ')})`
      return bounded(boolean(join('truth'), join('filter')), node)
    }
    case 'binary': {
      const left = compile(node.left)
      const right = compile(node.right)
      const { operator, span } = node
      if (isOneOf(operator, ARITHMETIC))
        return bounded(calculate({ operator: operator as '+', left, right, context, span }), node)
      if (isOneOf(operator, COMPARISON)) return bounded(compare({ operator: operator as '==', left, right, context, span }), node)
      return bounded(matchText({ operator: operator as 'has', left, right, context, span }), node)
    }
    case 'in-list':
      return bounded(compileList(node, scope, context), node)
    case 'between': {
      const value = compile(node.value)
      const low = compare({ operator: '>=', left: value, right: compile(node.low), context, span: node.low.span })
      const high = compare({ operator: '<=', left: value, right: compile(node.high), context, span: node.high.span })
      const inside = (view: 'truth' | 'filter') => `(${low.as(view)} AND ${high.as(view)})`
      return bounded(node.negated ? boolean(`(NOT ${inside('truth')})`) : boolean(inside('truth'), inside('filter')), node)
    }
    case 'star':
      throw new CompileError('unsupported', '"*" cannot be used here', node.span)
    default:
      return node satisfies never
  }
}

function isOneOf(operator: string, operators: ReadonlySet<string>): boolean {
  return operators.has(operator)
}

/** Text grows with each level; it is stopped here, before it could fill the memory. */
function bounded(value: Value, node: Expression): Value {
  if (!value.literal && value.as('plain').length > SQL_BYTES_MAX)
    throw new CompileError('limit', 'the expression is too large', node.span, 'compute parts of it with extend')
  return value
}

/** `a.b.c`: the field with the longest dotted name that exists, then access into its value. */
function compileMember(node: Member, scope: Scope, context: Context): Value {
  const keys: string[] = []
  let inner: Expression = node
  while (inner.kind === 'member') {
    keys.unshift(inner.key)
    inner = inner.object
  }
  if (inner.kind === 'name') return bounded(findName([inner.name, ...keys], node, scope, context), node)
  return bounded(access(compileExpression(inner, scope, context), keys, context), node)
}

function findName(parts: readonly string[], node: Expression, scope: Scope, context: Context): Value {
  for (let length = parts.length; length > 0; length--) {
    const value = scope.find(parts.slice(0, length).join('.'))
    const rest = parts.slice(length)
    if (!value || (rest.length > 0 && (value.closed || value.kind !== 'dynamic'))) continue
    return access(value, rest, context)
  }
  const known = context.lets.get(parts[0] as string)
  if (known) return access(known, parts.slice(1), context)
  const name = parts.join('.')
  const refusal = scope.refusal?.(name)
  if (refusal) throw new CompileError('type_mismatch', refusal, node.span)
  throw invalidField(name, node.span, didYouMean(name, [...scope.names(), ...context.lets.keys()]))
}

function compileCall(node: Call, scope: Scope, context: Context): Value {
  const definition = Object.hasOwn(FUNCTIONS, node.name) ? (FUNCTIONS[node.name] as FunctionDefinition) : undefined
  if (!definition) throw unknownFunction(node)
  checkArity(node, definition.parameters)
  const compiled: (Value | undefined)[] = []
  const argument = (at: number): Value => {
    compiled[at] ??= compileExpression(node.arguments[at] as Expression, scope, context)
    return compiled[at]
  }
  return definition.compile({
    call: node,
    get arguments() {
      return node.arguments.map((_, at) => argument(at))
    },
    argument,
    context,
    scope,
  })
}

function unknownFunction(node: Call): CompileError {
  if (findAggregate(node.name))
    return new CompileError('unsupported', `${node.name}() aggregates rows and can only be used in summarize`, node.span)
  const span = { start: node.span.start, end: node.span.start + node.name.length }
  return new CompileError(
    'unknown_name',
    `function '${node.name}' not found`,
    span,
    didYouMean(node.name, Object.keys(FUNCTIONS)),
  )
}

function compileList(node: InList, scope: Scope, context: Context): Value {
  const { operator, span } = node
  const value = compileExpression(node.value, scope, context)
  const list = node.list.map((item) => compileExpression(item, scope, context))
  return membership({ operator, value, list, context, span })
}

/** The name a column gets that was given none: that of the field it shows, or of the field inside a simple function. */
export function impliedName(node: Expression): string | undefined {
  const name = dottedName(node)
  if (name !== undefined) return name
  if (node.kind !== 'call' || node.arguments.length === 0) return undefined
  return KEEPS_NAME.has(node.name) ? impliedName(node.arguments[0] as Expression) : undefined
}

const KEEPS_NAME = new Set([
  'bin',
  'bin_auto',
  'tostring',
  'toint',
  'tolong',
  'toreal',
  'todouble',
  'tobool',
  'todatetime',
  'tolower',
  'toupper',
  'floor',
])
