/**
 * `search`: rows in which any text field has a term, or a field that is named.
 * Deliberately not here: searching several datasets; that is a union before it, which the parser puts there.
 */

import type { Span } from '../error.ts'
import type { Relation } from '../sql/relation.ts'
import { boolean, type Value } from '../sql/value.ts'
import type { Expression } from '../tree/ast.ts'
import { anyText } from '../values/anywhere.ts'
import type { Context } from '../values/context.ts'
import { matchText, quoteRegex } from '../values/text-match.ts'
import type { OperatorDefinition } from './definition.ts'

export const search: OperatorDefinition<'search'> = {
  keywords: ['search'],
  syntax: '[kind = case_sensitive] "term" | * | field:"term" | predicate, joined by and, or, not()',
  parse: (parser) => {
    const kinds = ['case_sensitive', 'case_insensitive', 'default'] as const
    const kind = parser.acceptOption('kind') ? parser.expectOneOf(kinds, 'kind of search') : 'default'
    return { caseSensitive: kind === 'case_sensitive', predicate: parser.expression() }
  },
  compile: ({ predicate, caseSensitive }, input, context) =>
    input.filtered((relation) => compile(predicate, { caseSensitive, relation, context }).as('filter')),
}

/** Where a predicate is searched for, and how. */
interface Haystack {
  readonly caseSensitive: boolean
  readonly relation: Relation
  readonly context: Context
}

function compile(node: Expression, haystack: Haystack): Value {
  const inner = (child: Expression) => compile(child, haystack)
  if (node.kind === 'literal' && node.value.type === 'string') return anywhere(node.value.value, node.span, haystack)
  if (node.kind === 'logical')
    return boolean(
      `(${node.operands.map((operand) => inner(operand).as('truth')).join(node.operator === 'and' ? ' AND ' : ' OR ')})`,
    )
  if (node.kind === 'call' && node.name === 'not' && node.arguments.length === 1)
    return boolean(`(NOT ${inner(node.arguments[0] as Expression).as('truth')})`)
  if (node.kind === 'star') return boolean('true')
  if (node.kind === 'binary' && node.operator === ':' && node.left.kind === 'star') return inner(node.right)
  return haystack.context.expression(node, haystack.relation)
}

/** The term in any text. */
function anywhere(text: string, span: Span, { caseSensitive, relation, context }: Haystack): Value {
  const { operator, term } = termOf(text)
  const right = context.literal({ type: 'string', value: operator === 'matches regex' && !caseSensitive ? `(?i)${term}` : term })
  const sensitive = operator !== 'matches regex' && caseSensitive
  return anyText(relation, (left) => matchText({ operator: sensitive ? `${operator}_cs` : operator, left, right, context, span }))
}

/** `*` at an end asks for a part of a term instead of a whole one; inside, `*` is any text and `?` any character. */
function termOf(text: string): { operator: 'has' | 'hasprefix' | 'hassuffix' | 'contains' | 'matches regex'; term: string } {
  const [, before, term, after] = /^(\*?)(.*?)(\*?)$/s.exec(text) as unknown as [string, string, string, string]
  if (/[*?]/.test(term)) {
    const inside = term.replace(/[^*?]+|[*?]/g, (part) => (part === '*' ? '.*' : part === '?' ? '.' : quoteRegex(part)))
    return { operator: 'matches regex', term: `${before ? '' : '\\b'}${inside}${after ? '' : '\\b'}` }
  }
  if (before && after) return { operator: 'contains', term }
  return { operator: before ? 'hassuffix' : after ? 'hasprefix' : 'has', term }
}
