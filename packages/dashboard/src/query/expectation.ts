/**
 * Reads from the words before a place of a query what may be written there, and the datasets and names of the query. Pure. It knows
 * just enough of the grammar to offer the right sort of names; the service decides whether a query is valid.
 */
import { readWritten } from '@deployment-annotations/apl/text/unfinished'
import type { Word } from './words.ts'

/** The state inside one open bracket. */
interface Level {
  /**
   * `source` stands for a dataset, `operator` for the place after a pipe, `value` for a field or function, and `nothing` for a new name
   * or anything that is no name.
   */
  expects: 'source' | 'operator' | 'value' | 'nothing'
  /** The operator of the place; empty before the first one. */
  operator: string
}

export interface Reading extends Level {
  /** The datasets that the text names. */
  datasets: string[]
  /** The names that the text assigns, as in `name = …`. */
  given: string[]
}

const SOURCE_TAKERS = new Set(['join', 'lookup', 'union'])
/** No field or function follows these operators. */
const TAKES_NO_NAME = new Set(['limit', 'take', 'sample', 'count', 'getschema'])
/** A value follows these words. */
const JOINING = new Set(
  'and or by in between contains startswith endswith has hasprefix hassuffix has_any has_all regex on with from to step not'.split(
    ' ',
  ),
)
/** Complete words of the language. */
export const KEYWORDS: ReadonlySet<string> = new Set([...JOINING, 'asc', 'desc', 'kind', 'let', 'true', 'false', 'null'])

/** @param words up to the place, without the word that is being written there */
export function readExpectation(words: readonly Word[]): Reading {
  const levels: [Level, ...Level[]] = [{ expects: 'source', operator: '' }]
  const datasets = new Set<string>()
  const given = new Set<string>()
  const code = words.filter(({ kind }) => kind !== 'comment')
  for (const [at, word] of code.entries()) {
    const level = levels.at(-1) ?? levels[0]
    const { text } = word
    if (text === '|') level.expects = 'operator'
    else if (text === ';') Object.assign(level, { expects: 'source', operator: '' })
    else if (text === '(') {
      levels.push({ expects: level.expects === 'source' ? 'source' : 'value', operator: level.operator })
      level.expects = 'nothing'
    } else if (text === ')') {
      if (levels.length > 1) levels.pop()
    } else if (level.expects === 'operator') {
      level.operator = text
      level.expects = SOURCE_TAKERS.has(text) ? 'source' : TAKES_NO_NAME.has(text) ? 'nothing' : 'value'
    } else if (level.expects === 'source') readSource(word, code[at + 1], level, datasets)
    else readValue(word, code[at - 1], level, given)
  }
  const { expects, operator } = levels.at(-1) ?? levels[0]
  return { expects, operator, datasets: [...datasets], given: [...given] }
}

/** What follows the words with which a query may begin instead of a dataset; the value of a `let` may be a dataset. */
const BEGINNINGS = new Map<string, Level['expects']>([
  ['union', 'source'],
  ['print', 'value'],
  ['let', 'nothing'],
])

function readSource(word: Word, after: Word | undefined, level: Level, datasets: Set<string>): void {
  const { kind, text } = word
  const begun = kind === 'word' && level.operator === '' ? BEGINNINGS.get(text) : undefined
  if (begun) Object.assign(level, { expects: begun, operator: text })
  else if (kind === 'word' || kind === 'string' || kind === 'name') {
    level.expects = 'nothing'
    // `kind = inner` comes before the dataset.
    if (after?.text !== '=' && !word.isOpen) datasets.add(kind === 'word' ? text : readWritten(word))
  }
}

function readValue({ kind, text }: Word, before: Word | undefined, level: Level, given: Set<string>): void {
  const { operator } = level
  const takesSource = SOURCE_TAKERS.has(operator)
  if (kind === 'word') {
    const isJoining = JOINING.has(text.replace(/_cs$/, ''))
    if (text === 'by' && operator === 'summarize') level.operator = 'summarize by'
    level.expects = isJoining ? 'value' : takesSource && before?.text === '=' ? 'source' : 'nothing'
  } else if (text === '=') {
    if (before?.kind === 'word' && !takesSource) given.add(before.text)
    level.expects = takesSource ? 'nothing' : operator === 'let' ? 'source' : 'value'
  } else if (text === ',' && operator === 'union') level.expects = 'source'
  else level.expects = kind !== 'symbol' || text === ']' || text === '.' || TAKES_NO_NAME.has(operator) ? 'nothing' : 'value'
}
