/**
 * How a file looks: its header, the length of its functions, its name, and its words.
 * Deliberately not here: what Biome checks.
 */
import { expect, test } from '@jest/globals'
import { readYaml } from '../support/read-yaml.ts'
import { functionsOf } from './functions.ts'
import { expectOnly, nameOf, pages, read, scripts, sources, tests } from './tree.ts'

test('every file begins by saying what it is', () => {
  expect(sources.filter((file) => !read(file).startsWith('/**'))).toEqual([])
})

test('no file is a drawer', () => {
  const drawers = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib']
  expect([...sources, ...scripts].filter((file) => drawers.includes(nameOf(file)))).toEqual([])
})

const otherTests = tests.filter((file) => !file.endsWith('style.test.ts'))

test('no test asks for tries of its own: only the environment does, and they are counted', () => {
  expect(otherTests.filter((file) => read(file).includes('retryTimes('))).toEqual([])
})

test('no test mocks a module or a function', () => {
  const mocking = /\bjest\.(?:mock|doMock|unstable_mockModule|spyOn|fn)\(|\bmock\.(?:module|method)\(/
  expect(otherTests.filter((file) => mocking.test(read(file)))).toEqual([])
})

const FUNCTION_LINES_MAX = 60

test(`a function has at most ${FUNCTION_LINES_MAX} lines`, () => {
  // Only a file with more lines can hold a longer function.
  const long = [...sources, ...scripts]
    .filter((file) => read(file).split('\n').length > FUNCTION_LINES_MAX)
    .flatMap((file) => functionsOf(file).map(({ name, lines }) => ({ id: `${file}:${name}`, lines })))
  expect(long.filter(({ lines }) => lines > FUNCTION_LINES_MAX)).toEqual([])
})

/** Words of our own that gave way to the field's: `lane` is a semaphore, `deed` an operation. A word that no book has is a word to learn. */
const REPLACED = readYaml<string[]>(import.meta.url, 'replaced-words.yaml')
/** Words that stored data has, where they stay. */
const IN_STORED_DATA = ['hearsay']

test('words that were replaced stay away', () => {
  const texts = [...sources, ...pages.filter((page) => page !== 'CHANGELOG.md'), 'action.yml']
  const spaced = texts.map((file) => read(file).replace(/([a-z])([A-Z])/g, '$1 $2'))
  const found = REPLACED.filter((word) => spaced.some((text) => new RegExp(`\\b${word}s?\\b`, 'i').test(text)))
  expectOnly(found, IN_STORED_DATA)
})
