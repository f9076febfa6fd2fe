/** Which function is being called at a place, and which of its arguments is there; `‸` in a text is the caret. */
import { expect, test } from '@jest/globals'
import { readCall } from '../../src/query/written-call.ts'
import type { LanguageFunction } from '../../src/service/language.ts'

const named = (name: string, parameters: string[], names: string[], signature: string): LanguageFunction => ({
  name,
  kind: 'scalar',
  parameters,
  arguments: names,
  signature,
})
const FUNCTIONS = [
  named('substring', ['text', 'integer', 'integer?'], ['source', 'start', 'length'], 'substring(source, start, [length])'),
  named('strcat', ['text*'], ['value'], 'strcat(value, …)'),
  named('case', ['truth', 'any*', 'any'], ['condition', 'value', 'otherwise'], 'case(condition, value, …, otherwise)'),
  named('now', [], [], 'now()'),
]

/** The signature with the argument at the caret in angle brackets. */
function at(marked: string): string | undefined {
  const found = readCall(marked.replace('‸', ''), marked.indexOf('‸'), FUNCTIONS)
  if (!found) return undefined
  const { signature, from, to } = found
  return from === to ? signature : `${signature.slice(0, from)}<${signature.slice(from, to)}>${signature.slice(to)}`
}

test.each([
  ['web | where substring(‸', 'substring(<source>, start, [length])'],
  ["web | where substring(path, ‸1) == 'a'", 'substring(source, <start>, [length])'],
  ["web | where substring('a,(b', 1, ‸", 'substring(source, start, [<length>])'],
  ['web | extend x = substring(path, (1 + ‸2))', 'substring(source, <start>, [length])'],
  ['web | extend x = substring(strcat(a, b, ‸', 'strcat(<value>, …)'],
  ['web | extend x = substring(strcat(a, b), ‸', 'substring(source, <start>, [length])'],
  ['web | extend x = substring(tags[a, ‸', 'substring(<source>, start, [length])'],
  ['web | extend x = case(ok, 1, ok, ‸', 'case(condition, <value>, …, otherwise)'],
  ['web | extend x = substring(nothing(1, ‸', 'substring(<source>, start, [length])'],
  ['web | extend x = now(‸', 'now()'],
  ['web | extend x = substring(path, 1, 2, ‸', 'substring(source, start, [length])'],
  ['web | where x in (users | where substring(name, ‸', 'substring(source, <start>, [length])'],
])('%s', (text, shown) => {
  expect(at(text)).toBe(shown)
})

test.each([
  'web | where substring(path, 1)‸',
  'web | where ‸substring(path, 1)',
  'web | where subs‸tring(path, 1)',
  'web | where (a and ‸',
  'web | where substring(path\n| where ‸',
  'web // substring(‸',
])('no call is shown at %s', (text) => {
  expect(at(text)).toBeUndefined()
})
