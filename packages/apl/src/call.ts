/**
 * Calls to values: the function is looked up, its arguments are checked against its row.
 * Deliberately not here: the functions, and aggregations (`operators/summarize.ts`).
 */
import type { Call, Expression } from './ast.ts'
import type { Context, Scope } from './context.ts'
import { CompileError } from './error.ts'
import { dottedName } from './expression-name.ts'
import { AGGREGATES, findAggregate } from './functions/aggregates.ts'
import { checkArgument, type FunctionDefinition, nameArgument } from './functions/definition.ts'
import { FUNCTIONS } from './functions/table.ts'
import { adviceOnFunction } from './mistakes/functions.ts'
import { guessName } from './nearest.ts'
import { checkArity } from './signature.ts'
import { TO_SCALAR, toScalar } from './tabular.ts'
import type { Value } from './value.ts'
import { compileWindow, isWindowFunction } from './window.ts'

export function compileCall(given: Call, scope: Scope, context: Context): Value {
  const node = packingAll(given, scope)
  if (node.name === 'toscalar') return compileToScalar(node, context)
  if (isWindowFunction(node.name)) return compileWindow(node, scope, context)
  const definition = Object.hasOwn(FUNCTIONS, node.name) ? (FUNCTIONS[node.name] as FunctionDefinition) : undefined
  if (!definition) throw unknownFunction(node, scope)
  checkArity(node, definition)
  const compiled: (Value | undefined)[] = []
  const argument = (at: number): Value => {
    const known = compiled[at]
    if (known) return known
    const value = context.expression(node.arguments[at] as Expression, scope)
    checkArgument(node, at, definition.parameters, value)
    compiled[at] = value
    return value
  }
  return definition.compile({
    call: node,
    get arguments() {
      return node.arguments.map((_, at) => argument(at))
    },
    argument,
    parameters: definition.parameters,
    context,
    scope,
  })
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
  throw new CompileError(
    'type_mismatch',
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
  const known = [
    ...Object.keys(FUNCTIONS),
    ...(scope.aggregate ? Object.keys(AGGREGATES).flatMap((name) => [name, `${name}if`]) : []),
  ]
  const hint = adviceOnFunction(node.name, span) ?? guessName(node.name, known)
  return new CompileError('unknown_name', `function '${node.name}' not found`, span, hint)
}
