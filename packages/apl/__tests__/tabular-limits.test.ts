/** Short texts whose functions, tables and patterns would become very large queries: refused at once. */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { options, web } from './support/web.ts'

/** `f0`, and functions that each call the one before twice. */
const doubling = (count: number, first: string, next: (before: string) => string) =>
  Array.from({ length: count }, (_, at) => `let f${at} = ${at === 0 ? first : next(`f${at - 1}`)};`).join('\n')

test.each<[string, string]>([
  [
    'functions that call one another twice',
    `${doubling(40, '(x: long) { x + 1 }', (f) => `(x: long) { ${f}(x) + ${f}(x) }`)} print f39(1)`,
  ],
  ['an argument that is used twice', `let d = (x: long) { x + x }; print ${'d('.repeat(40)}1${')'.repeat(40)}`],
  [
    'functions inside one another',
    `${doubling(60, '(x: long) { -x }', (f) => `(x: long) { -(${`${f}(`.repeat(20)}x${')'.repeat(20)}) }`)} print f59(1)`,
  ],
  [
    'tables that use one another twice',
    `${doubling(40, 'web | where ok', (t) => `web | where id in (${t}) or id !in (${t})`)} f39`,
  ],
  ['functions of rows', `${doubling(40, '() { web | where ok }', (f) => `() { union (${f}()), (${f}()) }`)} f39()`],
  ['lists inside lists', `web | where id in ${'(web | where id in '.repeat(8)}(1)${')'.repeat(8)}`],
])('%s', (_name, text) => {
  const start = performance.now()
  expect(() => compile(text, options)).toThrow(expect.objectContaining({ code: 'limit' }))
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('a pattern stands for a bounded number of datasets', () => {
  const datasets = new Map(Array.from({ length: 200 }, (_, at) => [`web-${at}`, { ...web, name: `web-${at}` }]))
  const compiling = (text: string) => () => compile(text, { ...options, datasets })
  expect(compiling('union web-1* | count')).toThrow('"web-1*" stands for 111 datasets (limit 64)')
  expect(compiling('search "x"')).toThrow('"*" stands for 200 datasets (limit 64)')
  expect(compile('union web-10* | count', { ...options, datasets }).datasets).toHaveLength(11)
})

test('a function that calls itself does not exist yet', () => {
  expect(() => compile('let f = (x: long) { f(x) }; print f(1)', options)).toThrow(QueryError)
})
