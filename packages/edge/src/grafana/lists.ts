/**
 * What clients of Grafana and Graphite ask for when they list annotations: the times as they write them, and tags. Pure.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { clampStorable } from '@deployment-annotations/contract/timestamp'
import { valuesOf } from '../tags.ts'
import { readMillis, refuse, type Tagged, tagsOf } from './annotations.ts'

type Query = Readonly<Record<string, string | string[] | undefined>>

/** What is asked for; of the tags one or all, and without tags any annotation. */
export interface ListQuery {
  startNs: bigint | undefined
  endNs: bigint | undefined
  tags: readonly string[]
  matchAny: boolean
}

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 10_000

/** @returns `undefined` for annotations of a dashboard, a panel or an alert, of which there are none */
export function readGrafanaQuery(query: Query): (ListQuery & { limit: number; dataset: string | undefined }) | undefined {
  const { from, to, tags = [], matchAny, type } = query
  const elsewhere = ['dashboardUID', 'dashboardId', 'panelId', 'alertId', 'alertUID', 'userId']
  const asked = {
    startNs: readTime('from', from),
    endNs: readTime('to', to),
    tags: [tags].flat(),
    // As Go reads it.
    matchAny: /^(?:1|t|true)$/i.test(String(matchAny)),
    limit: readLimit(query.limit),
  }
  if (elsewhere.some((name) => !NONE.has(query[name])) || type === 'alert') return undefined
  const [dataset] = asked.matchAny ? [] : valuesOf(asked.tags, 'dataset')
  return { ...asked, dataset }
}

const NONE: ReadonlySet<unknown> = new Set([undefined, '', '0'])

function readTime(name: string, value: Query[string]): bigint | undefined {
  const isNumber = typeof value === 'string' && /^-?\d{1,15}$/.test(value)
  const ns = readMillis(name, isNumber ? Number(value) : value || undefined)
  return ns && clampStorable(ns)
}

export function readLimit(value: Query[string]): number {
  if (value === undefined || value === '') return LIMIT_DEFAULT
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Math.min(Number(value) || LIMIT_DEFAULT, LIMIT_MAX)
  throw refuse('limit', 'must be a number', value)
}

const UNITS: Readonly<Record<string, bigint>> = { ...UNIT_NS, min: UNIT_NS.m, mon: 30n * UNIT_NS.d, y: 365n * UNIT_NS.d }
const UNIT = /s|sec|seconds?|min|minutes?|h|hours?|d|days?|w|weeks?|mon|months?|y|years?/
const RELATIVE = new RegExp(`^(?:now)?-(?<count>\\d{1,9})(?=(?<unit>s|min|h|d|w|mon|y))(?:${UNIT.source})$`)

export function readGraphiteQuery({ from, until, tags = '', set }: Query, nowNs: bigint): ListQuery {
  return {
    startNs: readGraphiteTime('from', from, nowNs),
    endNs: readGraphiteTime('until', until, nowNs),
    tags: String(tags).match(/[^\s,]+/g) ?? [],
    matchAny: set !== 'intersection',
  }
}

/** Seconds since the epoch, `now`, or so long before now: `-6h`, `-30min`, `-1mon`. */
function readGraphiteTime(name: string, value: unknown, nowNs: bigint): bigint | undefined {
  if (value === undefined || value === '') return undefined
  const text = String(value)
  if (/^\d{1,12}$/.test(text)) return clampStorable(BigInt(text) * UNIT_NS.s)
  if (text === 'now') return clampStorable(nowNs)
  const { count, unit = '' } = RELATIVE.exec(text)?.groups ?? {}
  const size = UNITS[unit]
  if (count !== undefined && size !== undefined) return clampStorable(nowNs - BigInt(count) * size)
  throw refuse(name, 'must be seconds since the epoch, now, or a time before it such as -6h', value)
}

/** @param pages the latest first @returns those with all of the tags, or one of them, as many as asked for */
export async function takeTagged<T extends Tagged>(
  pages: AsyncIterable<T[]>,
  { tags, matchAny }: Pick<ListQuery, 'tags' | 'matchAny'>,
  limit = Infinity,
): Promise<T[]> {
  const isWanted = (annotation: T) => {
    const has = tagsToFind(annotation)
    return matchAny ? tags.some((tag) => has.has(tag)) : tags.every((tag) => has.has(tag))
  }
  const taken: T[] = []
  for await (const page of pages) {
    for (const one of tags.length === 0 ? page : page.filter(isWanted)) taken.push(one)
    if (taken.length >= limit) break
  }
  return taken.slice(0, limit)
}

/** @returns the tags by which it is found: its own, its datasets and its type, with and without what they are */
function tagsToFind(annotation: Tagged): Set<string> {
  const { datasets, type } = annotation
  return new Set([...tagsOf(annotation), ...datasets.flatMap((name) => [name, `dataset:${name}`]), type, `type:${type}`])
}

/** @returns the tags that have this in them, the most frequent first */
export async function countTags(pages: AsyncIterable<Tagged[]>, part: string): Promise<{ tag: string; count: number }[]> {
  const counts = new Map<string, number>()
  for await (const page of pages)
    for (const tag of page.flatMap(tagsOf)) if (tag.includes(part)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([tag, count]) => ({ tag, count })).sort((a, b) => b.count - a.count)
}
