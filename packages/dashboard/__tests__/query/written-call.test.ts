/** Which function is being called at a place, and which of its arguments is there; `‸` in a text is the caret. */
import { readFileSync } from 'node:fs'
import { testGolden } from '../../../apl/__tests__/support/golden.ts'
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

testGolden(JSON.parse(readFileSync(new URL('written-call.json', import.meta.url), 'utf8')), (text) => at(text) ?? null)
