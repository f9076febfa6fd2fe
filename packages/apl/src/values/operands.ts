/**
 * Two operands before anything is made of them. What numbers count is known by the names of fields and goes through what is computed of
 * them; beside a length of time, a point in time or a number of another unit, all are read in one unit. Of comparisons that run, are seldom meant so, and mostly find nothing, the author is told
 * what to write: an array beside one of its items, patterns where texts are compared as they are; a constant between `or`s, bounds that leave
 * nothing between them, a time that is still to come, a day as if it were one moment, small letters compared with capitals,
 * a quotient of what may be a decimal.
 * It is long because a query enters no more files for all of these.
 * Deliberately not here: what a comparison means, see `comparison.ts`; which names tell a unit, see `packages/contract/src/unit.ts`.
 */
import { nanosecondsOf } from '@deployment-annotations/contract/unit'
import { CompileError, type Edit, type Span } from '../error.ts'
import { partOf, wholeOf } from '../sql/mixed.ts'
import { commonQuantity, isNumber, type Quantity, timeOfNs, typed, UNKNOWN, type Value } from '../sql/value.ts'
import { TEXT_OPERATORS } from '../text/infix.ts'
import { writeName, writeText } from '../text/nearest.ts'
import type { Binary, Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { calculate } from './arithmetic.ts'
import type { Context } from './context.ts'
import { quoteRegex } from './text-match.ts'

interface Operand {
  readonly value: Value
  readonly node: Expression
}

/** Nanoseconds of one, where the value counts a time. */
const nsOf = ({ quantity }: Value): bigint | undefined => quantity?.unit && nanosecondsOf(quantity.unit)

/**
 * @param written how the comparison is written with numbers
 * @returns values as they are to be used beside a number
 */
export function besideNumber(
  others: readonly Operand[],
  { value: number, node }: Operand,
  written: (counts: readonly string[]) => string,
  context: Context,
): Value[] {
  const values = others.map(({ value }) => value)
  if (!number.quantity && !isNumber(number) && (number.kind !== 'dynamic' || number.literal)) return values
  if (number.quantity?.unit === undefined && values.some(({ kind }) => kind === 'timespan'))
    warnOfSpans(others, node, written, context)
  return values.map((value) => inUnitOf(number, value, node, context))
}

/** A length of time, or a number of another unit of time, as a number in the unit of the first. */
function inUnitOf(number: Value, value: Value, { span }: Expression, context: Context): Value {
  const [ns, other] = [nsOf(number), nsOf(value)]
  if (ns === undefined || (value.kind !== 'timespan' && (other === undefined || other === ns))) return value
  const { quantity } = number
  if (value.kind !== 'timespan') {
    const [operator, factor] =
      (other as bigint) > ns ? (['*', (other as bigint) / ns] as const) : (['/', ns / (other as bigint)] as const)
    const by = context.literal(operator === '*' ? { type: 'integer', value: factor } : { type: 'real', value: Number(factor) })
    return { ...calculate({ operator, left: value, right: by, context, span }), ...(quantity && { quantity }) }
  }
  const { literal } = value
  if (literal?.type !== 'timespan') return ns === 1n ? value : typed('real', `(toFloat64(${value.as('span')}) / ${ns})`)
  return literal.ns % ns === 0n
    ? context.literal({ type: 'integer', value: literal.ns / ns })
    : context.literal({ type: 'real', value: Number(literal.ns) / Number(ns) })
}

/** Milliseconds are what most programs count in. */
const MS = 1_000_000

function warnOfSpans(
  spans: readonly Operand[],
  number: Expression,
  written: Parameters<typeof besideNumber>[2],
  context: Context,
): void {
  const name = dottedName(number)
  const what = name === undefined ? 'a number' : `the number "${name}"`
  const counts = spans.map(({ value: { literal } }) =>
    literal?.type === 'timespan' ? String(Number(literal.ns) / MS) : literal?.type === 'integer' ? String(literal.value) : '',
  )
  const arePlain = counts.every((count) => /^-?\d+(?:\.\d+)?$/.test(count))
  const hint = arePlain ? `where it is milliseconds, write ${name ?? '…'} ${written(counts)}` : 'write a number in its unit'
  context.warn(
    'likely_mistake',
    `${what} is compared with a timespan, which is a number of nanoseconds: ${hint}`,
    arePlain ? spans.map(({ node }, at) => ({ span: node.span, text: counts[at] as string })) : undefined,
  )
}

/** Two operands in one unit: that of the number beside a length of time, and that of the first of two numbers. */
export function inOneUnit({ left, right, operator }: Binary, a: Value, b: Value, context: Context): [Value, Value] {
  if (operator === '*' || TEXT_OPERATORS.has(operator)) return [a, b]
  const [first, second] = [
    { value: a, node: left },
    { value: b, node: right },
  ]
  if (a.kind === 'datetime' || b.kind === 'datetime')
    return [besideTime(operator, first, second, context), besideTime(operator, second, first, context)]
  const written = (sign: string) => (counts: readonly string[]) => `${sign} ${counts}`
  const [ofSecond] = besideNumber([second], first, written(operator), context)
  const [ofFirst] = a.kind === 'timespan' ? besideNumber([first], second, written(MIRRORED[operator] ?? operator), context) : [a]
  return [ofFirst as Value, ofSecond as Value]
}

/** The same comparison from the other side. */
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** A number beside a point in time: added to it, it is a length of time; compared with it, it counts from 1970. */
function besideTime(operator: string, { value, node }: Operand, other: Operand, context: Context): Value {
  if (other.value.kind !== 'datetime' || (!isNumber(value) && !value.quantity)) return value
  const ns = nsOf(value)
  const isShift = operator === '+' || operator === '-'
  if (ns !== undefined) {
    const one = context.literal({ type: 'timespan', ns })
    const span = calculate({ operator: '*', left: value, right: one, context, span: node.span })
    return isShift ? span : typed('datetime', timeOfNs(span.as('span')))
  }
  const name = dottedName(node)
  if (!value.quantity || name === undefined) return value
  const { start, end } = node.span
  const [what, before, after] = isShift
    ? ['is added to a time', '', ' * 1ms']
    : ['is compared with a time', 'unixtime_milliseconds_todatetime(', ')']
  context.warn(
    'likely_mistake',
    `the number "${name}" ${what} as a number of nanoseconds: where it is milliseconds, write ${before}${name}${after}`,
    [
      { span: { start, end: start }, text: before },
      { span: { start: end, end }, text: after },
    ].filter(({ text }): boolean => text !== '') satisfies Edit[],
  )
  return value
}

/** What the result of a calculation counts. Multiplied by 1000 it may count in another unit, by 2 it does not. */
export function withQuantity(operator: string, [left, right]: readonly [Value, Value], result: Value): Value {
  if (!isNumber(result)) return result
  return { ...result, ...quantityOf(operator, left, right) }
}

function quantityOf(operator: string, left: Value, right: Value): Quantity {
  if (operator === '%') return commonQuantity([left])
  if (operator === '+' || operator === '-') return commonQuantity([left, right])
  // A share of two of the same has no unit, and a product of two has one that nobody needs.
  if (right.quantity?.unit && (operator === '/' || left.quantity?.unit)) return {}
  const keeps = [left, right].every(({ literal }) => !literal || isSmall(literal))
  const quantity = commonQuantity(operator === '/' ? [left] : [left, right])
  return keeps || !quantity.quantity ? quantity : UNKNOWN
}

function isSmall(literal: NonNullable<Value['literal']>): boolean {
  const size = literal.type === 'integer' || literal.type === 'real' ? Math.abs(Number(literal.value)) : 0
  return size > 0.1 && size < 10
}

/** Values of which one is chosen, lengths of time among them in the unit of the numbers. */
export function inCommonUnit(values: readonly Value[], node: Expression, context: Context): readonly Value[] {
  const number = values.find((value) => isNumber(value) && nsOf(value) !== undefined)
  return number === undefined ? values : values.map((value) => inUnitOf(number, value, node, context))
}

interface Compared {
  readonly operator: string
  readonly left: Value
  readonly right: Value
  readonly node: { readonly left: Expression; readonly right: Expression; readonly span: Span }
  readonly context: Context
}

/** Tells the author what is probably meant instead. */
export function warnOfComparison(compared: Compared): void {
  warnOfPattern(compared)
  warnOfArray(compared)
  warnOfQuotient(compared)
}

/** `latency / 1000`, where the latency is a decimal in some events and a whole number in others, which divides as one. */
function warnOfQuotient({ operator, left, right, node, context }: Compared): void {
  if (operator !== '/' || wholeOf(left) === undefined || wholeOf(right) === undefined) return
  const decimal = [node.left, node.right].find((_, at) => partOf(at === 0 ? left : right, 'real'))
  if (!decimal) return
  const name = dottedName(decimal)
  const [start, end] = [decimal.span.start, decimal.span.end].map((at) => ({ start: at, end: at })) as [Span, Span]
  context.warn(
    'likely_mistake',
    `${name === undefined ? 'a value' : `"${name}"`} may be a decimal or a whole number, and whole numbers divide to whole numbers (7 / 2 is 3): for decimals, write todouble(${name ?? '…'})`,
    [
      { span: start, text: 'todouble(' },
      { span: end, text: ')' },
    ],
  )
}

const EQUALITIES = new Set(['==', '!=', '=~', '!~'])
const ITEMS = new Set(['string', 'integer', 'real', 'boolean'])
const holdsArrays = ({ type, literal }: Value) => !literal && type.split('|').includes('array')

/** `tags == 'a'`. */
function warnOfArray({ operator, left, right, node, context }: Compared): void {
  const [array, item] = holdsArrays(left) ? [node.left, node.right] : [node.right, node.left]
  const other = array === node.left ? right : left
  if (!EQUALITIES.has(operator) || !holdsArrays(array === node.left ? left : right) || !ITEMS.has(other.kind)) return
  const word = `${operator.startsWith('!') ? '!in' : 'in'}${operator.endsWith('~') ? '~' : ''}`
  const end = { start: node.span.end, end: node.span.end }
  context.warn('likely_mistake', arrayText(array, operator, word), [
    { span: node.span, text: '' },
    { span: end, text: item.span },
    { span: end, text: ` ${word} (` },
    { span: end, text: array.span },
    { span: end, text: ')' },
  ])
}

interface ComparedList {
  readonly operator: string
  readonly value: Value
  readonly list: readonly Value[]
  readonly node: { readonly value: Expression; readonly list: readonly Expression[]; readonly span: Span }
  readonly context: Context
}

/** `tags in ('a', 'b')`. */
export function warnOfList({ operator, value, list, node, context }: ComparedList): void {
  const areItems = list.length > 0 && list.every(({ kind, literal }) => literal && ITEMS.has(kind))
  if (!/^!?in~?$/.test(operator) || !holdsArrays(value) || !areItems) return
  const joint = operator.startsWith('!') ? ' and ' : ' or '
  const end = { start: node.span.end, end: node.span.end }
  const tests = node.list.flatMap((item, at): Edit[] => [
    { span: end, text: at === 0 ? '' : joint },
    { span: end, text: item.span },
    { span: end, text: ` ${operator} (` },
    { span: end, text: node.value.span },
    { span: end, text: ')' },
  ])
  context.warn('likely_mistake', arrayText(node.value, operator, operator), [
    { span: node.span, text: '(' },
    ...tests,
    { span: end, text: ')' },
  ])
}

const arrayText = (array: Expression, operator: string, word: string) => {
  const name = dottedName(array)
  const [what, written] = name === undefined ? ['an array', 'array'] : [`the array "${name}"`, writeName(name)]
  return `${operator} compares all of ${what}, and no item of it: write 'item' ${word} (${written})`
}

/** What finds a text at the beginning, at the end, or anywhere. */
const EDGES: Readonly<Record<string, readonly [begin: string, end: string, inside: string]>> = {
  '==': ['startswith', 'endswith', 'contains'],
  '=~': ['startswith', 'endswith', 'contains'],
  contains: ['contains', 'contains', 'contains'],
  startswith: ['startswith', 'contains', 'contains'],
  endswith: ['contains', 'endswith', 'contains'],
  has: ['hasprefix', 'hassuffix', 'contains'],
  hasprefix: ['hasprefix', 'contains', 'contains'],
  hassuffix: ['contains', 'hassuffix', 'contains'],
  ':': ['hasprefix', 'hassuffix', 'contains'],
}
const WHOLE = new Set(['==', '=~'])
/** Words of operators that look for parts of a term, which have no `_cs` of `contains` besides. */
const isTerm = (text: string) => /^[0-9A-Za-z\x80-\uffff]+$/.test(text)

/** `path == '/api/*'`, `message has 'time*'`, `path =~ '^/[ab]'`. */
function warnOfPattern({ operator, right, node, context }: Compared): void {
  if (right.literal?.type !== 'string') return
  const text = right.literal.value
  const isNegated = operator.startsWith('!')
  const positive = operator === '!=' ? '==' : operator === '!~' ? '=~' : isNegated ? operator.slice(1) : operator
  const [base, cased] = positive.endsWith('_cs') ? [positive.slice(0, -3), '_cs'] : [positive, '']
  const edges = EDGES[base]
  if (!edges) return
  const between = { start: node.left.span.end, end: node.right.span.end }
  const signs = WHOLE.has(base) ? '*%' : '*'
  const stars = new RegExp(`^([${signs}]*)(.*?)([${signs}]*)$`, 's').exec(text)
  const [, before = '', core = '', after = ''] = stars ?? []
  if (text.length > 1 && (before || after) && core !== '') {
    const [begin, end, inside] = edges
    const edge = before === '' ? begin : after === '' ? end : inside
    const word = edge.startsWith('has') && !isTerm(core) ? 'contains' : edge
    const sign = (before || after)[0]
    const isPlain = !core.includes('*')
    const found = isPlain ? ` ${isNegated ? '!' : ''}${word}${cased} ${writeText(core)}` : undefined
    context.warn(
      'likely_mistake',
      `"${sign}" stands for itself behind ${operator}: write ${found?.trim() ?? 'matches regex'}`,
      found === undefined ? regexEdits(text, isNegated, WHOLE.has(base), node) : [{ span: between, text: found }],
    )
  } else if (/[\w/.:-]\*[\w/.:-]/.test(text)) {
    context.warn(
      'likely_mistake',
      `"*" stands for itself behind ${operator}: write matches regex`,
      regexEdits(text, isNegated, WHOLE.has(base), node),
    )
  } else if (base === '=~' && /\.[*+.]|\\[dws]|\[[^[\]]+\]|^\^|\$$|\|/.test(text)) {
    const hint = `${operator} compares whole texts, whatever their case: patterns are found by matches regex`
    const begin = { start: node.span.start, end: node.span.start }
    const end = { start: node.span.end, end: node.span.end }
    const word = { span: { start: node.left.span.end, end: node.right.span.start }, text: ' matches regex ' }
    context.warn('likely_mistake', hint, isNegated ? [{ span: begin, text: 'not(' }, word, { span: end, text: ')' }] : [word])
  }
}

/** Stars inside of a text, as a regular expression. */
function regexEdits(text: string, isNegated: boolean, isWhole: boolean, node: Compared['node']): Edit[] {
  const parts = text.split(/[*%]+/).map(quoteRegex).join('.*')
  const pattern = isWhole ? `^${parts}$` : parts.replace(/^\.\*|\.\*$/g, '')
  const test = { span: { start: node.left.span.end, end: node.right.span.end }, text: ` matches regex ${writeText(pattern)}` }
  if (!isNegated) return [test]
  const [begin, end] = [node.span.start, node.span.end].map((at) => ({ start: at, end: at })) as [Span, Span]
  return [{ span: begin, text: 'not(' }, test, { span: end, text: ')' }]
}

const before = ({ start }: Span): Span => ({ start, end: start })

/** `status == 500 or 503`, `where "timeout"`: each side of `or` is a condition of its own. */
export function refuseConstant(node: Expression, previous?: Expression): void {
  if (node.kind !== 'literal' || (node.value.type !== 'string' && node.value.type !== 'integer' && node.value.type !== 'real'))
    return
  const last = previous?.kind === 'logical' ? previous.operands.at(-1) : previous
  const isRepeated = last?.kind === 'binary' && last.right.kind === 'literal' && last.right.value.type === node.value.type
  const fix: Edit[] = isRepeated
    ? [{ span: before(node.span), text: { start: last.span.start, end: last.right.span.start } }]
    : node.value.type === 'string'
      ? [{ span: before(node.span), text: '* contains ' }]
      : []
  const hint = isRepeated
    ? 'each condition names its field: a == 1 or a == 2, or a in (1, 2)'
    : node.value.type === 'string'
      ? "a text in any field is found by * contains 'text'"
      : 'compare it with a field'
  const what = `the ${node.value.type === 'string' ? 'text' : 'number'} alone is no condition`
  throw new CompileError('type_mismatch', what, node.span, fix.length > 0 ? { hint, fix } : hint)
}

const TIMES = new Set(['ago', 'now', 'datetime', 'todatetime'])

type Bound = { readonly node: Binary; readonly at: bigint | number; readonly isTime: boolean }

/** `_time < ago(7d) and _time > ago(1d)`: nothing is both. */
export function warnOfBounds(
  operands: readonly Expression[],
  literalOf: (node: Expression) => Value['literal'],
  context: Context,
): void {
  const lowest = new Map<string, Bound>()
  const highest = new Map<string, Bound>()
  for (const node of operands) {
    const name = node.kind === 'binary' && /^[<>]=?$/.test(node.operator) ? dottedName(node.left) : undefined
    if (node.kind !== 'binary' || name === undefined) continue
    // What is written as a constant: compiling anything else twice could double at each level.
    if (node.right.kind !== 'literal' && !(node.right.kind === 'call' && TIMES.has(node.right.name))) continue
    const at = placeOf(literalOf(node.right))
    if (at === undefined) continue
    const bounds = node.operator.startsWith('>') ? lowest : highest
    if (!bounds.has(name)) bounds.set(name, { node, ...at })
  }
  for (const [name, low] of lowest) {
    const high = highest.get(name)
    if (high && high.isTime === low.isTime && low.at > high.at)
      warnOfGap(name, low.node.right, high.node.right, low.isTime, context)
  }
}

/** `between (now() .. ago(1d))`. */
export function warnOfRange(node: { low: Expression; high: Expression }, low: Value, high: Value, context: Context): void {
  const [from, to] = [placeOf(low.literal), placeOf(high.literal)]
  if (from && to && from.isTime === to.isTime && from.at > to.at) warnOfGap(undefined, node.low, node.high, true, context)
}

function warnOfGap(name: string | undefined, low: Expression, high: Expression, isCertain: boolean, context: Context): void {
  const swapped = [
    { span: low.span, text: high.span },
    { span: high.span, text: low.span },
  ]
  const what = name === undefined ? 'the range begins after its end' : `no "${name}" is above the one bound and below the other`
  context.warn(
    'never_true',
    isCertain ? `${what}: write the earlier or smaller first` : `${what}: join them with or`,
    isCertain ? swapped : undefined,
  )
}

const placeOf = (literal: Value['literal']): { at: bigint | number; isTime: boolean } | undefined =>
  literal?.type === 'datetime'
    ? { at: literal.ns, isTime: true }
    : literal?.type === 'integer' || literal?.type === 'real'
      ? { at: literal.value, isTime: false }
      : undefined

const MINUTE_NS = 60_000_000_000n
const DAY_NS = 1_440n * MINUTE_NS
const FOLDED: Readonly<Record<string, (text: string) => string>> = {
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
}

/** A comparison of a time, or of a text in letters of one size, with a constant that it never is. */
export function warnOfConstant({ node, right, context }: { node: Binary; right: Value; context: Context }): void {
  const { literal } = right
  if (literal?.type === 'string' && node.left.kind === 'call' && /^[=!]=$/.test(node.operator)) {
    const fold = FOLDED[node.left.name]
    const text = fold?.(literal.value)
    if (text !== undefined && text !== literal.value)
      context.warn(
        'never_true',
        `what ${node.left.name}() gives is never ${writeText(literal.value)}: write ${writeText(text)}`,
        [{ span: node.right.span, text: writeText(text) }],
      )
  }
  if (dottedName(node.left) !== '_time') return
  const ns = literal?.type === 'datetime' ? literal.ns : literal?.type === 'string' ? dayOf(literal.value) : undefined
  if (ns === undefined) return
  if (/^>=?$/.test(node.operator) && ns > context.nowNs + MINUTE_NS) {
    const [length] = node.right.kind === 'call' && node.right.name === 'ago' ? node.right.arguments : []
    const isNegative = length?.kind === 'negation'
    const what = `that time is still to come${isNegative ? ': ago() takes how long it is ago, without a sign' : ''}`
    context.warn('likely_mistake', what, isNegative ? [{ span: length.span, text: length.operand.span }] : undefined)
  }
  if (node.operator === '==' && ns % DAY_NS === 0n) {
    const hint = '_time is a moment, and that one is the first of its day: write bin(_time, 1d) == …'
    context.warn('likely_mistake', hint, [{ span: node.left.span, text: 'bin(_time, 1d)' }])
  }
}

const dayOf = (text: string): bigint | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? BigInt(Date.parse(text)) * 1_000_000n : undefined
