/** Names of datasets: the whole rule, and its parts that a schema uses one by one, agree. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  DATASET_NAME_CHARACTERS,
  DATASET_NAME_LENGTH_MAX,
  DATASET_NAME_LENGTH_MIN,
  DATASET_NAME_PATTERN,
} from '../src/dataset-name.ts'

test.each(['web', 'Web-2', '-', '0', 'x'.repeat(128)])('%j is a name', (name) => {
  expect(name).toMatch(DATASET_NAME_PATTERN)
})

test.each(['', 'my.app', 'a_b', 'a b', 'web\n', 'é', 'x'.repeat(129)])('%j is none', (name) => {
  expect(name).not.toMatch(DATASET_NAME_PATTERN)
})

test('the characters and the lengths together are the whole rule', () => {
  const characters = new RegExp(DATASET_NAME_CHARACTERS)
  const unit = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('a', 'Z', '0', '-') }, fc.string({ maxLength: 1 }))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 140, size: 'max' }), (name) => {
      const fits = name.length >= DATASET_NAME_LENGTH_MIN && name.length <= DATASET_NAME_LENGTH_MAX
      expect(DATASET_NAME_PATTERN.test(name)).toBe(fits && characters.test(name))
    }),
  )
})
