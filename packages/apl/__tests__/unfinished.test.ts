/** A text that is being written is split as the compiler splits it, wherever the compiler goes; and nothing of it is lost. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { lex } from '../src/text/lexer.ts'
import { lexUnfinished, type Piece, readWritten } from '../src/text/unfinished.ts'
import { readGolden } from './support/golden.ts'

const { pieces } = readGolden<{ readonly pieces: readonly string[] }>('unfinished')
const texts = (text: string) => lexUnfinished(text).map((piece) => piece.text)
/** Kind and place of the words; where the compiler refuses the text there is nothing to compare. */
const byCompiler = (text: string) =>
  lex(text).flatMap(({ kind, span }) => (kind === 'end' ? [] : [{ kind, text: text.slice(span.start, span.end), ...span }]))
const byEditor = (text: string) =>
  lexUnfinished(text).flatMap(({ kind, text: written, start, end }) =>
    kind === 'comment' ? [] : [{ kind, text: written, start, end }],
  )

function agree(text: string): boolean {
  let wanted: ReturnType<typeof byCompiler>
  try {
    wanted = byCompiler(text)
  } catch {
    return false
  }
  if (wanted.some(({ kind, text: written }) => kind === 'string' && !written.startsWith('@') && written.includes('\n')))
    return false
  expect(byEditor(text)).toEqual(wanted)
  return true
}

test('words that are one to the compiler are one', () => {
  expect(texts("a in~ (datetime(2025-01-15), 'x') // y").join('·')).toBe("a·in~·(·datetime·(·2025-01-15·)·,·'x'·)·// y")
  expect(agree("['web'] | where a !in~ ('x', @'\\') and t > ago(1.5d) and x !contains_cs \"\\u{1F600}\" // end")).toBe(true)
})

test('what is not whole yet is one piece, and the next line is read as ever', () => {
  expect(texts("['we\n| where a == 'b'")).toEqual(['[', "'we", '|', 'where', 'a', '==', "'b'"])
  expect(lexUnfinished("['we\n| count")[1]).toMatchObject({ kind: 'string', isOpen: true })
  expect(texts('where a !con')).toEqual(['where', 'a', '!con'])
  expect(texts("5xx-1 # 'bad \\q escape' @'raw")).toEqual(['5xx', '-', '1', '#', "'bad \\q escape'", "@'raw"])
  expect(texts('datetime(2025-01')).toEqual(['datetime', '(', '2025', '-', '01'])
})

test.each([
  ["'it\\'s'", "it's"],
  ["@'a\\b'", 'a\\b'],
  ["'\\u0041'", 'A'],
  ["'wh", 'wh'],
  ["'a\\'b", "a'b"],
])('%s is read as %j', (text, value) => {
  expect(readWritten(lexUnfinished(text)[0] as Piece)).toBe(value)
})

test('any text is split without a gap, and as the compiler splits it where that does', () => {
  const unit = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 1 }))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
      let at = 0
      for (const { text: written, start, end } of lexUnfinished(text)) {
        expect(text.slice(at, start)).toMatch(/^[\s\uFEFF]*$/)
        expect(written).toBe(text.slice(start, end))
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(text.slice(at)).toMatch(/^[\s\uFEFF]*$/)
      agree(text)
    }),
    { numRuns: 3_000 },
  )
})

/** Real public queries, as in corpus.test.ts. */
const CORPUS = process.env.APL_CORPUS ?? ''
const run = existsSync(CORPUS) ? test : test.skip
run('the corpus is split alike', () => {
  const queries = (JSON.parse(readFileSync(CORPUS, 'utf8')) as { apl: string }[]).map(({ apl }) => apl)
  const compared = queries.filter(agree).length
  process.stdout.write(`corpus: ${queries.length} texts, ${compared} compared\n`)
  expect(compared).toBeGreaterThan(900)
})
