/**
 * Budgets: texts that would cost much are refused at once, with the bound they go beyond and, where it has one, their place.
 * How long that takes is in bench/apl-compile.ts.
 */
import { describe, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { LARGE_TEXTS } from './support/large-texts.ts'
import { options } from './support/web.ts'

function refusalOf(text: string): QueryError | undefined {
  try {
    compile(text, options)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}

describe.each(Object.entries(LARGE_TEXTS))('%s', (_, [text, refusal]) => {
  test(refusal === undefined ? 'compiles' : `is refused: ${refusal}`, () => {
    expect(refusalOf(text)?.message).toEqual(refusal === undefined ? undefined : expect.stringContaining(refusal))
  })
})

test('the caret is at the item that is one too many', () => {
  const columns = Array.from({ length: 1_025 }, (_, n) => `c${n}=1`)
  const error = refusalOf(`web\n| project ${columns.join(',\n')}`)
  expect([error?.code, error?.line, error?.column]).toEqual(['limit', 1_026, 1])
})

test('an answer that was asked for and cannot be is refused with what can be', () => {
  const columns = Array.from({ length: 300 }, (_, n) => `c${n}=1`).join(', ')
  const error = refusalOf(`web | project ${columns} | limit 65000`)
  expect(error?.explain()).toContain('65000 rows of 300 columns are more than the 10000000 cells that an answer may have')
  expect(error?.explain()).toContain('ask for at most 33333 rows at a time, or project fewer columns')
  expect(refusalOf(`web | project ${columns} | limit 33333`)).toBeUndefined()
  // What nobody asked for may be smaller.
  expect(refusalOf(`web | summarize count() by ${columns}`)).toBeUndefined()
})
