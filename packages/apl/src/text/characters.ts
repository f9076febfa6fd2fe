/**
 * Characters that the language does not have: those of other languages, and those that a word processor makes.
 * Deliberately not here: characters of the language at a place where they may not stand; see `mistakes/tokens.ts`.
 */
import type { Advice } from '../error.ts'
import { writeText } from './nearest.ts'

interface Habit {
  /** What is written, from the character that is not known; a lookbehind sees what is before it. */
  readonly written: RegExp
  readonly hint: string
  /** What to write in its place, where that is certain. */
  readonly instead?: string
  /** Corrected wherever it occurs: a quote that is corrected alone would leave its other half. */
  readonly everywhere?: true
}

/** The first that fits counts. */
const HABITS: readonly Habit[] = [
  { written: /&&/, hint: 'conditions are joined with: and', instead: 'and', everywhere: true },
  { written: /&/, hint: 'conditions are joined with: and', instead: 'and' },
  { written: /[‘’]/, hint: "texts are in straight quotes: 'text'", instead: "'", everywhere: true },
  { written: /[“”„]/, hint: 'texts are in straight quotes: "text"', instead: '"', everywhere: true },
  { written: /`([A-Za-z_]\w*)`/, hint: "a name with special characters is written ['name']", instead: '$1', everywhere: true },
  { written: /`([^`'\\\n]+)`/, hint: "a name with special characters is written ['name']", instead: "['$1']", everywhere: true },
  { written: /`/, hint: "a name with special characters is written ['name']" },
  { written: /(?<==)!(?!=)/, hint: 'write !=' },
  { written: /!([A-Za-z_][\w.]*)(?![\w.([])/, hint: 'a condition is turned around with: not(…)', instead: 'not($1)' },
  { written: /!/, hint: 'a condition is turned around with: not(…)' },
  { written: /#/, hint: 'a comment begins with //', instead: '//' },
  { written: /≥/, hint: 'write >=', instead: '>=', everywhere: true },
  { written: /≤/, hint: 'write <=', instead: '<=', everywhere: true },
  { written: /≠/, hint: 'write !=', instead: '!=', everywhere: true },
  { written: /[–—]/, hint: 'write a plain minus: -', instead: '-', everywhere: true },
  { written: /\^/, hint: 'powers are written pow(x, y)' },
  { written: /\?\?/, hint: 'the first value that is there is coalesce(a, b)' },
  { written: /\?/, hint: 'a choice is written iff(condition, value, otherwise)' },
  { written: /(?<=\|)~/, hint: "lines with a pattern are found by | where field matches regex 'pattern'" },
  { written: /~/, hint: "patterns are found by: field matches regex 'pattern'", instead: 'matches regex' },
  { written: /@([A-Za-z_][\w.]*)/, hint: "a name with special characters is written ['@name']" },
  { written: /\\/, hint: 'a backslash stands in texts only; an operator may simply begin on the next line' },
]

/** What to write instead of a character that the language does not have. */
export function adviceOnCharacter(text: string, at: number): Advice | undefined {
  const term = text[at] === '\\' ? adviceOnTerm(text, at) : undefined
  if (term) return term
  const habit = HABITS.find(({ written }) => findAt(written, text, at))
  if (!habit) return undefined
  const { written, hint, instead, everywhere } = habit
  if (instead === undefined) return { hint }
  const found = findAt(written, text, at) as string
  if (!everywhere) return { hint, fix: [{ span: { start: at, end: at + found.length }, text: found.replace(written, instead) }] }
  const all = new RegExp(written.source, 'g')
  return { hint, fix: [{ span: { start: 0, end: text.length }, text: text.replace(all, instead) }] }
}

/** `path:\\/api\\/*`: a term of Lucene, where signs have a backslash before them and a star is any text. */
const TERM = /(?<![\w.])([A-Za-z_][\w.]*):((?:\\.|[^\s\\|()"'])+)/g

function adviceOnTerm(text: string, at: number): Advice | undefined {
  for (const found of text.matchAll(TERM)) {
    const [whole, name = '', term = ''] = found
    if (found.index > at || found.index + whole.length <= at) continue
    const [, before = '', inner = '', after = ''] = /^(\*?)(.*?)((?<!\\)\*)?$/.exec(term) ?? []
    if (/(?<!\\)[*?]/.test(inner)) return undefined
    const operator = before ? (after ? 'contains' : 'endswith') : after ? 'startswith' : '=='
    const written = `${name} ${operator} ${writeText(inner.replace(/\\(.)/g, '$1'))}`
    const span = { start: found.index, end: found.index + whole.length }
    return { hint: `write ${written}`, fix: [{ span, text: written }] }
  }
  return undefined
}

function findAt(pattern: RegExp, text: string, at: number): string | undefined {
  const sticky = new RegExp(pattern.source, 'y')
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}
