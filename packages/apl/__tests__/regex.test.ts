/** Our check of regular expressions against the engine's own judgement. */
import { afterAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { NOWHERE } from '../src/error.ts'
import { checkRegex } from '../src/regex.ts'
import { Engine } from './support/engine.ts'

const engine = new Engine()
afterAll(() => engine.close())

const accepts = (pattern: string): boolean => {
  try {
    checkRegex(pattern, NOWHERE)
    return true
  } catch {
    return false
  }
}
const engineAccepts = (pattern: string): boolean => {
  try {
    engine.query({
      sql: "SELECT match(materialize('abc'), {p:String}), extractGroups(materialize('abc'), concat('(', {p:String}, ')'))",
      params: { p: pattern },
    })
    return true
  } catch {
    return false
  }
}

const PIECES = [
  'a',
  'b-',
  '.',
  '^',
  '$',
  '|',
  '(',
  ')',
  '(?:',
  '(?i)',
  '(?P<n>',
  '(?<m>',
  '(?=',
  '[',
  ']',
  '[^',
  '[a-z',
  '[:alpha:]',
  '-',
  '*',
  '+',
  '?',
  '{2}',
  '{2,',
  '{,3}',
  '{1,1000}',
  '{3,2}',
  '\\',
  '\\d',
  '\\w',
  '\\p{L}',
  '\\pN',
  '\\1',
  '\\Q',
  '\\E',
  '\\x41',
  '\\x{1F600}',
  '\\0',
  '\\b',
  '\\-',
  '\\_',
  '\\é',
  'é',
  '😀',
  '\0',
  ' ',
  '/',
]

test('what is accepted, the engine accepts', () => {
  let both = 0
  let engineOnly = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
      const pattern = pieces.join('')
      const ours = accepts(pattern)
      const theirs = engineAccepts(pattern)
      both += Number(ours && theirs)
      engineOnly += Number(!ours && theirs)
      expect({ pattern, ours: ours && !theirs }).toEqual({ pattern, ours: false })
    }),
    { numRuns: runs(1000, 3000) },
  )
  // The check would be useless if it refused much of what is good.
  expect(engineOnly).toBeLessThan(both / 4)
})

test.each([
  '^/api/v[0-9]+/users$',
  '(?i)error|warn',
  '\\bfoo\\b',
  '[^\\s]+@[a-z.-]+',
  '(?P<year>\\d{4})-(\\d\\d)',
  '[]a]',
  'a{2,}',
  '[[:alpha:]_-]+',
  'it\'s \\"x\\"',
])('%s is accepted', (pattern) => {
  expect([accepts(pattern), engineAccepts(pattern)]).toEqual([true, true])
})

test('groups are counted', () => {
  expect(checkRegex('(a)(?:b)(?<c>d(e))', NOWHERE)).toBe(3)
})
