/**
 * The legacy query body: a filter tree, aggregations and groups as JSON. It becomes the same tree as a query text, and is compiled by the same stages.
 * Empty members mean "not given", as published clients send them: null, and the empty value of the member's own type.
 * Deliberately not here: times, cursors' spelling and anything else of the HTTP request.
 */
import { LEGACY_AGGREGATIONS, LEGACY_COMBINATIONS, LEGACY_TESTS } from '@deployment-annotations/contract/legacy-query'
import { type CompileOptions, compileTree } from './compile.ts'
import { attachSource, CompileError, mismatch, NOWHERE } from './error.ts'
import { parseExpression } from './query/parser.ts'
import type { Plan } from './sql/plan.ts'
import { INTEGER_MAX, INTEGER_MIN, type LiteralValue, literalOf, parseTimespan } from './text/literal.ts'
import { guessName } from './text/nearest.ts'
import type { Binary, Call, Expression, Named, Operator, Pipeline, QueryTree } from './tree/ast.ts'
import { binary } from './tree/expression-parser.ts'

/** As parsed from JSON; nothing of it is trusted. Integers beyond 2^53 may be bigint. */
interface LegacyBody {
  readonly filter?: unknown
  readonly aggregations?: unknown
  readonly groupBy?: unknown
  readonly order?: unknown
  readonly project?: unknown
  readonly virtualFields?: unknown
  readonly limit?: unknown
  /** A timespan, or `auto`; the width of the bins of `buckets.series`. */
  readonly resolution?: unknown
}

/** Deepest filter tree; the bound on expressions is checked again later, this one is for our own recursion. */
const FILTER_DEPTH_MAX = 32
const ITEMS_MAX = 1_000

/**
 * Compiles a legacy body for one dataset.
 * @throws QueryError; there is no text, so its place is line 1, column 1, except inside `virtualFields`
 */
export function compileLegacy(body: LegacyBody, dataset: string, options: CompileOptions): Plan {
  return attachSource('', () =>
    compileTree(legacyTree(body, dataset), { ...options, resolutionNs: resolutionOf(body.resolution) ?? options.resolutionNs }),
  )
}

/** The body as the tree of a query. Throws CompileError. */
function legacyTree(body: LegacyBody, dataset: string): QueryTree {
  const extended = virtualFields(body.virtualFields)
  const predicate = filter(body.filter, 0)
  const where: Operator[] = predicate ? [{ kind: 'where', predicate, span: NOWHERE }] : []
  const aggregations = list(body.aggregations, 'aggregations').map(aggregation)
  const groups = list(body.groupBy, 'groupBy').map((field) => ({ expression: fieldNode(field, 'groupBy'), span: NOWHERE }))
  const isGrouped = aggregations.length > 0 || groups.length > 0
  const columns = isGrouped ? [] : projection(body.project)
  const shaped = isGrouped
    ? [summarizeInBins(aggregations, groups), ...sort(body.order, [])]
    : [...sort(body.order, columns), ...project(columns)]
  const operators = [...extended, ...where, ...shaped, ...limit(body.limit)]
  const pipeline: Pipeline = {
    kind: 'pipeline',
    source: { kind: 'dataset', name: dataset, span: NOWHERE },
    operators,
    span: NOWHERE,
  }
  return { kind: 'query', lets: [], pipeline, span: NOWHERE }
}

function wrong(message: string, hint?: string): CompileError {
  return mismatch(message, NOWHERE, hint)
}

/** What is empty, of each type that a member may have. */
const EMPTY = {
  text: (value: unknown) => value === '',
  number: (value: unknown) => value === 0,
  list: (value: unknown) => Array.isArray(value) && value.length === 0,
  /** The argument of an aggregation counts as missing if it is `""`, `0`, `[]` or `{}`: some clients always send one. */
  argument: (value: unknown): boolean =>
    EMPTY.text(value) || EMPTY.number(value) || EMPTY.list(value) || (isObject(value) && Object.keys(value).length === 0),
}

/** The only place that says so. What is of another type is given, and refused when it is read. */
function isGiven(value: unknown, type: keyof typeof EMPTY): boolean {
  return value !== undefined && value !== null && !EMPTY[type](value)
}

function list(value: unknown, member: string): readonly unknown[] {
  if (!isGiven(value, 'list')) return []
  if (!Array.isArray(value)) throw wrong(`"${member}" must be an array`)
  if (value.length > ITEMS_MAX) throw new CompileError('limit', `"${member}" has more than ${ITEMS_MAX} items`, NOWHERE)
  return value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function record(value: unknown, member: string): Record<string, unknown> {
  if (!isObject(value)) throw wrong(`"${member}" must contain objects`)
  return value
}

function text(value: unknown, member: string): string {
  if (typeof value !== 'string' || !isGiven(value, 'text')) throw wrong(`"${member}" must be a non-empty string`)
  return value
}

const fieldNode = (value: unknown, member: string): Expression => ({ kind: 'name', name: text(value, member), span: NOWHERE })
const literalNode = (value: LiteralValue): Expression => ({ kind: 'literal', value, span: NOWHERE })
const call = (name: string, ...items: Expression[]): Call => ({ kind: 'call', name, arguments: items, span: NOWHERE })

function valueNode(value: unknown = null): Expression {
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  const isWhole = typeof value === 'bigint' && value <= INTEGER_MAX && value >= INTEGER_MIN
  if (typeof value === 'string' || typeof value === 'boolean' || isNumber || isWhole || value === null)
    return literalNode(literalOf(value))
  throw wrong('the value of a filter must be a string, a number, a boolean or null')
}

/** Filters with a field and a value: the operator with and without regard to case. */
// biome-ignore format: a table
const TESTS: Record<string, readonly [Binary['operator'], Binary['operator']]> = {
  '==': ['==', '=='], '!=': ['!=', '!='], '>': ['>', '>'], '>=': ['>=', '>='], '<': ['<', '<'], '<=': ['<=', '<='],
  eq: ['==', '=='], ne: ['!=', '!='], gt: ['>', '>'], gte: ['>=', '>='], lt: ['<', '<'], lte: ['<=', '<='],
  'starts-with': ['startswith_cs', 'startswith'], 'ends-with': ['endswith_cs', 'endswith'], contains: ['contains_cs', 'contains'],
  regexp: ['matches regex', 'matches regex'],
}

const FILTER_NAMES = [...LEGACY_TESTS, ...LEGACY_COMBINATIONS]

/** Undefined where nothing is filtered: an empty object, or one with an empty `op`. */
function filter(value: unknown, depth: number): Expression | undefined {
  if (value === undefined || value === null) return
  if (depth > FILTER_DEPTH_MAX)
    throw new CompileError('limit', `filters are nested too deeply (limit ${FILTER_DEPTH_MAX})`, NOWHERE)
  const node = record(value, 'filter')
  const operands = list(node.children, 'filter.children')
    .map((child) => filter(child, depth + 1))
    .filter((operand) => operand !== undefined)
  if (typeof (node.field ?? '') !== 'string') throw wrong('"filter.field" must be a string')
  if (typeof (node.caseSensitive ?? false) !== 'boolean') throw wrong('"filter.caseSensitive" must be a boolean')
  if (Object.keys(node).length === 0 || ('op' in node && !isGiven(node.op, 'text'))) return
  const op = text(node.op, 'filter.op')
  if (op === 'and' || op === 'or' || op === 'not') return combination(op, operands)
  const field = fieldNode(node.field, 'filter.field')
  if (op === 'exists' || op === 'not-exists') return call(op === 'exists' ? 'isnotnull' : 'isnull', field)
  const negated = op.startsWith('not-')
  const name = negated ? op.slice(4) : op
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined
  if (!test || (negated && /^[=!<>a-z]{1,3}$/.test(op.slice(4))))
    throw new CompileError('unknown_name', `filter "${op}" not found`, NOWHERE, guessName(op, FILTER_NAMES)?.hint)
  const found = binary(test[node.caseSensitive === true ? 0 : 1], field, valueNode(node.value))
  return negated ? call('not', found) : found
}

function combination(op: 'and' | 'or' | 'not', operands: readonly Expression[]): Expression {
  const [first] = operands
  if (!first) return literalNode({ type: 'boolean', value: true })
  const all: Expression =
    operands.length === 1 ? first : { kind: 'logical', operator: op === 'or' ? 'or' : 'and', operands, span: NOWHERE }
  return op === 'not' ? call('not', all) : all
}

/** Aggregations by their legacy names. */
// biome-ignore format: a table
const AGGREGATIONS: Record<(typeof LEGACY_AGGREGATIONS)[number], string> = {
  count: 'count', distinct: 'dcount', sum: 'sum', avg: 'avg', min: 'min', max: 'max', topk: 'topk', percentiles: 'percentiles_array', histogram: 'histogram',
  standardDeviation: 'stdev', stdev: 'stdev', variance: 'variance', argmin: 'arg_min', argmax: 'arg_max', makeset: 'make_set', makelist: 'make_list', rate: 'rate',
  distinctif: 'dcountif', countif: 'countif', sumif: 'sumif', avgif: 'avgif', minif: 'minif', maxif: 'maxif',
}

function aggregation(value: unknown): Named {
  const { alias, op, field, argument } = record(value, 'aggregations')
  const known = text(op, 'aggregations.op')
  const name = Object.hasOwn(AGGREGATIONS, known) ? AGGREGATIONS[known as keyof typeof AGGREGATIONS] : undefined
  if (name === undefined)
    throw new CompileError(
      'unknown_name',
      `aggregation "${known}" not found`,
      NOWHERE,
      guessName(known, LEGACY_AGGREGATIONS)?.hint,
    )
  const target = field === '*' || !isGiven(field, 'text') ? [] : [fieldNode(field, 'aggregations.field')]
  const items = name === 'count' ? [] : name === 'countif' ? [] : target
  const expression = call(name, ...items, ...aggregationArgument(name, argument))
  return {
    expression,
    span: NOWHERE,
    name: isGiven(alias, 'text') ? text(alias, 'aggregations.alias') : `${known}_${isGiven(field, 'text') ? String(field) : ''}`,
  }
}

function aggregationArgument(name: string, argument: unknown): Expression[] {
  if (!isGiven(argument, 'argument'))
    return name === 'topk' || name === 'histogram' ? [literalNode({ type: 'integer', value: 10n })] : []
  if (Array.isArray(argument)) return list(argument, 'aggregations.argument').map(valueNode)
  if (name === 'arg_min' || name === 'arg_max' || (name.endsWith('if') && typeof argument === 'string'))
    return [fieldNode(argument, 'aggregations.argument')]
  const value = valueNode(argument)
  return name === 'count' ? [] : [value]
}

/** Always in bins of time: their totals are the answer's `totals`. */
function summarizeInBins(aggregates: Named[], groups: Named[]): Operator {
  const expression = call('bin_auto', fieldNode('_time', 'groupBy'))
  return { kind: 'summarize', aggregates, by: [{ name: '_time', expression, span: NOWHERE }, ...groups], span: NOWHERE }
}

/** A field that is shown, and its name in the answer. */
interface Shown {
  readonly name: string
  readonly field: string
}

function projection(value: unknown): Shown[] {
  return list(value, 'project').map((item) => {
    const { field, alias } = record(item, 'project')
    const shown = text(field, 'project.field')
    return { name: isGiven(alias, 'text') ? text(alias, 'project.alias') : shown, field: shown }
  })
}

function project(shown: readonly Shown[]): Operator[] {
  const columns = shown.map(({ name, field }): Named => ({ name, expression: fieldNode(field, 'project.field'), span: NOWHERE }))
  return columns.length === 0 ? [] : [{ kind: 'project', columns, span: NOWHERE }]
}

function virtualFields(value: unknown): Operator[] {
  const columns = list(value, 'virtualFields').map((item): Named => {
    const { alias, expr } = record(item, 'virtualFields')
    const source = text(expr, 'virtualFields.expr')
    return {
      name: text(alias, 'virtualFields.alias'),
      expression: attachSource(source, () => parseExpression(source)),
      span: NOWHERE,
    }
  })
  return columns.length === 0 ? [] : [{ kind: 'extend', columns, span: NOWHERE }]
}

/** @param shown whose names stand for their fields: rows are ordered before they are projected */
function sort(value: unknown, shown: readonly Shown[]): Operator[] {
  const keys = list(value, 'order').map((item) => {
    const { field, desc } = record(item, 'order')
    const name = text(field, 'order.field')
    const known = shown.findLast((one) => one.name === name)?.field ?? name
    return { expression: fieldNode(known, 'order.field'), descending: desc === true, span: NOWHERE }
  })
  return keys.length === 0 ? [] : [{ kind: 'sort', keys, span: NOWHERE }]
}

function limit(value: unknown): Operator[] {
  if (!isGiven(value, 'number')) return []
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  if (!isWhole || value < 0) throw wrong('"limit" must be a whole number, 0 or more')
  // More than there can be is all.
  const count = value < INTEGER_MAX ? BigInt(value) : INTEGER_MAX
  return [{ kind: 'limit', count: literalNode({ type: 'integer', value: count }), span: NOWHERE }]
}

function resolutionOf(value: unknown): bigint | undefined {
  if (!isGiven(value, 'text') || value === 'auto') return undefined
  const found = parseTimespan(text(value, 'resolution'))
  if (found?.type !== 'timespan' || found.ns <= 0n)
    throw wrong(`the resolution "${String(value).slice(0, 40)}" is not a timespan`, 'write auto, 1h, 5m or 30s')
  return found.ns
}
