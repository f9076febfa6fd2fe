/**
 * What an operator of the pipeline is: how it is read and compiled, in one place.
 * Deliberately not here: the operators, each a file beside this one.
 */

import type { Span } from '../error.ts'
import type { Relation } from '../sql/relation.ts'
import type { Operator, OperatorOf } from '../tree/ast.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import type { Context } from '../values/context.ts'

/** The operator without what every node has. */
type Body<K extends Operator['kind']> = Omit<OperatorOf<K>, 'kind' | 'span'>

export interface OperatorDefinition<K extends Operator['kind'] = Operator['kind']> {
  /** Its spellings; the first is the usual one. */
  readonly keywords: readonly [string, ...string[]]
  /** Its grammar after the keyword, for the documentation. */
  readonly syntax: string
  /** Reads what follows the keyword. */
  parse(parser: ExpressionParser, keyword: Span, spelling: string): Body<K>
  compile(operator: OperatorOf<K>, input: Relation, context: Context): Relation
}
