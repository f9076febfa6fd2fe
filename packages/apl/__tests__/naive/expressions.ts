/**
 * Expressions, row by row, straight from the tree: what each operator and function means, written as naively as it can be.
 * Deliberately not here: any type inference, and any function that `programs.ts` does not write.
 */

import type { LiteralValue } from '../../src/text/literal.ts'
import type { Binary, Expression } from '../../src/tree/ast.ts'
import { dottedName } from '../../src/tree/expression-name.ts'
import { occurs } from './occurrences.ts'
import {
  compareValues,
  isTime,
  isTimespan,
  type Row,
  realOf,
  type Time,
  type Timespan,
  textOf,
  timeOf,
  truthOf,
  type Value,
  wholeOf,
} from './values.ts'
import { isWhole } from './whole.ts'

/** @param rows those of the table, in their order, where a function may look beside the row */
export function evaluate(node: Expression, row: Row, rows: readonly Row[] = []): Value {
  const value = (child: Expression) => evaluate(child, row, rows)
  switch (node.kind) {
    case 'literal':
      return literal(node.value)
    case 'name':
    case 'member':
      return field(dottedName(node) ?? '', row)
    case 'negation':
      return calculate('-', 0n, value(node.operand))
    case 'logical':
      return node.operator === 'and'
        ? node.operands.every((operand) => truthOf(value(operand)))
        : node.operands.some((operand) => truthOf(value(operand)))
    case 'binary':
      if (node.operator === '/' && !isWhole(node)) return calculate('/', realOf(value(node.left)), value(node.right))
      return binary(node.operator, ...besideText(node, value(node.left), value(node.right)))
    case 'in-list': {
      if (/has_/.test(node.operator)) {
        const [all, negated] = [node.operator.includes('all'), node.operator.startsWith('!')]
        const tests = node.list.map((item) => binary('has', value(node.value), value(item)) === true)
        return (all ? tests.every(Boolean) : tests.some(Boolean)) !== negated
      }
      const found = node.list.some((item) => binary(node.operator.includes('~') ? '=~' : '==', value(node.value), value(item)))
      return node.operator.startsWith('!') ? !found : found
    }
    case 'between': {
      const [low, high] = [compareValues(value(node.value), value(node.low)), compareValues(value(node.value), value(node.high))]
      return (low !== null && low >= 0 && high !== null && high <= 0) !== node.negated
    }
    case 'index': {
      const list = value(node.object)
      return Array.isArray(list) ? (list[Number(value(node.index))] ?? null) : null
    }
    case 'call': {
      const look = WINDOWS[node.name]
      if (look) {
        const values = node.arguments.map((argument) => (of: Row) => evaluate(argument, of, rows))
        return look(rows, rows.indexOf(row), values)
      }
      const compute = FUNCTIONS[node.name]
      if (!compute) throw new Error(`the evaluator has no ${node.name}()`)
      return compute(...node.arguments.map(value))
    }
    default:
      throw new Error(`the evaluator has no ${node.kind}`)
  }
}

/** @param rows those of the table, of which the row is at a place, and what the arguments are in one of them */
type Look = (rows: readonly Row[], at: number, values: readonly ((row: Row) => Value)[]) => Value
/** Of the row so many rows on, or else the last argument. */
const beside =
  (sign: number): Look =>
  (rows, at, [of, distance, otherwise]) => {
    const row = rows[at] as Row
    const other = rows[at + sign * (distance ? Number(distance(row)) : 1)]
    if (!other) occurs('a value of no row')
    return (other ? of?.(other) : otherwise?.(row)) ?? null
  }
const WINDOWS: Readonly<Record<string, Look>> = {
  prev: beside(-1),
  next: beside(1),
  row_number: (_rows, at) => BigInt(at + 1),
  row_cumsum: (rows, at, [of]) => rows.slice(0, at + 1).reduce<Value>((sum, row) => calculate('+', sum, of?.(row) ?? 0n), 0n),
}

/** Of `d.n` the key inside of a key, or else the one key with a dot; of `d\\.n` that alone. */
function field(name: string, row: Row): Value {
  if (name.includes('\\')) occurs('a key with a dot, escaped')
  else if (name.includes('.')) occurs('a key with a dot')
  const value = row[name]
  if (value !== undefined && value !== null) return value
  const other = Object.keys(row).find((key) => key.includes('\\') && key.replaceAll('\\', '') === name)
  return other === undefined ? null : (row[other] as Value)
}

function literal(value: LiteralValue): Value {
  switch (value.type) {
    case 'datetime':
      return { timeNs: value.ns }
    case 'timespan':
      return { spanNs: value.ns }
    case 'null':
      return null
    case 'dynamic':
      return JSON.parse(value.json, (_key, item: unknown) => (Number.isInteger(item) ? BigInt(item as number) : item)) as Value
    default:
      return value.value
  }
}

/** True and false beside a constant text are texts. */
function besideText({ left, right }: Pick<Binary, 'left' | 'right'>, ...values: [Value, Value]): [Value, Value] {
  const isConstant = [left, right].some((node) => node.kind === 'literal' && typeof literal(node.value) === 'string')
  return values.map((value) => (isConstant && typeof value === 'boolean' ? String(value) : value)) as [Value, Value]
}

type Test = (order: number) => boolean
const ORDERS: Record<string, Test> = {
  '==': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}
const TEXT_TESTS: Record<string, (text: string, wanted: string) => boolean> = {
  contains: (text, wanted) => text.includes(wanted),
  startswith: (text, wanted) => text.startsWith(wanted),
  endswith: (text, wanted) => text.endsWith(wanted),
  has,
}
const isInTerm = (char: string | undefined) => char !== undefined && /[0-9A-Za-z\u0080-\u{10ffff}]/u.test(char)

/** At any place where neither edge of what is wanted cuts a term in two. */
function has(text: string, wanted: string): boolean {
  const cuts = (at: number) => isInTerm(text[at - 1]) && isInTerm(text[at])
  return [...text, ''].some((_, at) => text.startsWith(wanted, at) && !cuts(at) && !cuts(at + wanted.length))
}

function binary(operator: string, a: Value, b: Value): Value {
  if ('+-*/%'.includes(operator)) return calculate(operator, a, b)
  if (operator === '!=') return !binary('==', a, b)
  const order = ORDERS[operator]
  if (order) {
    const found = typeof a === 'number' && isTimespan(b) ? compareValues(a, msOf(b)) : compareValues(a, b)
    return found !== null && order(found)
  }
  const [text, wanted] = [textOf(a), textOf(b)]
  if (/[^0-9A-Za-z]/.test(wanted ?? '')) occurs('a needle with a sign')
  if (operator === '=~') return text !== null && wanted !== null && text.toLowerCase() === wanted.toLowerCase()
  if (operator === 'matches regex') return text !== null && new RegExp(wanted ?? '', 'u').test(text)
  const negated = operator.startsWith('!')
  const [name = '', sensitive] = operator.replace('!', '').split('_')
  const test = TEXT_TESTS[name]
  if (!test) throw new Error(`the evaluator has no ${operator}`)
  const fold = (one: string) => (sensitive === 'cs' ? one : one.toLowerCase())
  return (text !== null && wanted !== null && test(fold(text), fold(wanted))) !== negated
}

/** Integers stay integers; what is left of a division is never negative; dividing by zero is missing. */
function calculate(operator: string, a: Value, b: Value): Value {
  if (a === null || b === null) return null
  if (isTime(a) && typeof b === 'string') return calculate(operator, a, timeOf(b))
  if (typeof a === 'string' && (isTime(b) || isTimespan(b))) return calculate(operator, timeOf(a), b)
  if (operator === '-' && typeof a === 'string' && typeof b === 'string') {
    occurs('a difference of two texts')
    return calculate(operator, timeOf(a), timeOf(b))
  }
  // The one field of numbers that stands beside these is in milliseconds.
  if (isTime(a) && typeof b === 'number') return calculate(operator, a, { spanNs: BigInt(Math.trunc(b * 1e6)) })
  if ('+-'.includes(operator) && typeof a === 'number' && isTimespan(b)) return calculate(operator, a, msOf(b))
  if (isTime(a) && isTime(b)) return { spanNs: a.timeNs - b.timeNs }
  if (isTime(a) && isTimespan(b)) return { timeNs: operator === '+' ? a.timeNs + b.spanNs : a.timeNs - b.spanNs }
  if (isTimespan(b) && isTimespan(a)) return { spanNs: operator === '+' ? a.spanNs + b.spanNs : a.spanNs - b.spanNs }
  if (typeof a === 'bigint' && typeof b === 'bigint') return whole(operator, a, b)
  const [x, y] = [realOf(a), realOf(b)]
  if (x === null || y === null) return null
  if ((operator === '/' || operator === '%') && y === 0) return null
  return operator === '+'
    ? x + y
    : operator === '-'
      ? x - y
      : operator === '*'
        ? x * y
        : operator === '/'
          ? x / y
          : remainder(x, y)
}

const msOf = ({ spanNs }: Timespan) => Number(spanNs) / 1e6

function whole(operator: string, a: bigint, b: bigint): Value {
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  if (operator === '*') return a * b
  if (b === 0n) return null
  if (operator === '/') {
    if (a % b !== 0n) occurs('a quotient cut to a whole number')
    return a / b
  }
  const left = a % b
  return left < 0n ? left + (b < 0n ? -b : b) : left
}

function remainder(x: number, y: number): number {
  const left = x % y
  return left < 0 ? left + Math.abs(y) : left
}

const floorOf = (ns: bigint, sizeNs: bigint) => floorDiv(ns, sizeNs) * sizeNs
const floorDiv = (a: bigint, b: bigint) => a / b - (a % b < 0n ? 1n : 0n)
const ifThere =
  <T extends Value>(compute: (value: T, ...more: Value[]) => Value) =>
  (value: Value, ...more: Value[]): Value =>
    value === null ? null : compute(value as T, ...more)
const ofText = (compute: (text: string, ...more: Value[]) => Value) => ifThere<string>(compute)
const ofReal = (compute: (x: number) => Value) => (value: Value) => {
  const x = realOf(value)
  return x === null ? null : compute(x)
}
const ofTime = (compute: (date: Date, ns: bigint) => number) => (value: Value) => {
  const time = timeOf(value)
  return time && BigInt(compute(new Date(Number(floorDiv(time.timeNs, 1_000_000n))), time.timeNs))
}
const floorTime = (value: Value, sizeNs: bigint): Value =>
  isTimespan(value)
    ? { spanNs: floorOf(value.spanNs, sizeNs) }
    : ifThere<Time>(({ timeNs }) => ({ timeNs: floorOf(timeNs, sizeNs) }))(timeOf(value))
const DAY_NS = 86_400_000_000_000n

/** Half away from zero. */
const rounded = (x: number) => Math.sign(x) * Math.round(Math.abs(x))
/** From the end where it is negative. */
const place = (at: Value, length: number) => Math.max(Number(at) < 0 ? length + Number(at) : Number(at), 0)
const choose = (...values: Value[]): Value => {
  for (let at = 0; at + 1 < values.length; at += 2) if (truthOf(values[at] as Value)) return values[at + 1] as Value
  return values.at(-1) as Value
}

const FUNCTIONS: Readonly<Record<string, (...values: Value[]) => Value>> = {
  iff: choose,
  case: choose,
  not: (value) => !truthOf(value as Value),
  isnull: (value) => value === null,
  isnotnull: (value) => value !== null,
  isempty: (value) => value === null || value === '',
  isnotempty: (value) => value !== null && value !== '',
  coalesce: (...values) => values.find((value) => value !== null && value !== '') ?? values.at(-1) ?? null,
  todatetime: (value) => timeOf(value as Value),
  tostring: (value) => textOf(value as Value) ?? '',
  toint: (value) => wholeOf(value as Value),
  todouble: (value) => realOf(value as Value),
  abs: ifThere((value) => (typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(value as number))),
  sign: ofReal((x) => BigInt(Math.sign(x))),
  floor: ofReal((x) => Math.floor(x)),
  round: ofReal(rounded),
  sqrt: ofReal((x) => Math.sqrt(x)),
  bin: ifThere((value, size) => {
    if (typeof value === 'number' && isTimespan(size as Value))
      return calculate('-', value, remainder(value, msOf(size as Timespan)))
    if (isTimespan(size as Value)) return floorTime(value, (size as { spanNs: bigint }).spanNs)
    if (typeof value === 'bigint' && typeof size === 'bigint') return floorDiv(value, size) * size
    return Math.floor(Number(value) / Number(size)) * Number(size)
  }),
  strlen: ofText((text) => BigInt([...text].length)),
  tolower: ofText((text) => text.toLowerCase()),
  toupper: ofText((text) => text.toUpperCase()),
  reverse: ofText((text) => [...text].reverse().join('')),
  strcat: (...values) => values.map((value) => textOf(value) ?? '').join(''),
  substring: ofText((text, from, length) => {
    const chars = [...text]
    const start = place(from as Value, chars.length)
    return chars.slice(start, length === undefined ? undefined : start + Math.max(Number(length), 0)).join('')
  }),
  indexof: ofText((text, wanted) => BigInt(text.indexOf(wanted as string))),
  replace_string: (from, to, text) => (text === null ? null : (text as string).replaceAll(from as string, to as string)),
  countof: (wanted, text) => (text === null ? null : BigInt((text as string).split(wanted as string).length - 1)),
  extract: (pattern, group, text) =>
    text === null ? null : (new RegExp(pattern as string, 'u').exec(text as string)?.[Number(group)] ?? null),
  dayofweek: ofTime((date) => date.getUTCDay()),
  hourofday: ofTime((date) => date.getUTCHours()),
  dayofmonth: ofTime((date) => date.getUTCDate()),
  getyear: ofTime((date) => date.getUTCFullYear()),
  startofday: (value) => floorTime(value as Value, DAY_NS),
  array_length: ifThere<readonly Value[]>((list) => BigInt(list.length)),
  array_sum: ifThere<readonly Value[]>((list) =>
    list.length === 0 ? null : list.reduce<number>((sum, item) => sum + Number(item), 0),
  ),
  array_slice: ifThere<readonly Value[]>((list, from, to) =>
    list.slice(place(from as Value, list.length), place(to as Value, list.length)),
  ),
  array_reverse: ifThere<readonly Value[]>((list) => [...list].reverse()),
  array_index_of: ifThere<readonly Value[]>((list, item) => BigInt(list.indexOf(item as Value))),
}
