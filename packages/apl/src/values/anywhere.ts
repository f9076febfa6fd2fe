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
  const texts = [...scope.names()].flatMap((name) => textsOf(scope.find(name)))
  if (texts.length === 0) return boolean('false')
  const [single, together] = [texts.slice(0, SINGLE_MAX), texts.slice(SINGLE_MAX)]
  return joined([...single.map((text) => test(asText(text))), ...(together.length > 0 ? [anyOf(together, test)] : [])], 'OR')
}

/** The texts among the values of a field: a number is none, whatever else its field holds. */
function textsOf(field: Value | undefined): Value[] {
  const value = field?.alone ?? field
  const parts = value?.parts?.().filter(({ kind }) => kind === 'string' || kind === 'dynamic') ?? (value ? [value] : [])
  return parts.filter(({ kind, type }) => kind === 'string' || (kind === 'dynamic' && type !== 'boolean'))
}

const asText = (value: Value) => (value.kind === 'string' ? value : typed('string', value.as('text')))

/** The test as a function of the engine's, over an array of the texts. */
function anyOf(texts: readonly Value[], test: (text: Value) => Value): Value {
  const parameter = 'x'
  const holds = test(typed('string', parameter)).as('truth')
  const items = texts.map((text) => `ifNull(${text.as('text')}, '')`).join(', ')
  return boolean(`arrayExists(${parameter} -> ${holds}, [${items}])`)
}
