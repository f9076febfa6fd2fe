/** Completes the names of a query: those that start with the prefix or contain it. Pure. */
import { lexUnfinished, type Piece, readWritten } from '@deployment-annotations/apl/text/unfinished'
import { cutText } from '@deployment-annotations/contract/text'
import type { Field } from '../service/datasets.ts'
import type { Language, LanguageFunction } from '../service/language.ts'
import { type Reading, readExpectation } from './expectation.ts'
import { type Item, itemOfDataset, itemOfField, itemOfFunction, itemOfOperator, itemOfSource } from './item.ts'
import { showUnseen } from './name.ts'

export interface Names extends Language {
  datasets: readonly string[]
  /** The fields of the datasets that the query names. */
  fields: readonly Field[]
}

/** Nobody reads more; people type on to find another name. */
export const ITEMS_MAX = 50
const LABEL_POINTS_MAX = 120
/** Complete words of the language: Enter after one of them starts a new line. */
const WHOLE = new Set(['by', 'and', 'or', 'in', 'on', 'asc', 'desc', 'not', 'kind', 'with', 'let', 'true', 'false', 'null'])

/** @returns `undefined` if nothing can be completed: in a string, in a comment, or where a new name is given */
export function complete(text: string, caret: number, names: Names): ReturnType<typeof offer> {
  const tokens = lexUnfinished(text)
  const at = tokens.findIndex(({ end }) => end >= caret)
  const here = tokens[at]
  const isInside = here !== undefined && here.start < caret
  const before = tokens.slice(0, at < 0 ? tokens.length : at)
  if (!isInside) return offer(before, { from: caret, to: caret, prefix: '' }, text, names)
  switch (here.kind) {
    case 'comment':
    case 'number':
    case 'raw':
      return undefined
    case 'string':
      return completeQuoted(text, caret, before, here, tokens[at + 1], names)
    case 'word':
      return offer(before, { from: here.start, to: here.end, prefix: text.slice(here.start, caret) }, text, names)
    default:
      return here.end > caret ? undefined : offer([...before, here], { from: caret, to: caret, prefix: '' }, text, names)
  }
}

/** @returns the datasets and other sources that the text names */
export function readDatasets(text: string): string[] {
  return readExpectation(lexUnfinished(text)).datasets
}

interface Place {
  from: number
  to: number
  prefix: string
}

/** Completes inside `['…']`; any other string is free text. */
function completeQuoted(text: string, caret: number, before: Piece[], string: Piece, after: Piece | undefined, names: Names) {
  const bracket = before.at(-1)
  if (bracket?.text !== '[' || (!string.isOpen && caret === string.end)) return undefined
  // A quote that is not closed includes the text up to the next quote, which is not part of the name.
  const isWhole = !string.isOpen && after?.text === ']'
  const to = isWhole ? after.end : caret + (/^[\p{L}\p{N}_$-]*['"]?\]?/u.exec(text.slice(caret))?.[0].length ?? 0)
  const prefix = readWritten({ text: text.slice(string.start, caret), isOpen: true })
  return offer(before.slice(0, -1), { from: bracket.start, to, prefix }, text, names, true)
}

/** The best names, and the number of all that match; the prefix is the part of the name that is already written. */
function offer(written: Piece[], place: Place, text: string, names: Names, isQuoted = false) {
  const hyphenated = isQuoted ? undefined : readHyphens(written, place, text)
  const { path, rest } = hyphenated ? { path: undefined, rest: hyphenated.rest } : readPath(written, place.from)
  if (!hyphenated && rest.length === written.length && written.at(-1)?.text === '.') return undefined
  const { from, to, prefix } = hyphenated ?? (path ? { ...place, from: path.start, prefix: path.text + place.prefix } : place)
  if (!isQuoted && WHOLE.has(prefix)) return undefined
  const isNameOnly = isQuoted || path !== undefined
  const bracketFollows = /^\s*\(/.test(text.slice(to, to + 20))
  const found = rank(listItems(readExpectation(rest), names, isNameOnly, bracketFollows), prefix)
  if (found.length === 0) return undefined
  const items = found.slice(0, ITEMS_MAX).map((item) => ({ ...item, label: cutText(showUnseen(item.label), LABEL_POINTS_MAX) }))
  return { from, to, items, total: found.length, prefix }
}

/** @param isNameOnly whether no operator or function can be written there, as in quotes or after a dot */
function listItems({ expects, operator, given }: Reading, names: Names, isNameOnly: boolean, bracketFollows: boolean): Item[] {
  const own = given.map((name) => itemOfField({ name, type: 'of this query' }))
  switch (expects) {
    case 'nothing':
      return []
    case 'source':
      return [...names.datasets.map(itemOfDataset), ...(names.sources ?? []).map(itemOfSource), ...(isNameOnly ? [] : own)]
    case 'operator':
      return isNameOnly ? [] : names.operators.map(({ name, signature }) => itemOfOperator(name, signature ?? ''))
    case 'value': {
      const functions = isNameOnly ? [] : names.functions.filter((one) => mayStand(one, operator))
      return [...names.fields.map(itemOfField), ...own, ...functions.map((one) => itemOfFunction(one, bracketFollows))]
    }
  }
}

/** Names of operators and datasets may have hyphens; in an expression a hyphen is a minus. */
function readHyphens(before: readonly Piece[], place: Place, text: string): (Place & { rest: Piece[] }) | undefined {
  let at = before.length
  let start = place.from
  while (before[at - 1]?.text === '-' && before[at - 1]?.end === start && before[at - 2]?.end === start - 1) {
    if (before[at - 2]?.kind !== 'word' && before[at - 2]?.kind !== 'number') break
    at -= 2
    start = (before[at] as Piece).start
  }
  const rest = before.slice(0, at)
  const { expects } = readExpectation(rest)
  if (expects !== 'operator' && expects !== 'source') return undefined
  const more = /^(?:-[\p{L}\p{N}_$]+)+/u.exec(text.slice(place.to, place.to + 200))?.[0].length ?? 0
  return { from: start, to: place.to + more, prefix: text.slice(start, place.from) + place.prefix, rest }
}

/** Reads `geo.` or `['my field'].` directly before the place; `$left.` and `$right.` are not part of a name. */
function readPath(before: readonly Piece[], from: number): { path?: { start: number; text: string }; rest: Piece[] } {
  let start = from
  let text = ''
  let at = before.length
  while (at >= 2) {
    const [dot, part] = [before[at - 1], before[at - 2]]
    if (dot?.text !== '.' || dot.end !== start || part?.end !== dot.start) break
    const quoted = part.text === ']' && before[at - 3]?.kind === 'string' && before[at - 4]?.text === '['
    if (!quoted && part.kind !== 'word') break
    at -= quoted ? 4 : 2
    if (/^\$(?:left|right)$/.test(part.text)) return { path: { start, text }, rest: before.slice(0, at) }
    text = `${quoted ? readWritten(before[at + 1] as Piece) : part.text}.${text}`
    start = (before[at] as Piece).start
  }
  return { ...(text !== '' && { path: { start, text } }), rest: before.slice(0, at) }
}

function mayStand({ kind }: LanguageFunction, operator: string): boolean {
  if (kind === 'window') return operator === 'extend' || operator === 'serialize'
  return kind === 'scalar' || operator === 'summarize' || operator === 'make-series'
}

/**
 * Sorts names by how they match: they start with the prefix, start with it in another case, have a part that starts with it, or contain
 * it.
 */
function rank(items: readonly Item[], prefix: string): Item[] {
  if (prefix === '') return [...items]
  const wanted = prefix.toLowerCase()
  const ranks: Item[][] = [[], [], [], []]
  for (const item of items) {
    const at = item.label.startsWith(prefix) ? 0 : item.label.toLowerCase().indexOf(wanted)
    if (at < 0) continue
    const isPart = at > 0 && /[^\p{L}\p{N}]/u.test(item.label.charAt(at - 1))
    // Almost every name contains any single letter.
    if (at > 0 && !isPart && prefix.length === 1) continue
    ranks[at > 0 ? (isPart ? 2 : 3) : item.label.startsWith(prefix) ? 0 : 1]?.push(item)
  }
  return ranks.flat()
}
