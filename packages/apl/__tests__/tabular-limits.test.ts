/** Short texts whose patterns and functions would become very large queries. Others are in `goldens/large-texts.json`. */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { options, web } from './support/web.ts'

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
