/**
 * Pipelines over plain arrays of rows. An order holds only where the query gives one.
 * Deliberately not here: operators that `programs.ts` does not write.
 */
import type { Call, Expression, Join, Named, Operator, Pipeline, QueryTree, SortKey, Summarize } from '../../src/tree/ast.ts'
import { impliedName } from '../../src/tree/expression-name.ts'
import { evaluate } from './expressions.ts'
import { occurs } from './occurrences.ts'
import { pairsReader, parser } from './parse.ts'
import {
  compareValues,
  isTimespan,
  numberOf,
  printRows,
  type Row,
  rankOf,
  realOf,
  textOf,
  truthOf,
  type Value,
} from './values.ts'
import { findWhole } from './whole.ts'

export type Tables = ReadonlyMap<string, readonly Row[]>

/** What each `let` names is put where its name stands. */
export function run({ lets, pipeline }: QueryTree, tables: Tables): Row[] {
  const named = new Map<string, unknown>()
  for (const { name, value } of lets) named.set(name, inlined(value, named, tables))
  const whole = inlined(pipeline, named, tables)
  findWhole(whole)
  return rowsOf(whole, tables)
}

function inlined<T>(node: T, named: ReadonlyMap<string, unknown>, tables: Tables): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((item) => inlined(item, named, tables)) as T
  const { kind, name } = node as { kind?: string; name?: string }
  const value = name === undefined ? undefined : named.get(name)
  if (value && kind === 'name') return value as T
  if (value && kind === 'dataset') return { kind: 'subquery', pipeline: value } as T
  const whole = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, inlined(inner, named, tables)])) as T
  return kind === 'call' && name === 'toscalar' ? (scalarOf(whole as Call, tables) as T) : whole
}

/** The first value, as a constant that is not whole by itself. */
function scalarOf({ arguments: [query] }: Call, tables: Tables): Expression {
  const [row = {}] = query?.kind === 'tabular' ? rowsOf(query.pipeline, tables) : []
  return constant(Object.values(row)[0] ?? null)
}

const constant = (value: Value) => ({ kind: 'literal', value: { type: typeof value, value } }) as unknown as Expression

function rowsOf({ source, operators }: Pipeline, tables: Tables): Row[] {
  if (source.kind === 'subquery') return operate(rowsOf(source.pipeline, tables), operators, tables)
  if (source.kind !== 'dataset') throw new Error(`the evaluator has no ${source.kind}`)
  return operate([...(tables.get(source.name) ?? [])], operators, tables)
}

const operate = (rows: Row[], operators: readonly Operator[], tables: Tables): Row[] =>
  operators.reduce((before, operator) => apply(operator, before, tables), rows)

function apply(operator: Operator, rows: Row[], tables: Tables): Row[] {
  switch (operator.kind) {
    case 'where':
      return rows.filter(testOf(operator.predicate, tables))
    case 'extend':
      return operator.columns.reduce(
        (before, column) => before.map((row) => ({ ...row, [nameOf(column)]: evaluate(column.expression, row, before) })),
        rows,
      )
    case 'project':
      return rows.map((row) =>
        Object.fromEntries(operator.columns.map((column) => [nameOf(column), evaluate(column.expression, row)])),
      )
    case 'sort':
      return sorted(rows, operator.keys)
    case 'limit':
      return rows.slice(0, Number(evaluate(operator.count, {})))
    case 'top':
      return sorted(rows, operator.keys).slice(0, Number(evaluate(operator.count, {})))
    case 'count':
      return [{ count: BigInt(rows.length) }]
    case 'distinct':
      return summarize(rows, [], operator.columns)
    case 'summarize':
      return summarize(rows, operator.aggregates, operator.by)
    case 'parse':
      return rows.flatMap(parser(operator))
    case 'parse-kv':
      return rows.map(pairsReader(operator))
    case 'mv-expand':
      return rows.flatMap((row) => expand(row, operator.columns[0] as Named))
    case 'union':
      return [...rows, ...operator.members.flatMap((other) => rowsOf(other, tables))]
    case 'join':
      return join(rows, rowsOf(operator.right, tables), operator)
    default:
      throw new Error(`the evaluator has no ${operator.kind}`)
  }
}

/** A list may be a query: of its first column. */
function testOf(predicate: Expression, tables: Tables): (row: Row) => boolean {
  if (predicate.kind !== 'in-list' || predicate.list[0]?.kind !== 'tabular') return (row) => truthOf(evaluate(predicate, row))
  const list = rowsOf(predicate.list[0].pipeline, tables).map((row) => Object.values(row)[0] as Value)
  const isNegated = predicate.operator.startsWith('!')
  return (row) => list.some((one) => isSameKey(evaluate(predicate.value, row), one)) !== isNegated
}

const nameOf = ({ name, expression }: Named): string => {
  const known = name ?? impliedName(expression)
  if (known === undefined) throw new Error('the evaluator takes named columns')
  return known
}

/** Descending unless it says otherwise; what is missing comes first in ascending order. */
function sorted(rows: Row[], keys: readonly SortKey[]): Row[] {
  return [...rows].sort((a, b) => {
    for (const { expression, descending } of keys) {
      const [x, y] = [evaluate(expression, a), evaluate(expression, b)]
      if (x === null || y === null) {
        const order = Number(x !== null) - Number(y !== null)
        if (order !== 0) return descending ? -order : order
        continue
      }
      // Texts, true and false come after the numbers in both directions, and are ordered as texts.
      const isText = [x, y].map((value) => rankOf(value) > 0)
      const isOfTwoTypes = typeof x !== typeof y
      const [one, other] = isOfTwoTypes && isText[0] && isText[1] ? [String(x), String(y)] : [x, y]
      if (isText[0] !== isText[1]) return isText[0] ? 1 : -1
      const order = compareValues(one, other) ?? 0
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
}

const keyText = (values: readonly Value[]) =>
  JSON.stringify([
    values.map((value) => (typeof value === 'bigint' ? 'number' : typeof value)),
    printRows([values], Object.keys(values)),
  ])

function summarize(rows: Row[], aggregates: Summarize['aggregates'], by: readonly Named[]): Row[] {
  const groups = new Map<string, { keys: Value[]; rows: Row[] }>()
  for (const row of rows) {
    const keys = by.map(({ expression }) => evaluate(expression, row))
    const group = groups.get(keyText(keys)) ?? { keys, rows: [] }
    groups.set(keyText(keys), group)
    group.rows.push(row)
  }
  if (by.length === 0 && groups.size === 0) groups.set('', { keys: [], rows: [] })
  return [...groups.values()].map((group) =>
    Object.fromEntries([
      ...by.map((column, at) => [nameOf(column), group.keys[at] as Value]),
      ...aggregates.flatMap((column) => columnsOf(column, group.rows)),
    ]),
  )
}

/** Without a name `arg_max` has a column for each of its arguments. */
function columnsOf({ name, expression }: Named, rows: readonly Row[]): [string, Value][] {
  if (name !== undefined) return [[name, aggregate(expression, rows)]]
  const call = expression as Call
  const [by, ...returned] = call.arguments as [Expression, ...Expression[]]
  if (returned[0]?.kind === 'star') {
    const names = new Set(rows.flatMap(Object.keys))
    return [...names].map((one) => [one, (extremeRow(call, rows)?.[one] as Value | undefined) ?? null])
  }
  const row = extremeRow(call, rows)
  return [by, ...returned].map((one) => [nameOf({ expression: one, span: one.span }), returnedOf(one, row)])
}

function returnedOf(node: Expression, row: Row | undefined): Value {
  const value = row ? evaluate(node, row) : null
  if (row && value === null) occurs('a returned field that is missing')
  return value
}

function extremeRow({ name, arguments: [by] }: Call, rows: readonly Row[]): Row | undefined {
  const byOf = (row: Row) => evaluate(by as Expression, row)
  const extreme = pick(
    rows.map(byOf).filter((value) => value !== null),
    name === 'arg_max' ? 1 : -1,
  )
  return extreme === null ? undefined : rows.find((row) => byOf(row) === extreme)
}

/** Of whole numbers and lengths of time exactly; of what only spells a number, as a float. */
function total(values: readonly Value[]): Value {
  if (values.every(isTimespan)) return { spanNs: values.reduce((sum, { spanNs }) => sum + spanNs, 0n) }
  return values.every((value) => typeof value === 'bigint')
    ? values.reduce<bigint>((sum, value) => sum + (value as bigint), 0n)
    : values.reduce<number>((sum, value) => sum + Number(value), 0)
}

const evenly = (sum: Value, count: number): Value =>
  isTimespan(sum) ? { spanNs: sum.spanNs / BigInt(count) } : (realOf(sum) ?? 0) / count

/** Of the numbers where there are any, else of the texts. */
const pick = (values: readonly Value[], sign: number) => {
  const first = Math.min(...values.map(rankOf))
  return values
    .filter((value) => rankOf(value) === first)
    .reduce<Value>((best, value) => (best === null || sign * (compareValues(value, best) ?? 0) > 0 ? value : best), null)
}

function aggregate(call: Expression, all: readonly Row[]): Value {
  if (call.kind === 'binary') {
    const [left, right] = [call.left, call.right].map((part) => constant(aggregate(part, all)))
    return evaluate({ ...call, left, right } as Expression, {})
  }
  if (call.kind !== 'call') throw new Error(`the evaluator has no ${call.kind} of rows`)
  const { name, arguments: nodes } = call
  const conditional = name !== 'count' && name.endsWith('if')
  const rows = conditional ? all.filter((row) => truthOf(evaluate(nodes.at(-1) as Expression, row))) : all
  if (name === 'count' || name === 'countif') return BigInt(rows.length)
  const values = rows.map((row) => evaluate(nodes[0] as Expression, row)).filter((value) => value !== null)
  const numbers = values
    .filter((value) => numberOf(value) !== null)
    .map((value) => (typeof value === 'bigint' || isTimespan(value) ? value : realOf(value)))
  switch (name) {
    case 'sum':
    case 'sumif':
      return numbers.length === 0 ? 0n : total(numbers)
    case 'avg':
    case 'avgif':
      return numbers.length === 0 ? null : evenly(total(numbers), numbers.length)
    case 'arg_min':
    case 'arg_max':
      return returnedOf(nodes[1] as Expression, extremeRow(call, rows))
    case 'min':
    case 'minif':
      return pick(values, -1)
    case 'max':
    case 'maxif':
      return pick(values, 1)
    case 'dcount':
      return BigInt(new Set(values.map((value) => keyText([value]))).size)
    case 'make_list':
      return values
    default:
      throw new Error(`the evaluator has no ${name}()`)
  }
}

/** A row for each item; none for an empty array, and one for a missing one. */
function expand(row: Row, column: Named): Row[] {
  const list = evaluate(column.expression, row)
  const items: readonly Value[] = Array.isArray(list) ? (list as readonly Value[]) : [list]
  return items.map((item) => ({ ...row, [nameOf(column)]: item }))
}

/** Whatever their types are, they are looked up by their texts. */
const isSameKey = (a: Value, b: Value) => a !== null && b !== null && textOf(a) === textOf(b)

/** Missing keys match nothing. */
function join(left: Row[], right: Row[], { join: kind, on }: Join): Row[] {
  const [key] = on as [Join['on'][number]]
  const matches = (row: Row) => right.filter((other) => isSameKey(evaluate(key.left, row), evaluate(key.right, other)))
  const absent = Object.fromEntries(Object.keys(right[0] ?? {}).map((name) => [name, null]))
  return left.flatMap((row) => {
    const found = matches(row)
    if (kind === 'leftsemi') return found.length > 0 ? [row] : []
    if (kind === 'leftanti') return found.length > 0 ? [] : [row]
    if (kind === 'innerunique') return found.slice(0, 1).map((other) => ({ ...other, ...row }))
    const beside = kind === 'leftouter' && found.length === 0 ? [absent] : found
    return beside.map((other) => ({ ...other, ...row }))
  })
}
