/**
 * How a file looks: its header, its length and that of its functions, its name, and its words.
 * Deliberately not here: what Biome checks.
 */
import { expect, test } from '@jest/globals'
import { functionsOf } from './functions.ts'
import { expectOnly, nameOf, pages, read, scripts, sources, tests } from './tree.ts'

test('every file begins by saying what it is', () => {
  expect(sources.filter((file) => !read(file).startsWith('/**'))).toEqual([])
})

test('a file past 300 lines says why', () => {
  const long = sources.filter((file) => read(file).split('\n').length > 300)
  expect(long.filter((file) => !/^\/\*\*[^/]*\bbecause\b/s.test(read(file)))).toEqual([])
})

test('no file is a drawer', () => {
  const drawers = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib']
  expect([...sources, ...scripts].filter((file) => drawers.includes(nameOf(file)))).toEqual([])
})

test('no test asks for tries of its own: only the environment does, and they are counted', () => {
  const asking = tests.filter((file) => !file.endsWith('style.test.ts') && read(file).includes('retryTimes('))
  expect(asking).toEqual([])
})

const FUNCTION_LINES_MAX = 60
/** Functions that are longer, and how long they may be at most. The list only gets shorter. */
const LONG_FUNCTIONS: Readonly<Record<string, number>> = {}

test(`a function has at most ${FUNCTION_LINES_MAX} lines`, () => {
  // Only a file with more lines can hold a longer function.
  const long = [...sources, ...scripts]
    .filter((file) => read(file).split('\n').length > FUNCTION_LINES_MAX)
    .flatMap((file) => functionsOf(file).map(({ name, lines }) => ({ id: `${file}:${name}`, lines })))
    .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
  expect(long.filter(({ id, lines }) => lines > (LONG_FUNCTIONS[id] ?? 0))).toEqual([])
  expectOnly(
    long.map(({ id }) => id),
    Object.keys(LONG_FUNCTIONS),
  )
})

/** Words of our own that gave way to the field's: `lane` is a semaphore, `deed` an operation. A word that no book has is a word to learn. */
const REPLACED = [
  'lane',
  'hearsay',
  'farewell',
  'deed',
  'locating',
  'seam',
  'let go',
  'field draft',
  'for ever',
  'begin of',
  'may do all',
  'in the midst',
]
/** Words that stored data has, where they stay. */
const IN_STORED_DATA = ['hearsay']

test('words that were replaced stay away', () => {
  const texts = [...sources, ...pages.filter((page) => page !== 'CHANGELOG.md'), 'action.yml']
  const spaced = texts.map((file) => read(file).replace(/([a-z])([A-Z])/g, '$1 $2'))
  const found = REPLACED.filter((word) => spaced.some((text) => new RegExp(`\\b${word}s?\\b`, 'i').test(text)))
  expectOnly(found, IN_STORED_DATA)
})
