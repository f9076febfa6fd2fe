/**
 * Patterns where texts are compared as they are, such as `path == '/api/*'`: what is compared is a `*`, and mostly nothing has one.
 * Deliberately not here: regular expressions that are written as such.
 */
import { around, between, type Edit } from '../error.ts'
import { withoutNegation } from '../text/infix.ts'
import { writeText } from '../text/nearest.ts'
import type { WrittenOperation } from '../values/context.ts'
import { quoteRegex } from '../values/text-match.ts'

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
/** `has` and its like look for parts of a term; a text with other characters is found by `contains`. */
const isTerm = (text: string) => /^[0-9A-Za-z\x80-\uffff]+$/.test(text)
const REGEX_SIGNS = /\.[*+.]|\\[dws]|\[[^[\]]+\]|^\^|\$$|\|/

/** `path == '/api/*'`, `message has 'time*'`, `path =~ '^/[ab]'`. */
export function warnOfPattern({ operator, right, node, context }: WrittenOperation): void {
  const positive = withoutNegation(operator)
  const [base, cased] = positive.endsWith('_cs') ? [positive.slice(0, -3), '_cs'] : [positive, '']
  const edges = EDGES[base]
  if (right.literal?.type !== 'string' || !edges) return
  const text = right.literal.value
  const isNegated = positive !== operator
  const isWhole = base === '==' || base === '=~'
  const warn = (message: string, fix: readonly Edit[]) => context.warn('likely_mistake', message, fix)
  const test = { start: node.left.span.end, end: node.right.span.end }
  const byRegex = (edit: Edit) => (isNegated ? [edit, ...around(node.span, 'not(', ')')] : [edit])
  const asRegex = () => byRegex({ span: test, text: ` matches regex ${writeText(regexOf(text, isWhole))}` })

  const core = text.replace(isWhole ? /^[*%]+|(?<![*%])[*%]+$/g : /^\*+|(?<!\*)\*+$/g, '')
  const before = text.slice(0, text.indexOf(core))
  const after = text.slice(before.length + core.length)
  if (text.length > 1 && (before || after) && core !== '') {
    const [begin, end, inside] = edges
    const edge = before === '' ? begin : after === '' ? end : inside
    const word = edge.startsWith('has') && !isTerm(core) ? 'contains' : edge
    const sign = (before || after)[0]
    const written = `${isNegated ? '!' : ''}${word}${cased} ${writeText(core)}`
    if (core.includes('*')) warn(`"${sign}" stands for itself behind ${operator}: write matches regex`, asRegex())
    else warn(`"${sign}" stands for itself behind ${operator}: write ${written}`, [{ span: test, text: ` ${written}` }])
  } else if (/[\w/.:-]\*[\w/.:-]/.test(text)) {
    warn(`"*" stands for itself behind ${operator}: write matches regex`, asRegex())
  } else if (base === '=~' && REGEX_SIGNS.test(text)) {
    const message = `${operator} compares whole texts, whatever their case: patterns are found by matches regex`
    warn(message, byRegex({ span: between(node.left.span, node.right.span), text: ' matches regex ' }))
  }
}

/** Stars inside of a text, as a regular expression. */
function regexOf(text: string, isWhole: boolean): string {
  const parts = text.split(/[*%]+/).map(quoteRegex).join('.*')
  return isWhole ? `^${parts}$` : parts.replace(/^\.\*|\.\*$/g, '')
}
