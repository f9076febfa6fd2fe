/**
 * `search`: rows in which any text field has a term, or a field that is named.
 * Deliberately not here: searching several datasets; that is `union` before it.
 */
import type { Expression, Search } from '../ast.ts'
import type { Context } from '../context.ts'
import type { Relation } from '../relation.ts'
import type { Span } from '../source.ts'
import { matchText } from '../text-match.ts'
import { boolean, typed, type Value } from '../value.ts'
import type { OperatorDefinition } from './definition.ts'

export const search: OperatorDefinition<Search> = {
  keywords: ['search'],
  syntax: '[kind = case_sensitive] "term" | field:"term" | predicate, joined by and, or, not()',
  parse: (parser) => {
    let caseSensitive = false
    if (parser.isWord('kind') && parser.isSymbol('=', 1)) {
      parser.next()
      parser.next()
      caseSensitive =
        parser.expectOneOf(['case_sensitive', 'case_insensitive', 'default'] as const, 'kind of search') === 'case_sensitive'
    }
    return { caseSensitive, predicate: parser.expression() }
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
  if (node.kind === 'binary' && node.operator === ':' && node.left.kind === 'star') return inner(node.right)
  return haystack.context.expression(node, haystack.relation)
}

/** The term in any text. `*` at its ends asks for a part of a term instead of a whole one. */
function anywhere(text: string, span: Span, { caseSensitive, relation, context }: Haystack): Value {
  const fields = relation.names().map((name) => relation.find(name) as Value)
  const texts = fields.filter(({ kind, type }) => kind === 'string' || (kind === 'dynamic' && type !== 'boolean'))
  if (texts.length === 0) return boolean('false')
  const term = text.replace(/^\*|\*$/g, '')
  const operator = term === text ? 'has' : 'contains'
  const test = matchText({
    operator: caseSensitive ? `${operator}_cs` : operator,
    left: typed('string', 'x'),
    right: context.literal({ type: 'string', value: term }),
    context,
    span,
  })
  return boolean(`arrayExists(x -> ${test.as('truth')}, [${texts.map((value) => `ifNull(${value.as('text')}, '')`).join(', ')}])`)
}
