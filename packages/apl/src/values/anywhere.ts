/**
 * A test of every text of a row: `* has 'x'`, and the terms of `search`.
 * Deliberately not here: which test.
 */

import { boolean, joined, typed, type Value } from '../sql/value.ts'
import type { Scope } from './context.ts'

/** The most fields that are each tested by themselves, which is quicker; the text of the statement has a bound. */
const SINGLE_MAX = 100

/** Whether the test holds for any field that is a text, or may be one. */
export function anyText(scope: Scope, test: (text: Value) => Value): Value {
  const values = [...scope.names()].map((name) => scope.find(name) as Value)
  const fields = values.map(({ alone, ...value }) => alone ?? value)
  // A number is no text, whatever else its field holds.
  const texts = fields
    .flatMap((value) => value.parts?.().filter(({ kind }) => kind === 'string' || kind === 'dynamic') ?? [value])
    .filter(({ kind, type }) => kind === 'string' || (kind === 'dynamic' && type !== 'boolean'))
  if (texts.length === 0) return boolean('false')
  const [single, together] = [texts.slice(0, SINGLE_MAX), texts.slice(SINGLE_MAX)]
  const tests = single.map((value) => test(value.kind === 'string' ? value : typed('string', value.as('text'))))
  if (together.length > 0) {
    const condition = test(typed('string', 'x')).as('truth')
    const all = together.map((value) => `ifNull(${value.as('text')}, '')`).join(', ')
    tests.push(boolean(`arrayExists(x -> ${condition}, [${all}])`))
  }
  return joined(tests, 'OR')
}
