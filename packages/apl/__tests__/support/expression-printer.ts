/**
 * Expressions back to text, with just the brackets they need. Parsing the text gives an equal tree.
 * Deliberately not here: layout; a query is printed one operator a line.
 */

import type { LiteralValue } from '../../src/text/literal.ts'
import type { Expression, Named, Pattern, Pipeline, SortKey, Union } from '../../src/tree/ast.ts'
import { printLiteral, quoteString } from './literal-printer.ts'

/** How tightly each operator binds: the printer's own table, so that a wrong one in the parser shows. */
const BINDING = { or: 1, and: 2, comparison: 3, additive: 4, multiplicative: 5, prefix: 6, postfix: 7 } as const
/** Functions whose argument may stand unquoted. */
const TAKES_RAW = new Set(['datetime', 'date', 'timespan', 'time'])
const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u
/** Words that mean something where an expression may end; a field of that name is quoted. */
const WORDS = new Set(
  'and or in between contains startswith endswith has hasprefix hassuffix has_any has_all matches regex asc desc nulls by on with to from step default limit of kind true false null dynamic datetime date time timespan let print union search datatable'.split(
    ' ',
  ),
)

export abstract class ExpressionPrinter {
  /** The other side of a union or a join. */
  abstract branch(pipeline: Pipeline): string
  /** The members of a union, patterns among them. */
  abstract members(members: readonly Pipeline[], options: Pick<Union, 'common' | 'withSource'>): string
  abstract pipeline(pipeline: Pipeline): string

  name(name: string): string {
    return PLAIN_NAME.test(name) && !WORDS.has(name) ? name : `[${quoteString(name)}]`
  }

  literal(value: LiteralValue): string {
    return printLiteral(value)
  }

  /** A column name that is written before `=`. */
  target(name: string): string {
    return this.name(name)
  }

  pattern({ pattern, exact }: Pattern): string {
    return exact ? `[${quoteString(pattern)}]` : pattern
  }

  named({ name, expression }: Named): string {
    return name === undefined ? this.expression(expression) : `${this.target(name)} = ${this.expression(expression)}`
  }

  list<T>(items: readonly T[], print: (item: T) => string): string {
    return items.map(print).join(', ')
  }

  sortKey({ expression, descending, nulls }: SortKey): string {
    return `${this.expression(expression)} ${descending ? 'desc' : 'asc'}${nulls ? ` nulls ${nulls}` : ''}`
  }

  /** In `datetime(…)` what begins with a digit would be read as a literal; brackets keep it an expression. */
  private argument(name: string, argument: Expression): string {
    const text = this.expression(argument)
    return TAKES_RAW.has(name) && /^[-\d]/.test(text) ? `(${text})` : text
  }

  /** @param binding how tightly the surroundings bind; looser expressions are bracketed */
  expression(node: Expression, binding = 0): string {
    const bracket = (own: number, text: string) => (own < binding ? `(${text})` : text)
    switch (node.kind) {
      case 'literal':
        return this.literal(node.value)
      case 'name':
        return this.name(node.name)
      case 'star':
        return '*'
      case 'member': {
        const object = this.expression(node.object, BINDING.postfix)
        return node.quoted ? `${object}[${quoteString(node.key)}]` : `${object}.${node.key}`
      }
      case 'index':
        return `${this.expression(node.object, BINDING.postfix)}[${this.expression(node.index)}]`
      case 'call':
        return `${node.name}(${this.list(
          node.arguments.map((argument, at) => ({ argument, name: node.names?.[at] })),
          ({ argument, name }) => `${name === undefined ? '' : `${this.target(name)} = `}${this.argument(node.name, argument)}`,
        )})`
      case 'tabular':
        return `(${this.pipeline(node.pipeline)})`
      case 'negation':
        return bracket(BINDING.prefix, `-${this.expression(node.operand, BINDING.prefix)}`)
      case 'logical': {
        const own = BINDING[node.operator]
        return bracket(own, node.operands.map((operand) => this.expression(operand, own + 1)).join(` ${node.operator} `))
      }
      case 'binary': {
        const own =
          node.operator === '+' || node.operator === '-'
            ? BINDING.additive
            : node.operator === '*' || node.operator === '/' || node.operator === '%'
              ? BINDING.multiplicative
              : BINDING.comparison
        // Comparisons are not chained.
        const left = own === BINDING.comparison ? own + 1 : own
        return bracket(own, `${this.expression(node.left, left)} ${node.operator} ${this.expression(node.right, own + 1)}`)
      }
      case 'in-list':
        return bracket(
          BINDING.comparison,
          `${this.expression(node.value, BINDING.comparison)} ${node.operator} (${this.list(node.list, (item) => this.expression(item))})`,
        )
      case 'between':
        return bracket(
          BINDING.comparison,
          `${this.expression(node.value, BINDING.comparison)} ${node.negated ? '!between' : 'between'} (${this.expression(node.low)} .. ${this.expression(node.high)})`,
        )
      default:
        return node satisfies never
    }
  }
}
