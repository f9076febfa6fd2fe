/**
 * Two operands before anything is made of them. Lengths of time beside numbers that count something are read in their unit: `duration_ms >
 * 5s`. And of comparisons that run, are seldom meant so, and mostly find nothing, the author is told what to write: a number beside a
 * timespan, an array beside one of its items, patterns where texts are compared as they are.
 * Deliberately not here: what a comparison means; see `comparison.ts`.
 */
import { nanosecondsOf } from '@deployment-annotations/contract/unit'
import type { Binary, Expression } from './ast.ts'
import type { Context } from './context.ts'
import type { Edit, Span } from './error.ts'
import { dottedName } from './expression-name.ts'
import { TEXT_OPERATORS } from './infix.ts'
import { writeName, writeText } from './nearest.ts'
import { quoteRegex } from './text-match.ts'
import { typed, type Value } from './value.ts'

interface Operand {
  readonly value: Value
  readonly node: Expression
}

/**
 * @param written how the comparison is written with numbers
 * @returns values as they are to be used beside another
 */
export function besideNumber(
  spans: readonly Operand[],
  number: Operand,
  written: (counts: readonly string[]) => string,
  context: Context,
): Value[] {
  const { quantity } = number.value
  const values = spans.map(({ value }) => value)
  if (!quantity || !values.some(({ kind }) => kind === 'timespan')) return values
  const ns = quantity.unit && nanosecondsOf(quantity.unit)
  if (quantity.unit === undefined) warnOfSpans(spans, number.node, written, context)
  return ns === undefined ? values : values.map((value) => (value.kind === 'timespan' ? inUnit(value, ns, context) : value))
}

function inUnit(value: Value, ns: bigint, context: Context): Value {
  const { literal } = value
  if (literal?.type !== 'timespan') return ns === 1n ? value : typed('real', `(toFloat64(${value.as('span')}) / ${ns})`)
  if (literal.ns % ns === 0n) return context.literal({ type: 'integer', value: literal.ns / ns })
  return context.literal({ type: 'real', value: Number(literal.ns) / Number(ns) })
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

/** Of two operands, a length of time in the unit of the other. */
export function inOneUnit({ left, right, operator }: Binary, a: Value, b: Value, context: Context): [Value, Value] {
  if (operator === '*' || TEXT_OPERATORS.has(operator)) return [a, b]
  const [first, second] = [
    { value: a, node: left },
    { value: b, node: right },
  ]
  const written = (sign: string) => (counts: readonly string[]) => `${sign} ${counts}`
  const [ofSecond] = besideNumber([second], first, written(operator), context)
  const [ofFirst] = besideNumber([first], second, written(MIRRORED[operator] ?? operator), context)
  return [ofFirst as Value, ofSecond as Value]
}

/** The same comparison from the other side. */
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

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
  } else if (base === '=~' && /\.[*+.]|\\[dws]|\[[^\]]+\]|^\^|\$$|\|/.test(text)) {
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
