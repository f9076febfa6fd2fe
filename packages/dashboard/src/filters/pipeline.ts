/** The operators of a query one after the other, also of one that is not whole. Pure. */
import { lexUnfinished, type Piece } from '@deployment-annotations/apl/unfinished'

export interface Step {
  /** Its name, such as `where` or `project-away`. */
  operator: string
  /** Where its `|` stands in the query. */
  start: number
  /** What follows the name, without comments. */
  pieces: readonly Piece[]
}

/** @returns those of the query itself: what comes before a semicolon gives names for what comes behind */
export function stepsOf(apl: string): Step[] {
  const pieces = lexUnfinished(apl).filter(({ kind }) => kind !== 'comment')
  const places = topLevel(pieces)
  const last = places.findLast((at) => pieces[at]?.text === ';') ?? -1
  const bars = places.filter((at) => at > last && pieces[at]?.text === '|')
  return bars.map((at, n) => {
    const [first, hyphen, second, ...rest] = pieces.slice(at + 1, bars[n + 1])
    const start = pieces[at]?.start ?? 0
    const isPair = hyphen?.text === '-' && second?.kind === 'word' && first?.end === hyphen.start
    if (isPair) return { operator: `${first.text}-${second.text}`, start, pieces: rest }
    return { operator: first?.text ?? '', start, pieces: pieces.slice(at + 2, bars[n + 1]) }
  })
}

/** @returns the items of a list of expressions, split at the commas that stand in no bracket */
export function splitItems(pieces: readonly Piece[]): Piece[][] {
  const commas = topLevel(pieces).filter((at) => pieces[at]?.text === ',')
  return [...commas, pieces.length].map((end, n) => pieces.slice(n === 0 ? 0 : (commas[n - 1] ?? 0) + 1, end))
}

/** @returns the places of what stands in no bracket */
function topLevel(pieces: readonly Piece[]): number[] {
  let depth = 0
  return pieces.flatMap(({ text, kind }, at) => {
    if (kind === 'string') return depth === 0 ? [at] : []
    if (text === '(' || text === '[') depth++
    else if (text === ')' || text === ']') depth--
    else if (depth === 0) return [at]
    return []
  })
}
