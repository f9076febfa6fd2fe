/**
 * Reads from the tokens before a place of a query what may be written there, and the datasets and names of the query. Pure. It knows
 * just enough of the grammar to offer the right sort of names; the service decides whether a query is valid.
 */
import { type Piece, readWritten } from '@deployment-annotations/apl/text/unfinished'

/**
 * `source` stands for a dataset, `operator` for the place after a pipe, `value` for a field or function, and `nothing` for a new name
 * or anything that is no name.
 */
type Expectation = 'source' | 'operator' | 'value' | 'nothing'

export interface Reading {
  expects: Expectation
  /** The operator of the place; empty before the first one. */
  operator: string
  /** The datasets that the text names. */
  datasets: string[]
  /** The names that the text assigns, as in `name = …`. */
  given: string[]
}

/** The state inside one open bracket. */
interface Level {
  expects: Expectation
  operator: string
}

const SOURCE_TAKERS = new Set(['join', 'lookup', 'union'])
/** No field or function follows these operators. */
const TAKES_NO_NAME = new Set(['limit', 'take', 'sample', 'count', 'getschema'])
/** A value follows these words. */
export const JOINING = new Set(
  'and or by in between contains startswith endswith has hasprefix hassuffix has_any has_all regex on with from to step not'.split(
    ' ',
  ),
)

/** @param tokens up to the place, without the word that is being written there */
export function readExpectation(tokens: readonly Piece[]): Reading {
  const levels: Level[] = [{ expects: 'source', operator: '' }]
  const datasets = new Set<string>()
  const given = new Set<string>()
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  for (let at = 0; at < code.length; at++) {
    const token = code[at] as Piece
    const level = levels.at(-1) as Level
    if (token.text === '|') level.expects = 'operator'
    else if (token.text === ';') Object.assign(level, { expects: 'source', operator: '' })
    else if (token.text === '(') {
      levels.push({ expects: level.expects === 'source' ? 'source' : 'value', operator: level.operator })
      level.expects = 'nothing'
    } else if (token.text === ')') {
      if (levels.length > 1) levels.pop()
    } else if (level.expects === 'source') at = readSource(code, at, level, datasets, given)
    else if (level.expects === 'operator') at = readOperator(code, at, level)
    else readValue(code, at, level, given)
  }
  const { expects, operator } = levels.at(-1) as Level
  return { expects, operator, datasets: [...datasets], given: [...given] }
}

/** @returns the index of the last token of the source */
function readSource(code: readonly Piece[], at: number, level: Level, datasets: Set<string>, given: Set<string>): number {
  const token = code[at] as Piece
  const next = code[at + 1]
  if (token.kind === 'word' && level.operator === '') {
    if (token.text === 'union') {
      level.operator = 'union'
      return at
    }
    if (token.text === 'print') {
      Object.assign(level, { expects: 'value', operator: 'print' })
      return at
    }
    // The value of a `let` is a dataset about as often as anything else.
    if (token.text === 'let' && next?.kind === 'word') {
      given.add(next.text)
      return code[at + 2]?.text === '=' ? at + 2 : at + 1
    }
  }
  // `kind = inner` comes before the dataset.
  if (token.text === 'kind' && next?.text === '=') {
    if (!code[at + 2]) level.expects = 'nothing'
    return at + 2
  }
  if (token.text === '[') {
    if (next?.kind !== 'string') return at
    if (!next.isOpen) datasets.add(readWritten(next))
    level.expects = 'nothing'
    return code[at + 2]?.text === ']' ? at + 2 : at + 1
  }
  if (token.kind !== 'word' && token.kind !== 'string') return at
  level.expects = 'nothing'
  if (token.kind === 'string') {
    datasets.add(readWritten(token))
    return at
  }
  const { text, last } = readHyphenated(code, at)
  datasets.add(text)
  return last
}

function readOperator(code: readonly Piece[], at: number, level: Level): number {
  const { text, last } = readHyphenated(code, at)
  level.operator = text
  level.expects = SOURCE_TAKERS.has(text) ? 'source' : TAKES_NO_NAME.has(text) ? 'nothing' : 'value'
  return last
}

function readValue(code: readonly Piece[], at: number, level: Level, given: Set<string>): void {
  const token = code[at] as Piece
  const before = code[at - 1]
  if (token.kind === 'symbol') {
    if (token.text === ',' && level.operator === 'union') level.expects = 'source'
    else if (token.text === '=' && before?.kind === 'word' && before.text !== 'kind') given.add(before.text)
    if (token.text === ']') level.expects = 'nothing'
    else if (level.expects !== 'source') level.expects = TAKES_NO_NAME.has(level.operator) ? 'nothing' : 'value'
  } else if (token.kind === 'word') {
    const isJoining = JOINING.has(token.text.replace(/_cs$/, ''))
    if (isJoining && token.text === 'by' && level.operator === 'summarize') level.operator = 'summarize by'
    level.expects = isJoining ? 'value' : 'nothing'
  } else level.expects = 'nothing'
}

/** Joins the words of names such as `project-away` and `web-logs`. */
function readHyphenated(code: readonly Piece[], at: number): { text: string; last: number } {
  let { text, end } = code[at] as Piece
  let last = at
  while (true) {
    const [hyphen, part] = [code[last + 1], code[last + 2]]
    if (hyphen?.text !== '-' || hyphen.start !== end || part?.start !== hyphen.end) break
    if (part.kind !== 'word' && part.kind !== 'number') break
    text += `-${part.text}`
    end = part.end
    last += 2
  }
  return { text, last }
}
