/**
 * Finds the values that carry a change, such as a version, a route or a message: those whose number of events changed so much that they
 * explain most of it. For counts and shares only; no value is a part of a percentile.
 */

import type { AnsweredTable } from './columns.ts'
import { toNumber } from './columns.ts'
import type { KnownField } from './default-queries.ts'
import type { NamedQuery } from './named-queries.ts'
import { splitAtSummarize } from './named-queries.ts'
import { USUAL_NAMES } from './usual-names.ts'
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
const MS_PER_MINUTE = 60_000

/** The table of a query over a span. */
type AskTable = (apl: string, span: Span) => Promise<AnsweredTable | undefined>

/** @returns the values that explain most of the change, at most one for each field */
export async function findCarriers(
  ask: AskTable,
  { apl }: NamedQuery,
  fields: readonly KnownField[],
  { before, after }: Windows,
): Promise<Carrier[]> {
  const [source, rest] = splitAtSummarize(apl)
  const [, failed] = /\bcountif\s*\(((?:[^()]|\([^()]*\))*)\)/.exec(rest) ?? []
  const counted = failed === undefined ? source : `${source}\n| where ${failed}`
  const known = FIELDS.flatMap((names) => {
    const field = names.find((name) => fields.some((one) => one.name === name && /string/.test(one.type)))
    // A field that the query filters by has only one value.
    return field === undefined || counted.includes(field) ? [] : [field]
  })
  const found: Carrier[] = []
  for (const field of known) {
    const by = `${counted}\n| summarize events = count() by value = tostring(['${field}'])`
    const [first, second] = [await ask(by, before), await ask(by, after)]
    const carrier = first && second && pickCarrier(field, readRates(first, before), readRates(second, after), after)
    if (carrier) found.push(carrier)
  }
  return found.sort((a, b) => b.part - a.part).slice(0, CARRIERS_MAX)
}

/** Events per minute by value. */
function readRates({ fields, columns }: AnsweredTable, { startMs, endMs }: Span): Map<string, number> {
  const at = (name: string) => columns[fields.findIndex((field) => field.name === name)] ?? []
  const [values, events] = [at('value'), at('events')]
  const minutes = (endMs - startMs) / MS_PER_MINUTE
  return new Map(values.map((value, row) => [String(value ?? ''), (toNumber(events[row]) ?? 0) / minutes]))
}

function pickCarrier(field: string, before: Map<string, number>, after: Map<string, number>, window: Span) {
  const total = (rates: Map<string, number>) => [...rates.values()].reduce((sum, rate) => sum + rate, 0)
  const [first, second] = [total(before), total(after)]
  const change = second - first
  const minutes = (window.endMs - window.startMs) / MS_PER_MINUTE
  const isNew = ([value, rate]: [string, number]) => (before.get(value) ?? 0) === 0 && rate * minutes >= EVENTS_MIN
  // A value with fewer events carries nothing if another one is new: a new version replaced the old one.
  if (change < 0 && [...after].some(isNew)) return undefined
  const carriers = [...new Set([...before.keys(), ...after.keys()])].flatMap((value) => {
    const [was, is] = [before.get(value) ?? 0, after.get(value) ?? 0]
    const part = change === 0 ? 0 : (is - was) / change
    const [shareWas, shareIs] = [first === 0 ? 0 : was / first, second === 0 ? 0 : is / second]
    const isMore = change > 0 ? shareIs > shareWas * RISE.times + RISE.points : shareWas > shareIs * RISE.times + RISE.points
    const isEnough = Math.max(was, is) * minutes >= EVENTS_MIN
    return value !== '' && part >= PART && isMore && isEnough ? [{ field, value, before: was, after: is, part }] : []
  })
  return carriers.sort((a, b) => b.part - a.part)[0]
}
