/**
 * What every comparison around an annotation shares, whoever makes it: what is looked at where nobody says, which other marks are near,
 * and what an early look may take of the error rate.
 */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { type Ask, type CompareOptions, type Comparison, compare } from './comparison.ts'
import { defaultQueries, type KnownField } from './default-queries.ts'
import type { JudgeOptions } from './judge.ts'
import type { NamedQuery } from './named-queries.ts'
import type { Mark } from './neighbors.ts'

/** So many buckets are in the window after the event, where nobody says how long they are. */
const BUCKETS = 10
/** So many queries are asked where nobody gives them: a dataset has three. */
const QUERIES_MAX = 9

/** @returns the queries of each dataset, as far as the names of its fields say what can be looked at */
export async function chooseQueries(
  datasets: readonly string[],
  windowMs: number,
  fieldsOf: (dataset: string) => Promise<readonly KnownField[]>,
): Promise<NamedQuery[]> {
  const bucketMinutes = Math.max(1, Math.round(windowMs / BUCKETS / UNIT_MS.m))
  const chosen: NamedQuery[] = []
  for (const dataset of datasets) {
    if (chosen.length < QUERIES_MAX) chosen.push(...defaultQueries(dataset, await fieldsOf(dataset), `${bucketMinutes}m`))
  }
  return chosen.slice(0, QUERIES_MAX)
}

/** @returns the datasets that a query begins with, as far as its text shows them */
export function datasetsOf(apl: string): string[] {
  const [head = ''] = apl.split('|')
  return [...head.matchAll(/\[\s*(['"])([A-Za-z0-9-]+)\1\s*\]/g)].map(([, , name = '']) => name)
}

/** @returns an annotation as a mark; one that is open goes on until now */
export function toMark({ title, type, time, endTime, open }: Annotation, nowMs: number): Mark {
  const startMs = Date.parse(time)
  const endMs = endTime === undefined ? (open ? Math.max(startMs, nowMs) : startMs) : Date.parse(endTime)
  return { name: title ?? type, startMs, endMs }
}

/** What the looks before the last one may take of the error rate together; the last one has the rest. */
export const EARLY_SHARE = 0.1

/** @returns the options with this share of the error rate */
export function withShare<T extends JudgeOptions>(options: T, share: number): T {
  return { ...options, errorRate: options.errorRate * share }
}

/**
 * Compares as `compare` does, and goes on without a query that cannot be compared: it is a note.
 * @param explain says why, in words; `undefined` for an error that concerns all of them, which is thrown
 */
export async function compareEach(
  ask: Ask,
  queries: readonly NamedQuery[],
  options: CompareOptions,
  explain: (error: unknown) => string | undefined,
): Promise<Comparison> {
  let asked = queries[0]
  const noting: Ask = (query, range) => {
    asked = query
    return ask(query, range)
  }
  try {
    return await compare(noting, queries, options)
  } catch (error) {
    const others = queries.filter((query) => query !== asked)
    const why = others.length === 0 ? undefined : explain(error)
    if (why === undefined) throw error
    const { notes, ...comparison } = await compareEach(ask, others, options, explain)
    return { ...comparison, notes: [...notes, `${asked?.name} is not compared: ${why}`] }
  }
}
