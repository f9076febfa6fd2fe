/**
 * Budgets: texts that would cost much are refused at once, with the bound they go beyond and, where it has one, their place.
 * None keeps a processor for long. Deliberately not here: how long each takes.
 */
import { describe, expect, test } from '@jest/globals'
import { build, type Pieces } from '../../../__tests__/support/pieces.ts'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { orError } from './support/error-of.ts'
import { readGolden } from './support/golden.ts'
import { options } from './support/web.ts'

/** Each text takes a small part of it; one that took the square of its length would take several times as much. */
const PROCESSOR_S_MAX = 5

function refusalOf(text: string): QueryError | undefined {
  const found = orError(() => compile(text, options))
  return found instanceof QueryError ? found : undefined
}

/** Of the size that a query may have, over the dataset `web`: what each is refused with, or that it compiles. */
const LARGE_TEXTS = readGolden<Record<string, { text: Pieces; refusal?: string }>>('large-texts')

describe.each(Object.entries(LARGE_TEXTS))('%s', (_, { text: pieces, refusal }) => {
  const text = build(pieces)
  test(refusal === undefined ? 'compiles' : `is refused: ${refusal}`, () => {
    const before = process.cpuUsage()
    expect(refusalOf(text)?.message).toEqual(refusal === undefined ? undefined : expect.stringContaining(refusal))
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(PROCESSOR_S_MAX)
  })
})

test('128 operators compile, and one more is refused', () => {
  const queryOf = (operators: number) => `web${' | where true'.repeat(operators)}`
  expect(refusalOf(queryOf(128))).toBeUndefined()
  expect(refusalOf(queryOf(129))?.message).toContain('the query has more than 128 operators')
})

test('the caret is at the item that is one too many', () => {
  const columns = Array.from({ length: 1_025 }, (_, n) => `c${n}=1`)
  const error = refusalOf(`web\n| project ${columns.join(',\n')}`)
  expect([error?.code, error?.line, error?.column]).toEqual(['limit', 1_026, 1])
})

test('a limit that makes more cells than an answer may have is lowered, and the answer says so', () => {
  const columns = Array.from({ length: 300 }, (_, n) => `c${n}=1`).join(', ')
  const plan = compile(`web | project ${columns} | limit 65000`, options)
  expect(plan.limit).toBe(33_333)
  expect(plan.messages).toContainEqual({
    code: 'limit_capped',
    text: 'the limit 65000 was lowered to 33333, the most rows that one answer of 300 columns may have',
  })
  expect(compile(`web | project ${columns} | limit 33333`, options).messages).toEqual([])
  // Groups that nobody asked a number of may be few.
  expect(compile(`web | summarize count() by ${columns}`, options).limit).toBe(65_000)
})
