/**
 * What the author of a wrong query is told: `mistakes.txt` has each query with the part that the caret is at, the code, the message and the hint, and,
 * if it is certain what was meant, the query as it should be. That query runs. Habits of other languages and calls with wrong arguments are
 * there. To record after a wanted change: `UPDATE_GOLDENS=1 npm test -- packages/apl/__tests__/mistakes`; read the difference.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { errorOf, orError } from './support/error-of.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const FILE = new URL('mistakes.txt', import.meta.url)
const read = () => readFileSync(FILE, 'utf8').trimEnd().split('\n\n')
const queries = read().map((mistake) => mistake.split('\n')[0] as string)

const engine = engineForTests(loadAll)
beforeAll(() => {
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(FILE, `${queries.map(explain).join('\n\n')}\n`)
})

function explain(text: string): string {
  const { code, span, message, hint, suggestion } = errorOf(text)
  return [
    text,
    `${' '.repeat(span.start)}${'^'.repeat(span.end - span.start)}`,
    `${code}: ${message}`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...(suggestion === undefined ? [] : [`meant: ${suggestion}`]),
  ].join('\n')
}

test.each(queries.map((query, at) => [query, at] as const))('%s', (query, at) => {
  expect(explain(query)).toBe(read()[at])
})

/** Corrected step by step, as by a person who presses the button again. */
function correctedFully(text: string): string {
  const found = orError(() => compile(text, options))
  if (!(found instanceof QueryError)) return text
  if (found.suggestion === undefined || found.suggestion === text) throw found
  return correctedFully(found.suggestion)
}

const corrected = read().flatMap((mistake) => /^meant: (.*)$/m.exec(mistake)?.[1] ?? [])

test.each(corrected)('%s runs, or says what is to be corrected next', (text) => {
  expect(() => engine.query(compile(correctedFully(text), options))).not.toThrow()
})

test('what is only like a mistake is none', () => {
  for (const text of readGolden<string[]>('no-mistakes')) expect(compile(text, options).columns).not.toEqual([])
})
