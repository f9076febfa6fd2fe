/** `where`: keeps the rows for which a predicate holds. Not here: any search without a field; see `search`. */
import type { Where } from '../ast.ts'
import type { OperatorDefinition } from './definition.ts'

export const where: OperatorDefinition<Where> = {
  keywords: ['where', 'filter'],
  syntax: 'predicate',
  parse: (parser) => ({ predicate: parser.expression() }),
  compile: ({ predicate }, input, context) => input.filtered((relation) => context.expression(predicate, relation).as('filter')),
}
