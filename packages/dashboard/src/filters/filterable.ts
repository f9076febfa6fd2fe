/** Which columns of an answer are fields that its events can be filtered by. Pure. */
import type { Piece } from '@deployment-annotations/apl/unfinished'
import { readField } from './filter.ts'
import { OF_EVENTS } from './filtered.ts'
import { type Step, splitItems, stepsOf } from './pipeline.ts'

/** Operators behind which every column is what it was before. */
const LEAVING = new Set(
  'where filter search sort order limit take top sample project-away project-keep project-reorder'.split(' '),
)
/** Of an event: the range of the page is the filter for them. */
const TIMES = new Set(['_time', '_sysTime'])

/** @returns whether a column has the values of a field, as filters find them; of a query that cannot be told of, none has */
export function readFilterable(apl: string): (column: string) => boolean {
  const steps = stepsOf(apl)
  const at = steps.findIndex(({ operator }) => !OF_EVENTS.has(operator) && !LEAVING.has(operator))
  const [making, ...behind] = at < 0 ? [] : steps.slice(at)
  if (!making) return (column) => !TIMES.has(column)
  if (behind.some(({ operator }) => !LEAVING.has(operator))) return () => false
  const fields = new Set(fieldsOf(making))
  return (column) => fields.has(column) && !TIMES.has(column)
}

/** Those that the operator gives under their own names. */
function fieldsOf({ operator, pieces }: Step): string[] {
  if (operator === 'project' || operator === 'distinct') return plainOf(pieces)
  if (operator !== 'summarize') return []
  const by = pieces.findLastIndex(({ kind, text }) => kind === 'word' && text === 'by')
  return by < 0 ? [] : plainOf(pieces.slice(by + 1))
}

function plainOf(pieces: readonly Piece[]): string[] {
  return splitItems(pieces).flatMap((item) => readField(item) ?? [])
}
