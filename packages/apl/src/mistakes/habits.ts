/**
 * Words and symbols of other languages: SQL, SPL, LogQL, KQL, or a language of programs. For each one sentence of what was meant, and how
 * it is written here.
 * Deliberately not here: what is meant by several words together; see `phrases.ts`.
 */
import { CompileError, type Span } from '../error.ts'
import { LIST_OPERATORS, TEXT_OPERATORS } from '../text/infix.ts'
import type { Token } from '../text/token.ts'

/** The token so many places on; negative ones are behind. */
export type Look = (ahead: number) => Token

export interface Habit {
  readonly message: string
  readonly hint: string
  /** What to write in its place, where that is certain. */
  readonly instead?: string
}

/** What is surely meant, and is written otherwise here. */
export const written = (message: string, instead: string): Habit => ({ message, hint: `write ${instead}`, instead })

/** What says nothing, and is surely meant to be left out. */
export const surplus = (message: string): Habit => ({ message, hint: 'leave it out', instead: '' })

export const PATTERN: Habit = {
  message: 'texts are compared with words of their own',
  hint: "write contains 'x', startswith 'x', endswith 'x' or matches regex 'x.*'",
}
export const CHOICE: Habit = { message: 'a choice is a function', hint: 'write iff(condition, value, otherwise) or case(…)' }
const NO_COMPARISON: Habit = written('"=" gives a column its name; it does not compare', '==')
export const BEGINS_WITH_DATASET: Habit = { message: 'a query begins with a dataset', hint: "write ['dataset'] | …" }
const PAGED: Habit = { message: 'rows are not skipped by their number', hint: 'the next page is asked for with a cursor' }

/** Words of a comparison, and its sign. */
const compared = (signs: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(signs).map(([word, sign]) => [word, written('comparing is written with signs', sign)]))

/** Words and symbols that stand where an operator or the end was expected. */
export const INSTEAD: Readonly<Record<string, Habit>> = {
  '=': NO_COMPARISON,
  is: { message: 'whether a value is missing is asked by a function', hint: 'write isnull(field) or isnotnull(field)' },
  like: PATTERN,
  ilike: PATTERN,
  rlike: PATTERN,
  regexp: PATTERN,
  as: { message: 'a column is named before its value', hint: 'write name = expression' },
  when: CHOICE,
  // biome-ignore lint/suspicious/noThenProperty: a word of queries, not of promises
  then: CHOICE,
  else: CHOICE,
  from: {
    message: 'a query begins with the dataset',
    hint: "write ['dataset'] | …; in make-series, from and to come before step",
  },
  having: { message: 'groups are filtered by another where', hint: 'write | where … after summarize' },
  group: { message: 'groups are made by summarize', hint: 'write | summarize … by …' },
  per: written('groups are named after by', 'by'),
  over: written('groups are named after by', 'by'),
  offset: PAGED,
  except: { message: 'columns are taken away by an operator', hint: 'write | project-away field, …' },
  div: written('dividing is written with a sign', '/'),
  mod: written('what a division leaves is written with a sign', '%'),
  matches: written('a pattern is compared by two words', 'matches regex'),
  ...compared({ equals: '==', equal: '==', eq: '==', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' }),
  descending: written('directions are short words', 'desc'),
  ascending: written('directions are short words', 'asc'),
  includes: written('texts are compared with words of their own', 'contains'),
  ',': { message: 'a "," stands between columns only', hint: 'conditions are joined with and; a limit is one number' },
  ')': { message: 'this ")" closes nothing', hint: 'leave it out, or open a "(" before it' },
  ']': { message: 'this "]" closes nothing', hint: 'leave it out, or open a "[" before it' },
  '}': { message: 'this "}" closes nothing', hint: 'leave it out, or open a "{" before it' },
}
/** Infix words, which are written in small letters. */
export const INFIX = new Set(['and', 'or', 'between', 'matches', 'by', 'asc', 'desc', ...TEXT_OPERATORS, ...LIST_OPERATORS])
/** `!in`, `!contains` and their like. */
export const isNegatable = (word: string) => INFIX.has(`!${word}`) || word === 'between'

export function habitAt({ message, hint, instead }: Habit, span: Span): CompileError {
  return new CompileError('syntax', message, span, instead === undefined ? hint : { hint, written: instead })
}
