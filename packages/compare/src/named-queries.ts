/**
 * One to ten named queries as people write them: `name: query` on a line, and the lines that go on with it, which begin with `|` or
 * a blank. A name may say which way is worse: `throughput (lower is worse): …`. A single query needs no name.
 * Deliberately not YAML: `['shop']` at the start of a value is a list there.
 */
import { DIRECTIONS, type Direction } from './series.ts'

export interface NamedQuery {
  name: string
  apl: string
  /** Where it is not that of the whole comparison. */
  direction?: Direction
}

const QUERIES_MAX = 10
const NAME = /^([\p{L}\p{N}][\p{L}\p{N} ._/%-]{0,63}?)\s*(?:\(([^)]*)\))?\s*:(?!\/\/)\s*(.*)$/u

/** @returns the queries, or what is wrong with them, a sentence each */
export function parseQueries(text: string): { queries: NamedQuery[]; problems: string[] } {
  const problems: string[] = []
  const queries: NamedQuery[] = []
  for (const block of splitBlocks(text)) {
    const [, name, direction, first] = NAME.exec(block[0] ?? '') ?? []
    const apl = [first ?? block[0] ?? '', ...block.slice(1)].join('\n').trim()
    const query: NamedQuery = { name: name ?? `query ${queries.length + 1}`, apl }
    if (direction !== undefined && !isDirection(direction))
      problems.push(`"${query.name}" says "(${direction})": only ${DIRECTIONS.join(' or ')} can stand there`)
    if (apl === '') problems.push(`"${query.name}" has no query after its colon`)
    if (queries.some((other) => other.name === query.name)) problems.push(`two queries are called "${query.name}"`)
    queries.push(isDirection(direction) ? { ...query, direction } : query)
  }
  if (queries.length === 0) problems.push('there is no query')
  if (queries.length > QUERIES_MAX) problems.push(`there are ${queries.length} queries, at most ${QUERIES_MAX} are compared`)
  return { queries, problems }
}

/** Lines that belong together; empty ones and comments of the query language at the start of a line separate nothing. */
function splitBlocks(text: string): string[][] {
  const blocks: string[][] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const last = blocks.at(-1)
    if (last && /^(?:\s|\||\/\/)/.test(line)) last.push(line.trim())
    else blocks.push([line.trim()])
  }
  return blocks
}

function isDirection(text: string | undefined): text is Direction {
  return DIRECTIONS.some((direction) => direction === text)
}
