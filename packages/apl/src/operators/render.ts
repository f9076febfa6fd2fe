/** `render`: says how an answer is to be drawn, which is the choice of who shows it. */

import { lengthOfStage } from '../mistakes/operands.ts'
import type { OperatorDefinition } from './definition.ts'

export const render: OperatorDefinition<'render'> = {
  keywords: ['render'],
  syntax: 'anything',
  parse: (parser) => {
    for (let left = lengthOfStage((ahead) => parser.peek(ahead), 0); left > 0; left--) parser.next()
    return {}
  },
  compile: (_operator, input, context) => {
    context.warn('likely_mistake', 'render changes nothing: how a result is drawn is chosen on the page')
    return input
  },
}
