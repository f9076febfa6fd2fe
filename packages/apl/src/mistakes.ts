/**
 * What people mean who write as in another language: SQL, SPL, LogQL, or a language of programs. One sentence of what was meant, and how it
 * is written here.
 * Deliberately not here: names that are spelled wrongly; see `nearest.ts`.
 */
import { CompileError, type Mend } from './error.ts'
import { type Span, spanning } from './source.ts'
import type { Token } from './token.ts'

interface Advice {
  readonly message: string
  readonly hint: string
  /** What to write in its place, where that is certain. */
  readonly instead?: string
}

const PATTERN: Advice = {
  message: 'texts are compared with words of their own',
  hint: "write contains 'x', startswith 'x', endswith 'x' or matches regex 'x.*'",
}
const BEGINS_WITH_DATASET: Advice = { message: 'a query begins with a dataset', hint: "write ['dataset'] | …" }
const CHOICE: Advice = { message: 'a choice is a function', hint: 'write iff(condition, value, otherwise) or case(…)' }

/** Words and symbols that stand where an operator or the end was expected. */
const INSTEAD: Readonly<Record<string, Advice>> = {
  '=': { message: '"=" gives a column its name; it does not compare', hint: 'write ==', instead: '==' },
  is: { message: 'whether a value is missing is asked by a function', hint: 'write isnull(field) or isnotnull(field)' },
  like: PATTERN,
  ilike: PATTERN,
  rlike: PATTERN,
  regexp: PATTERN,
  as: { message: 'a column is named before its value', hint: 'write name = expression' },
  when: CHOICE,
  from: { message: 'a query begins with the dataset', hint: "write ['dataset'] | …" },
  having: { message: 'groups are filtered by another where', hint: 'write | where … after summarize' },
  group: { message: 'groups are made by summarize', hint: 'write | summarize … by …' },
}
/** Infix words, which are written in small letters. */
const INFIX = new Set('and or in between contains startswith endswith has matches has_any has_all by asc desc'.split(' '))

/** Operators of other languages. */
const OPERATORS_ELSEWHERE: Readonly<Record<string, string>> = {
  stats: '| summarize count() by field',
  chart: '| summarize count() by field',
  timechart: '| summarize count() by bin_auto(_time)',
  group: '| summarize … by field',
  groupby: '| summarize … by field',
  aggregate: '| summarize … by field',
  head: '| limit 10',
  tail: '| sort by _time desc | limit 10',
  first: '| limit 10',
  fields: '| project field, …',
  table: '| project field, …',
  select: '| project field, …',
  eval: '| extend name = expression',
  let: '| extend name = expression, or let name = …; before the query',
  rename: '| project-rename new = old',
  dedup: '| distinct field',
  uniq: '| distinct field',
  unique: '| distinct field',
  having: '| where condition',
  rex: '| parse field with … or extend name = extract(…)',
  regex: "| where field matches regex '…'",
  grep: "| where field contains '…'",
  bucket: '| summarize … by bin(_time, 1h)',
  append: '| union dataset',
  spath: '| extend name = parse_json(field).key',
  json: '| extend name = parse_json(field).key',
  fillnull: '| extend field = coalesce(field, value)',
  sortby: '| sort by field',
  orderby: '| sort by field',
  offset: '| limit, and a cursor for the next page',
  skip: '| limit, and a cursor for the next page',
}

/** Characters of other languages, and those that a word processor makes. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '&': 'conditions are joined with: and',
  '!': 'a condition is turned around with: not(…)',
  '‘': "texts are in straight quotes: 'text'",
  '’': "texts are in straight quotes: 'text'",
  '“': 'texts are in straight quotes: "text"',
  '”': 'texts are in straight quotes: "text"',
  '„': 'texts are in straight quotes: "text"',
  '`': "a name with special characters is written ['name']",
  '#': 'a comment begins with //',
  '≥': 'write >=',
  '≤': 'write <=',
  '≠': 'write !=',
  '–': 'write a plain minus: -',
  '^': 'powers are written pow(x, y)',
  '?': 'a choice is written iff(condition, value, otherwise)',
}

/** What to write instead of a character that the language does not have. */
export function adviceOnCharacter(char: string): string | undefined {
  return Object.hasOwn(CHARACTERS, char) ? CHARACTERS[char] : undefined
}

/** What a word processor or another language has, and its plain form. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[‘’]/g, "'"],
  [/[“”„]/g, '"'],
  [/&&/g, 'and'],
  [/≥/g, '>='],
  [/≤/g, '<='],
  [/≠/g, '!='],
  [/–/g, '-'],
]

/** The text with such a character mended wherever it occurs; `undefined` for one that has no plain form. */
export function mendCharacters(text: string, at: number): Mend | undefined {
  const found = PLAIN.find(([pattern]) => text.slice(at).search(pattern) === 0)
  if (!found) return undefined
  // All at once: a quote that is mended alone would leave its other half.
  const whole = text.replace(found[0], found[1])
  return { span: { start: 0, end: text.length }, text: whole }
}

/** How an operator of another language is written here. */
export function adviceOnOperator(word: string): string | undefined {
  const known = word.toLowerCase()
  return Object.hasOwn(OPERATORS_ELSEWHERE, known) ? `write ${OPERATORS_ELSEWHERE[known]}` : undefined
}

/** Its first half was read as what comes before an operator. */
function doublePipe(before: Token, token: Token): CompileError {
  const whole = { start: before.span.start, end: token.span.end }
  const hint = 'write or; a single | begins the next operator'
  return new CompileError('syntax', '"||" is not an operator', token.span, hint, undefined, { span: whole, text: 'or' })
}

/** The error for a token that cannot stand where it does, if it is known what was meant by it. */
export function mistakeAt(token: Token, before: Token, isOperator: (word: string) => boolean): CompileError | undefined {
  const at = ({ message, hint, instead }: Advice, span: Span = token.span) =>
    new CompileError('syntax', message, span, hint, undefined, instead === undefined ? undefined : { span, text: instead })
  if (before.kind === 'word' && before.text.toLowerCase() === 'not' && token.kind !== 'end')
    return at({ message: '"not" is a function', hint: 'write not(condition)' }, before.span)
  if (token.kind !== 'word' && token.kind !== 'symbol') return undefined
  const word = token.text.toLowerCase()
  if (INFIX.has(word) && word !== token.text)
    return at({ message: `"${token.text}" is written in small letters`, hint: `write ${word}`, instead: word })
  if (token.text === '=' && before.kind === 'symbol' && before.text === '==')
    return at({ message: 'there is no "==="', hint: 'write ==', instead: '==' }, spanning(before.span, token.span))
  if (token.text === '|' && before.text !== '|') return undefined
  if (token.text === '|') return token === before ? at(BEGINS_WITH_DATASET) : doublePipe(before, token)
  if (Object.hasOwn(INSTEAD, word)) return at(INSTEAD[word] as Advice)
  if (token.kind === 'word' && isOperator(word))
    return at({ message: `a "|" is missing before "${token.text}"`, hint: `write | ${word}`, instead: `| ${word}` })
  return undefined
}

const SQL_BEGINS = new Set(['select', 'with', 'from', 'explain', 'show', 'describe'])

/** What a source of another language is: `SELECT …`, `index=web`, `{app="web"}`. */
export function mistakenSource(token: Token, next: Token, afterNext: Token): CompileError | undefined {
  if (token.kind === 'symbol' && token.text === '{')
    return new CompileError(
      'syntax',
      'a query begins with a dataset, not with labels',
      token.span,
      "write ['dataset'] | where app == 'web'",
    )
  if (token.kind !== 'word') return undefined
  if (next.kind === 'symbol' && next.text === '=')
    return new CompileError(
      'syntax',
      'a query begins with the name of a dataset alone',
      spanning(token.span, next.span),
      afterNext.kind === 'word' || afterNext.kind === 'string' ? `write ['${afterNext.text}']` : "write ['dataset']",
    )
  if (!SQL_BEGINS.has(token.text.toLowerCase()) || next.kind === 'end' || next.text === '|' || next.text === ';') return undefined
  return new CompileError(
    'syntax',
    'this is SQL; a query here begins with a dataset, and reads from left to right',
    token.span,
    "write ['dataset'] | where … | summarize … by … | project …",
  )
}
