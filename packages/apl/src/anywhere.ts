/**
 * A test of every text of a row: `* has 'x'`, and the terms of `search`.
 * Deliberately not here: which test.
 */
import type { Scope } from './context.ts'
import { boolean, typed, type Value } from './value.ts'

/** Whether the test holds for any field that is a text, or may be one. */
export function anyText(scope: Scope, test: (text: Value) => Value): Value {
  const fields = [...scope.names()].map((name) => scope.find(name) as Value)
  const texts = fields.filter(({ kind, type }) => kind === 'string' || (kind === 'dynamic' && type !== 'boolean'))
  if (texts.length === 0) return boolean('false')
  const condition = test(typed('string', 'x')).as('truth')
  return boolean(`arrayExists(x -> ${condition}, [${texts.map((value) => `ifNull(${value.as('text')}, '')`).join(', ')}])`)
}
