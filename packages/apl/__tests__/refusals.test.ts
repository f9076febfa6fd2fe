/**
 * What the author of a wrong query is told: the code, the part of the text that the caret is at, what is wrong and what to write, and where
 * it is certain what was meant, the text as it should be. That text runs. The cases are in `goldens/refusals.json`.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { Engine } from './support/engine.ts'
import { errorOf } from './support/error-of.ts'
import { type Golden, readGolden, testGolden } from './support/golden.ts'
import { loadAll, options } from './support/web.ts'

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  await loadAll(engine)
})
afterAll(() => engine.close())

interface Refusal {
  readonly code: string
  readonly column: number
  /** The part of the text that the caret is at. */
  readonly at: string
  readonly message: string
  readonly hint?: string
  /** The text as it is to be. */
  readonly suggestion?: string
}

const REFUSALS = readGolden<Golden<Refusal>>('refusals')

testGolden(REFUSALS, (text) => {
  const { code, column, span, message, hint, suggestion } = errorOf(text)
  return { code, column, at: text.slice(span.start, span.end), message, hint, suggestion }
})

/** Corrected step by step, as a person would who presses the button again. */
function correctedFully(text: string): string {
  try {
    compile(text, options)
    return text
  } catch (error) {
    const next = error instanceof QueryError ? error.suggestion : undefined
    if (next === undefined || next === text) throw error
    return correctedFully(next)
  }
}

const suggestions = Object.values(REFUSALS)
  .flatMap((cases) => Object.values(cases))
  .flatMap(({ suggestion }) => suggestion ?? [])

test.each([...new Set(suggestions)])('%s runs, or says what is to be corrected next', (text) => {
  expect(() => engine.query(compile(correctedFully(text), options))).not.toThrow()
})

test('what is only like a mistake is none', () => {
  for (const text of [
    'web | where (status > 1) == true',
    'web | extend x = duration --1',
    "web | where _time > '2026-01-01'",
    'web | where _time > 1767225600000000000',
    "web | where status in (200) and id in~ ('a1')",
    "web | where ['id'] in ['tags']",
    'web | where not(ok) and status !in (1, 2)',
    'web | extend all = 1 | where all == 1',
  ])
    expect(compile(text, options).columns).not.toEqual([])
})
