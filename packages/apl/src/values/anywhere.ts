/**
 * A test of every text of a row: `* has 'x'`, and the terms of `search`.
 * Deliberately not here: which test.
 */
import { boolean, JSON_TEXT, joined, typed, type Value } from '../sql/value.ts'
import type { Scope } from './context.ts'

/** The most fields that are each tested by themselves, which is quicker; the text of the statement has a bound. */
const SINGLE_MAX = 100

/** Whether the test holds for any field that is a text, or may be one. */
export function anyText(scope: Scope, test: (text: Value) => Value): Value {
  const texts = [...scope.names()].flatMap((name) => textsOf(scope.find(name)))
  const { rest } = scope
  if (texts.length === 0 && !rest) return boolean('false')
  const [single, together] = [texts.slice(0, SINGLE_MAX), texts.slice(SINGLE_MAX)]
  const several = [
    ...(together.length > 0 ? [`[${together.map((text) => `ifNull(${text.as('text')}, '')`).join(', ')}]`] : []),
    ...(rest ? [`arrayMap(v -> ${JSON_TEXT('v')}, ${rest.as('plain')})`] : []),
  ]
  return joined([...single.map((text) => test(asText(text))), ...several.map((items) => overTexts(items, test))], 'OR')
}

/** The texts among the values of a field: a number is none, whatever else its field holds. */
function textsOf(field: Value | undefined): Value[] {
  const value = field?.alone ?? field
  const parts = value?.parts?.().filter(({ kind }) => kind === 'string' || kind === 'dynamic') ?? (value ? [value] : [])
  return parts.filter(({ kind, type }) => kind === 'string' || (kind === 'dynamic' && type !== 'boolean'))
}

const asText = (value: Value) => (value.kind === 'string' ? value : typed('string', value.as('text')))

/** The test as a function of the engine's, over an array of texts. */
export function overTexts(items: string, test: (text: Value) => Value, how: 'arrayExists' | 'arrayAll' = 'arrayExists'): Value {
  const parameter = 'x'
  const holds = test(typed('string', parameter)).as('truth')
  return boolean(`${how}(${parameter} -> ${holds}, ${items})`)
}
