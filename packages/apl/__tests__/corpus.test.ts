/** Real public queries. The corpus is not part of the project; `APL_CORPUS` names its file, and without it this is skipped. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { parseQuery } from '../src/query/parser.ts'
import { orError } from './support/error-of.ts'
import { catalogFor } from './support/mentioned.ts'
import { options } from './support/web.ts'

const CORPUS = process.env.APL_CORPUS ?? ''

const run = existsSync(CORPUS) ? test : test.skip
run('the corpus parses and compiles as far as it did', () => {
  const queries = (JSON.parse(readFileSync(CORPUS, 'utf8')) as { apl: string }[]).map(({ apl }) => apl)
  const parsed = queries.flatMap((text) => {
    try {
      return [{ text, tree: parseQuery(text) }]
    } catch {
      return []
    }
  })
  const compiled = parsed.filter(({ text, tree }) => {
    return !(orError(() => compile(text, { ...options, datasets: catalogFor(tree) })) instanceof QueryError)
  })
  // About a quarter of the corpus is no query: snippets of syntax, other languages, templates.
  process.stdout.write(`corpus: ${queries.length} texts, ${parsed.length} parse, ${compiled.length} compile\n`)
  expect(parsed.length).toBeGreaterThanOrEqual(780)
  expect(compiled.length).toBeGreaterThanOrEqual(690)
})
