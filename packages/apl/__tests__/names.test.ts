/** The names that are told for completion are the names that the compiler knows. */
import { expect, test } from '@jest/globals'
import { type CompileOptions, compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { listNames } from '../src/names.ts'
import { orError } from './support/error-of.ts'
import { readGolden } from './support/golden.ts'

const { operators, functions, forms } = listNames()
const OPTIONS: CompileOptions = { datasets: new Map(), range: { startNs: 0n, endNs: 1n }, nowNs: 1n }

/** What the compiler says of a query, or nothing. */
function complaint(query: string): string {
  const found = orError(() => compile(query, OPTIONS))
  return found instanceof QueryError ? `${found.code}: ${found.message}` : ''
}

test('a name that is not told is not known, and the compiler says so', () => {
  expect(complaint('print x = 1 | nonsense')).toMatch(/^unknown_name/)
  expect(complaint('print x = nonsense()')).toMatch(/^unknown_name/)
  expect(complaint('print x = 1 | summarize nonsense()')).toMatch(/^unknown_name/)
})

test.each(operators.map(({ name }) => name))('the operator %s is known', (name) => {
  expect(complaint(`print x = 1 | ${name}`)).not.toMatch(/^(?:unknown_name|unsupported)/)
})

test.each(functions.map(({ name, kind }) => [kind, name]))('the %s %s is known', (kind, name) => {
  const operator = { scalar: 'where', aggregation: 'summarize', window: 'extend' }[kind]
  expect(complaint(`print x = 1 | ${operator} ${name}()`)).not.toMatch(/^(?:unknown_name|unsupported)/)
})

test('synonyms and conditional aggregations are told, each name once', () => {
  const [operatorNames, functionNames] = [operators.map(({ name }) => name), functions.map(({ name }) => name)]
  expect(operatorNames).toEqual(expect.arrayContaining(['where', 'filter', 'sort', 'order', 'limit', 'take', 'project-away']))
  expect(functionNames).toEqual(
    expect.arrayContaining(['strlen', 'bin_auto', 'countif', 'avgif', 'take_any', 'make_set_if', 'toscalar', 'prev']),
  )
  for (const names of [operatorNames, functionNames]) expect(names).toEqual([...new Set(names)])
})

test('forms are told with how they are written', () => {
  expect(forms.find(({ name }) => name === 'between')).toEqual({ name: 'between', signature: 'value between (low .. high)' })
  expect(forms.map(({ name }) => name)).toEqual(expect.arrayContaining(['let', 'print', 'datatable', 'in', 'contains']))
})

test('a conditional aggregation takes its condition last', () => {
  expect(functions.filter(({ name }) => name === 'make_listif' || name === 'strlen')).toEqual(readGolden('names'))
  expect(operators.find(({ name }) => name === 'take')).toEqual({ name: 'take', signature: 'take count' })
})
