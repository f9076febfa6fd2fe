/** `where`: keeps the rows for which a predicate holds. Not here: any search without a field; see `search`. */

import { refuseConstant } from '../expressions/conditions.ts'
import { ALWAYS_TRUE } from '../sql/plan.ts'
import type { OperatorDefinition } from './definition.ts'

export const where: OperatorDefinition<'where'> = {
  keywords: ['where', 'filter'],
  syntax: 'predicate',
  parse: (parser) => ({ predicate: parser.expression() }),
  compile: ({ predicate }, input, context) =>
    input.filtered((relation) => {
      refuseConstant(predicate)
      const value = context.expression(predicate, relation)
      if (value.literal?.type === 'boolean' && value.literal.value)
        context.warn(ALWAYS_TRUE, 'where clause always evaluates to TRUE, which will include all data')
      return value.as('filter')
    }),
}
