/**
 * Parses one to ten named queries: `name: query` on a line, and the lines that continue it, which begin with `|` or a space. A name may
 * say the direction: `throughput (lower-is-worse): …`. A single query needs no name. Deliberately not YAML, in which `['shop']` at the
 * start of a value is a list.
 */
import type { Unit } from '@deployment-annotations/contract/unit'
import { DIRECTIONS, type Direction } from './series.ts'

export interface NamedQuery {
  name: string
  apl: string
  /** The direction, if it is not that of the whole comparison. */
  direction?: Direction
  /** A caveat for the reader of the result. */
  note?: string
  /** The unit of its measurements, where the answer does not say it. */
  unit?: Unit | undefined
  /** Why it cannot be judged, such as a field that ended with the event. */
  lack?: string | undefined
  /** The name of the query whose question it answers, too. */
  question?: string
  /** What the version that it counts is compared with: the one that it replaces, in the minutes in which both run. */
  beside?: NamedQuery
}

const QUERIES_MAX = 10
const NAME = /^([\p{L}\p{N}][\p{L}\p{N} ._/%-]{0,63}?)\s*(?:\(([^)]*)\)\s*)?:(?!\/\/)(.*)$/u

/** @returns the queries, or their problems, a sentence each */
export function parseQueries(text: string): { queries: NamedQuery[]; problems: string[] } {
  const problems: string[] = []
  const queries: NamedQuery[] = []
  for (const block of splitBlocks(text)) {
    const [, name, direction, first] = NAME.exec(block[0] ?? '') ?? []
    const apl = [first ?? block[0] ?? '', ...block.slice(1)].join('\n').trim()
    const query: NamedQuery = { name: name ?? `query ${queries.length + 1}`, apl }
    const known = DIRECTIONS.find((one) => one === direction?.trim())
    if (direction !== undefined && !known)
      problems.push(`"${query.name}" says "(${direction})": only ${DIRECTIONS.join(' or ')} can stand there`)
    if (apl === '') problems.push(`"${query.name}" has no query after its colon`)
    if (queries.some((other) => other.name === query.name)) problems.push(`two queries are called "${query.name}"`)
    queries.push(known ? { ...query, direction: known } : query)
  }
  if (queries.length === 0) problems.push('there is no query')
  if (queries.length > QUERIES_MAX) problems.push(`there are ${queries.length} queries, at most ${QUERIES_MAX} are compared`)
  return { queries, problems }
}

/** Joins lines that belong together. Empty lines, and comments of the query language at the start of a line, separate nothing. */
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

/** Matches up to the first operator that summarizes, outside of quotes. */
const TO_SUMMARIZE = /^(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^'"|]|\|(?!\s*summarize\b))*/

/** @returns the part before the first operator that summarizes, and the rest */
export function splitAtSummarize(apl: string): [head: string, rest: string] {
  const rest = apl.replace(TO_SUMMARIZE, '')
  return [apl.slice(0, apl.length - rest.length).trimEnd(), rest]
}

/** What says where a condition ends: texts, which may have parentheses of their own, and parentheses. */
const TEXT_OR_PARENTHESIS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()]/g

/** @returns the query of the events that the first `countif` counts, such as the failed requests; `undefined` without one */
export function findCounted(apl: string): string | undefined {
  const [source, rest] = splitAtSummarize(apl)
  const [, condition = ''] = rest.split(/\bcountif\s*\(/)
  let depth = 1
  for (const { 0: sign, index } of condition.matchAll(TEXT_OR_PARENTHESIS)) {
    if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return `${source}\n| where ${condition.slice(0, index).trim()}`
  }
  return undefined
}

/**
 * @param text queries with the names of the compared ones, or the beginning of a query up to its `summarize`, which replaces theirs
 * @returns the baseline of each query, and the problems
 */
export function parseBaseline(
  text: string,
  queries: readonly NamedQuery[],
): { baselines: Map<string, NamedQuery>; problems: string[] } {
  const { queries: given, problems } = parseQueries(text)
  const [first] = given
  const isHead = given.length === 1 && first !== undefined && !/\|\s*summarize\b/.test(first.apl)
  const baselines = new Map<string, NamedQuery>()
  for (const query of queries) {
    const [, rest] = splitAtSummarize(query.apl)
    const other = isHead
      ? rest !== '' && { ...query, apl: `${first.apl}\n${rest}` }
      : given.find(({ name }) => name === query.name)
    if (other) baselines.set(query.name, other)
    else problems.push(`"${query.name}" has nothing to be compared with: give a query of this name`)
  }
  return { baselines, problems }
}
