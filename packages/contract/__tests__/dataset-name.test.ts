/** Names of datasets: the whole rule, and its parts that a schema uses one by one, agree. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DATASET_NAME, DATASET_NAME_PATTERN } from '../src/dataset-name.ts'

test.each(['web', 'Web-2', '-', '0', 'x'.repeat(128)])('%j is a name', (name) => {
  expect(name).toMatch(DATASET_NAME_PATTERN)
})

test.each(['', 'my.app', 'a_b', 'a b', 'web\n', 'é', 'x'.repeat(129)])('%j is none', (name) => {
  expect(name).not.toMatch(DATASET_NAME_PATTERN)
})

test('the characters and the lengths together are the whole rule', () => {
  const { pattern, minLength, maxLength } = DATASET_NAME as { pattern?: string; minLength?: number; maxLength?: number }
  const characters = new RegExp(String(pattern))
  const unit = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('a', 'Z', '0', '-') }, fc.string({ maxLength: 1 }))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 140, size: 'max' }), (name) => {
      const fits = name.length >= Number(minLength) && name.length <= Number(maxLength)
      expect(DATASET_NAME_PATTERN.test(name)).toBe(fits && characters.test(name))
    }),
  )
})
