/**
 * Where a query begins inside brackets: `in (users | project id)`, `toscalar(…)`. Found for the whole text in one pass, because looking
 * ahead at every bracket would cost the square of the text's length.
 * Deliberately not here: reading it.
 */
import type { Token } from './token.ts'

interface Bracket {
  /** The first token of the item that is being read. */
  begin: number
  hasPipe: boolean
  isMistake: boolean
}

const OPEN = new Set(['(', '[', '{'])
const CLOSE = new Set([')', ']', '}'])
/** Their first words are a list by themselves. */
const LISTS = new Set(['union', 'search'])

/** The tokens at which a query begins that ends with a bracket. A bracket that is never closed holds none: it is a mistake of its own. */
export function findBracketed(tokens: readonly Token[]): ReadonlySet<Token> {
  const found = new Set<Token>()
  const open: Bracket[] = []
  tokens.forEach(({ kind, text }, at) => {
    if (kind !== 'symbol') return
    const top = open.at(-1)
    if (OPEN.has(text)) open.push({ begin: at + 1, hasPipe: false, isMistake: false })
    else if (CLOSE.has(text)) {
      const { begin, hasPipe, isMistake } = open.pop() ?? { begin: 0, hasPipe: false, isMistake: true }
      const first = tokens[begin] as Token
      const isPrint = first.kind === 'word' && first.text === 'print' && tokens[begin + 1]?.kind === 'word'
      if ((hasPipe || isPrint) && !isMistake) found.add(first)
    } else if (!top) return
    else if (text === '|') {
      // `||` is another language's "or".
      top.isMistake ||= tokens[at + 1]?.text === '|'
      top.hasPipe = true
    } else if (text === ',' && !top.hasPipe && !LISTS.has(tokens[top.begin]?.text ?? '')) top.begin = at + 1
  })
  return found
}
