/**
 * What all comparisons around an annotation share: the default queries, the other annotations nearby, and the part of the error rate
 * that early comparisons use.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { type Ask, type CompareOptions, type Comparison, compare } from './comparison.ts'
import { defaultQueries, type KnownField } from './default-queries.ts'
import type { JudgeOptions } from './judge.ts'
import type { NamedQuery } from './named-queries.ts'
import type { Mark } from './neighbors.ts'

/** The number of buckets in the window after the event, if their length is not given … */
const BUCKETS = 10
/** … and at least, so that one of them may lie across each edge of a window that another annotation cuts. */
const BUCKETS_MIN = 9
/** The maximum of default queries: a dataset has three. */
const QUERIES_MAX = 9

/**
 * @param afterMs the length of the window after the event, as other annotations leave it
 * @returns the default queries of each dataset, if the names of its fields say what to compare
 */
export async function chooseQueries(
  datasets: readonly string[],
  afterMs: number,
  fieldsOf: (dataset: string) => Promise<readonly KnownField[]>,
): Promise<NamedQuery[]> {
  const secondsMax = afterMs / BUCKETS_MIN / UNIT_MS.s
  const minutes = `${Math.max(1, Math.round(afterMs / BUCKETS / UNIT_MS.m))}m`
  const bucket = secondsMax >= 60 ? minutes : secondsMax >= 30 ? '30s' : '15s'
  const chosen: NamedQuery[] = []
  for (const dataset of datasets) {
    if (chosen.length < QUERIES_MAX) chosen.push(...defaultQueries(dataset, await fieldsOf(dataset), bucket))
  }
  return chosen.slice(0, QUERIES_MAX)
}

/** @returns the datasets at the start of a query, as far as its text shows them */
export function datasetsOf(apl: string): string[] {
  const [head = ''] = apl.split('|')
  return [...head.matchAll(/\[\s*(['"])([A-Za-z0-9-]+)\1\s*\]/g)].map(([, , name = '']) => name)
}

/** @returns the time and title of an annotation; an open one ends now */
export function toMark({ title, type, time, endTime, open, verdict }: Annotation, nowMs: number): Mark {
  const startMs = Date.parse(time)
  const endMs = endTime === undefined ? (open ? Math.max(startMs, nowMs) : startMs) : Date.parse(endTime)
  return { name: title ?? type, startMs, endMs, isHarmful: isWorse(verdict) }
}

/** The share of the error rate for all comparisons before the last one; the last one has the rest. */
export const EARLY_SHARE = 0.1

/** @returns the options with this share of the error rate */
export function withShare<T extends JudgeOptions>(options: T, share: number): T {
  return { ...options, errorRate: options.errorRate * share }
}

/**
 * Compares as `compare` does. A query that cannot be compared becomes a note.
 * @param explain describes an error; `undefined` for an error that concerns all queries, which is thrown
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
