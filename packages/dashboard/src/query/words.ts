/** The words of a query that may be unfinished, and its operators. Pure. Deliberately not here: what the words mean. */
import { lexUnfinished, type Piece, readWritten } from '@deployment-annotations/apl/text/unfinished'
import { writeName } from './name.ts'

export interface Word extends Omit<Piece, 'kind'> {
  /** `name` is `['my field']`, whose text is the string in the brackets. */
  kind: Piece['kind'] | 'name'
}

/** Matches the rest of a name with hyphens or keys, such as `project-away` or `geo.city`. */
const REST = /(?:[-.](?![-.])[\p{L}\p{N}_$]*)+/uy

/** @returns the words and comments; names are whole. A minus between two words without spaces looks like a part of a name, too. */
export function readWords(apl: string): Word[] {
  const words: Word[] = []
  const pieces = lexUnfinished(apl)
  for (const [at, piece] of pieces.entries()) {
    const { kind, text, start, end } = piece
    if (start < (words.at(-1)?.end ?? 0)) continue
    const [string, close] = pieces.slice(at + 1, at + 3)
    if (text === '[' && string?.kind === 'string' && close?.text === ']') {
      words.push({ ...string, kind: 'name', start, end: close.end })
    } else if (kind === 'word') {
      REST.lastIndex = end
      const whole = text + (REST.exec(apl)?.[0] ?? '')
      words.push({ kind, text: whole, start, end: start + whole.length })
    } else words.push(piece)
  }
  return words
}

interface Step {
  /** The name of the operator, such as `where` or `project-away`. */
  operator: string
  /** The offset of its `|` in the query. */
  start: number
  /** The words after the name, without comments. */
  words: readonly Word[]
}

/** @returns the operators of the query itself, without the definitions before a semicolon */
export function readSteps(apl: string): Step[] {
  const words = readWords(apl).filter(({ kind }) => kind !== 'comment')
  const places = topLevel(words)
  const last = places.findLast((at) => words[at]?.text === ';') ?? -1
  const bars = places.filter((at) => at > last && words[at]?.text === '|')
  return bars.map((at, n) => {
    const [name, ...rest] = words.slice(at + 1, bars[n + 1])
    return { operator: name?.text ?? '', start: words[at]?.start ?? 0, words: rest }
  })
}

/** @returns the items of a list of expressions, split at the commas outside brackets */
export function splitItems(words: readonly Word[]): Word[][] {
  const commas = topLevel(words).filter((at) => words[at]?.text === ',')
  return [...commas, words.length].map((end, n) => words.slice(n === 0 ? 0 : (commas[n - 1] ?? 0) + 1, end))
}

/** @returns the indexes of the words outside brackets */
function topLevel(words: readonly Word[]): number[] {
  let depth = 0
  return words.flatMap(({ text }, at) => {
    if (text === '(' || text === '[') depth++
    else if (text === ')' || text === ']') depth--
    else if (depth === 0) return [at]
    return []
  })
}

/** @returns the name of a field as a query writes it, `geo.city` or `['http.method']`; `undefined` for anything else */
export function readField([word, ...more]: readonly Word[]): string | undefined {
  if (!word || more.length > 0) return undefined
  if (word.kind === 'name') return readWritten(word)
  return word.kind === 'word' && writeName(word.text) === word.text ? word.text : undefined
}

const LITERAL = /^(?:<string>|(?:- )?<number>|true|false|null|datetime \( <raw> \))$/

/** @returns the parts of such as `status == 500`; `undefined` for anything but a field, an operator and a constant */
export function readComparison(apl: string, [name, operator, ...value]: readonly Word[]) {
  const field = name && readField([name])
  const form = value.map(({ kind, text }) => (kind === 'word' || kind === 'symbol' ? text : `<${kind}>`)).join(' ')
  if (field === undefined || !operator || !LITERAL.test(form)) return undefined
  return { field, operator: operator.text, literal: apl.slice(value[0]?.start, value.at(-1)?.end) }
}

/** @returns what a constant stands for: a text without its quotes */
export function unquote(literal: string): string {
  const [word] = readWords(literal)
  return word?.kind === 'string' ? readWritten(word) : literal
}
