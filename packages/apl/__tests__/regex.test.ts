/** Our check of regular expressions against the engine's own judgement. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { NOWHERE } from '../src/error.ts'
import { checkRegex } from '../src/text/regex.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'

const engine = engineForTests()

const passes = (check: () => unknown): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}
const SQL = "SELECT match(materialize('abc'), {p:String}), extractGroups(materialize('abc'), concat('(', {p:String}, ')'))"
const accepts = (pattern: string) => passes(() => checkRegex(pattern, NOWHERE))
const engineAccepts = (pattern: string) => passes(() => engine.query({ sql: SQL, params: { p: pattern } }))

/** Of which random patterns are made, and patterns that are good. */
const { pieces, accepted } = readGolden<Readonly<Record<'pieces' | 'accepted', readonly string[]>>>('regex')

test('what is accepted, the engine accepts', () => {
  let both = 0
  let engineOnly = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (pieces) => {
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

test.each(accepted)('%s is accepted', (pattern) => {
  expect([accepts(pattern), engineAccepts(pattern)]).toEqual([true, true])
})

test('groups are counted', () => {
  expect(checkRegex('(a)(?:b)(?<c>d(e))', NOWHERE).groups).toBe(3)
})
