/**
 * Finds the values that carry a change, such as a version, a route or a message: those whose number of events changed so much that they
 * explain most of it. For counts and shares only; no value is a part of a percentile.
 */

import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { type AnsweredTable, toNumber } from './columns.ts'
import { logGamma } from './distributions.ts'
import { findCounted, type NamedQuery, splitAtSummarize } from './named-queries.ts'
import { type KnownField, quoteField } from './signs.ts'
import { findFields, showDots, USUAL_NAMES } from './usual-names.ts'
import type { Span, Windows } from './windows.ts'

/** A value, and its events per minute. */
export interface Carrier {
  field: string
  value: string
  before: number
  after: number
  /** The share of the change that it makes. More than 1 if other values changed the other way. */
  part: number
}

/** Fields whose values say where a change comes from, the most helpful first. */
const FIELDS = [[...USUAL_NAMES.version, ...USUAL_NAMES.service], USUAL_NAMES.route, USUAL_NAMES.place, USUAL_NAMES.message]

/** A value carries the change if it explains at least this share of it … */
const PART = 0.3
/** … and its share of the events rose by this much: a value that is everywhere carries nothing. */
const RISE = { times: 1.2, points: 0.05 } as const
/** Values with fewer events are ignored as chance. */
const EVENTS_MIN = 5
const CARRIERS_MAX = 3
/** How often chance alone may name a value, of all that are looked at: a change that is even has no carrier. */
const CHANCE_MAX = 0.05

/** The table of a query over a span. */
type AskTable = (apl: string, span: Span) => Promise<AnsweredTable | undefined>

/** @returns the values that explain most of the change, at most one for each field */
export async function findCarriers(
  ask: AskTable,
  { apl }: NamedQuery,
  fields: readonly KnownField[],
  { before, after }: Windows,
): Promise<Carrier[]> {
  const counted = findCounted(apl) ?? splitAtSummarize(apl)[0]
  const known = FIELDS.flatMap((names) => {
    const field = findFields(fields, names).find(({ type }) => /string/.test(type))
    // A field that the query filters by has only one value.
    return field === undefined || counted.includes(showDots(field.name)) ? [] : [showDots(field.name)]
  })
  const looked: Looked[] = []
  for (const field of known) {
    const by = `${counted}\n| summarize events = count() by value = tostring(${quoteField(field)})`
    const [first, second] = [await ask(by, before), await ask(by, after)]
    if (first && second) looked.push({ field, before: readCounts(first, before), after: readCounts(second, after) })
  }
  const tests = looked.reduce((sum, one) => sum + valuesOf(one).length, 0)
  return looked
    .flatMap((one) => pickCarrier(one, CHANCE_MAX / tests) ?? [])
    .sort((a, b) => b.part - a.part)
    .slice(0, CARRIERS_MAX)
}

/** The events of one window by value. */
interface Counts {
  of: (value: string) => number
  values: string[]
  total: number
  minutes: number
}

interface Looked {
  field: string
  before: Counts
  after: Counts
}

function readCounts({ fields, columns }: AnsweredTable, { startMs, endMs }: Span): Counts {
  const at = (name: string) => columns[fields.findIndex((field) => field.name === name)] ?? []
  const [values, events] = [at('value'), at('events')]
  const counts = new Map(values.map((value, row) => [String(value ?? ''), toNumber(events[row]) ?? 0]))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { of: (value) => counts.get(value) ?? 0, values: [...counts.keys()], total, minutes: (endMs - startMs) / UNIT_MS.m }
}

/** The values with enough events in one of the windows. */
function valuesOf({ before, after }: Looked): string[] {
  const isEnough = (value: string) => {
    const rate = Math.max(before.of(value) / before.minutes, after.of(value) / after.minutes)
    return value !== '' && rate * after.minutes >= EVENTS_MIN
  }
  return [...new Set([...before.values, ...after.values])].filter(isEnough)
}

function pickCarrier(looked: Looked, chanceMax: number): Carrier | undefined {
  const { field, before, after } = looked
  const [first, second] = [before.total / before.minutes, after.total / after.minutes]
  const change = second - first
  const isNew = (value: string) => before.of(value) === 0 && after.of(value) >= EVENTS_MIN
  // A value with fewer events carries nothing if another one is new: a new version replaced the old one.
  if (change < 0 && after.values.some(isNew)) return undefined
  const carriers = valuesOf(looked).flatMap((value) => {
    const [was, is] = [before.of(value) / before.minutes, after.of(value) / after.minutes]
    const part = change === 0 ? 0 : (is - was) / change
    const [shareWas, shareIs] = [first === 0 ? 0 : was / first, second === 0 ? 0 : is / second]
    const isMore = change > 0 ? shareIs > shareWas * RISE.times + RISE.points : shareWas > shareIs * RISE.times + RISE.points
    const [more, less] = change > 0 ? [after, before] : [before, after]
    const isCarrier = part >= PART && isMore && chanceOf(value, more, less) <= chanceMax
    return isCarrier ? [{ field, value, before: was, after: is, part }] : []
  })
  return carriers.sort((a, b) => b.part - a.part)[0]
}

/** How often chance alone would bring so many events of a value, or more, into one of two windows (Fisher's exact test). */
function chanceOf(value: string, more: Counts, less: Counts): number {
  const choose = (n: number, k: number) => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
  const [found, all] = [more.of(value), more.of(value) + less.of(value)]
  const ways = choose(more.total + less.total, all)
  let chance = 0
  for (let count = found; count <= Math.min(all, more.total); count++) {
    const term = Math.exp(choose(more.total, count) + choose(less.total, all - count) - ways)
    chance += term
    if (term < 1e-9 * chance) break
  }
  return chance
}
