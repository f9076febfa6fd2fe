/** Completes the names of a query: those that start with the prefix or contain it. Pure. */
import { readWritten } from '@deployment-annotations/apl/text/unfinished'
import type { Field } from '../service/datasets.ts'
import type { Language, LanguageFunction } from '../service/language.ts'
import { KEYWORDS, type Reading, readExpectation } from './expectation.ts'
import { quoteName, showBeginning, writeName } from './name.ts'
import { readWords, type Word } from './words.ts'

export interface Names extends Language {
  datasets: readonly string[]
  /** The fields of the datasets that the query names. */
  fields: readonly Field[]
}

export interface Item {
  label: string
  /** The type of a field, or the parameters of a function. */
  detail: string
  /** The text that replaces `[from, to)`. */
  insert: string
  /** The position of the cursor from the end of the inserted text: 1 is between the brackets of a function. */
  caretBack: number
}

/** @returns the datasets and other sources that the text names */
export function readDatasets(text: string): string[] {
  return readExpectation(readWords(text)).datasets
}

/** @returns `undefined` if nothing can be completed: in a string, in a comment, or where a new name is given */
export function complete(text: string, caret: number, names: Names) {
  const words = readWords(text)
  const at = words.findIndex(({ end }) => end >= caret)
  const before = words.slice(0, at < 0 ? words.length : at)
  const place = readPlace(text, caret, words[at], before)
  if (!place) return undefined
  const { isQuoted, to } = place
  const reading = readExpectation(before)
  // In an expression a hyphen is a minus.
  const minus = reading.expects === 'value' && !isQuoted ? place.prefix.lastIndexOf('-') + 1 : 0
  const [from, prefix] = [place.from + minus, place.prefix.slice(minus)]
  if (!isQuoted && KEYWORDS.has(prefix)) return undefined
  const bracketFollows = /^\s*\(/.test(text.slice(to, to + 20))
  const items = rank(listItems(reading, names, isQuoted, bracketFollows), prefix)
  if (items.length === 0) return undefined
  return { from, to, prefix, items: items.map((one) => ({ ...one, label: showBeginning(one.label) })) }
}

/** The text that a name replaces, and the part of the name that is already written. */
interface Place {
  from: number
  to: number
  prefix: string
  /** Whether it is in `['…']`. */
  isQuoted: boolean
}

/**
 * @param here the word at the caret
 * @param before the words before it; those that are a part of the place are moved from or to it
 */
function readPlace(text: string, caret: number, here: Word | undefined, before: Word[]): Place | undefined {
  if (!here || here.start >= caret) return { from: caret, to: caret, prefix: '', isQuoted: false }
  const { kind, start, end } = here
  if (kind === 'name') return quotedPlace(text, caret, start, end)
  if (kind === 'string' && before.at(-1)?.text === '[') {
    const from = before.pop()?.start ?? start
    // A quote that is not closed includes the text up to the next quote, which is not part of the name.
    return quotedPlace(text, caret, from, caret + (/^[\p{L}\p{N}_$-]*['"]?\]?/u.exec(text.slice(caret))?.[0].length ?? 0))
  }
  if (kind === 'word') {
    // `$left.` and `$right.` are not part of a name.
    const side = /^\$(?:left|right)\./.exec(here.text)?.[0].length ?? 0
    return { from: start + side, to: end, prefix: text.slice(start + side, caret), isQuoted: false }
  }
  if (kind !== 'symbol' || end > caret) return undefined
  before.push(here)
  return { from: caret, to: caret, prefix: '', isQuoted: false }
}

function quotedPlace(text: string, caret: number, from: number, to: number): Place {
  const written = text.slice(from + 1, caret).trimStart()
  return { from, to, prefix: readWritten({ text: written, isOpen: true }), isQuoted: true }
}

/** @param isQuoted whether no operator or function can be written there */
function listItems({ expects, operator, given }: Reading, names: Names, isQuoted: boolean, bracketFollows: boolean): Item[] {
  const own = given.map((name) => itemOf(name, 'of this query', writeName(name)))
  switch (expects) {
    case 'nothing':
      return []
    case 'source':
      return [
        ...names.datasets.map((name) => itemOf(name, 'dataset', quoteName(name))),
        ...(names.sources ?? []).map(({ name }) => itemOf(name, 'records', quoteName(name))),
        ...(isQuoted ? [] : own),
      ]
    case 'operator':
      return isQuoted ? [] : names.operators.map(({ name, signature }) => itemOf(name, signature.replace(name, '').trimStart()))
    case 'value': {
      const functions = isQuoted ? [] : names.functions.filter((one) => mayStand(one, operator))
      const fields = names.fields.map(({ name, type }) => itemOf(name, type, writeName(name)))
      return [...fields, ...own, ...functions.map((one) => itemOfFunction(one, bracketFollows))]
    }
  }
}

function itemOf(label: string, detail: string, insert = label, caretBack = 0): Item {
  return { label, detail, insert, caretBack }
}

function itemOfFunction({ name, parameters, signature }: LanguageFunction, bracketFollows: boolean): Item {
  const detail = signature.slice(name.length)
  return bracketFollows ? itemOf(name, detail) : itemOf(name, detail, `${name}()`, parameters.length === 0 ? 0 : 1)
}

function mayStand({ kind }: LanguageFunction, operator: string): boolean {
  if (kind === 'window') return operator === 'extend' || operator === 'serialize'
  return kind === 'scalar' || operator === 'summarize' || operator === 'make-series'
}

/** Names that start with the prefix come before those that contain it; almost every name contains any single letter. */
function rank(items: readonly Item[], prefix: string): Item[] {
  const wanted = prefix.toLowerCase()
  const placeOf = ({ label }: Item) => label.toLowerCase().indexOf(wanted)
  const containing = prefix.length > 1 ? items.filter((one) => placeOf(one) > 0) : []
  return [...items.filter((one) => placeOf(one) === 0), ...containing]
}
