/**
 * What the events of the compared time have: for how many of them conditions hold before the event and after it. It shows which fields
 * are in use, and which ended or began with the event.
 */

import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { toNumber } from './columns.ts'
import type { Ask } from './comparison.ts'
import { isThere } from './signs.ts'
import { showDots } from './usual-names.ts'
import { formatSpan, type Span, type Windows } from './windows.ts'

/** Events a minute. */
interface Rate {
  before: number
  after: number
}

export interface Presence {
  /** @param condition one that was asked for; '' is all events */
  of(condition: string): Rate
  /** The length of the window before. */
  minutes: number
}

/** A field that fewer events had in a window says nothing by its absence. */
const EVENTS_MIN = 20
/** A field is gone if this share of its events is left, … */
const LEFT_MAX = 0.05
/** … and this share of the events that had it still comes, … */
const STAY_MIN = 0.5
/** … and this share of all events had it, or another field appeared. Otherwise those events themselves may have ended. */
const SHARE_MIN = 0.2

/** Asks for the first window and the second half of the other, because a deployment takes its time. @throws as `ask` does */
export async function readPresence(
  ask: Ask,
  source: string,
  conditions: readonly string[],
  { before, after }: Pick<Windows, 'before' | 'after'>,
): Promise<Presence> {
  const asked = [...new Set(conditions)]
  const columns = asked.map((condition, at) => `c${at} = countif(${condition})`)
  const apl = `${source}\n| summarize ${['events = count()', ...columns].join(', ')}`
  const read = async (span: Span) => {
    const { tables } = await ask({ name: 'fields', apl }, formatSpan(span))
    const { fields = [], columns: values = [] } = tables[0] ?? {}
    const minutes = Math.max(1, span.endMs - span.startMs) / UNIT_MS.m
    return (name: string) => (toNumber(values[fields.findIndex((field) => field.name === name)]?.[0]) ?? 0) / minutes
  }
  const late = { startMs: (after.startMs + after.endMs) / 2, endMs: after.endMs }
  const [first, second] = [await read(before), await read(late)]
  const nameOf = (condition: string) => (condition === '' ? 'events' : `c${asked.indexOf(condition)}`)
  return {
    minutes: (before.endMs - before.startMs) / UNIT_MS.m,
    of: (condition) => ({ before: first(nameOf(condition)), after: second(nameOf(condition)) }),
  }
}

/**
 * @param used the fields that a series is made of
 * @param known the fields that could take their place
 * @returns which fields ended with the event, and which began; `undefined` if none of the used ones ended
 */
export function describeBreak(used: readonly string[], known: readonly string[], presence: Presence): string | undefined {
  const { of, minutes } = presence
  const all = of('')
  const isLeft = (few: number, many: number) => few <= LEFT_MAX * many && many * minutes >= EVENTS_MIN
  const appeared = [...new Set(known)].filter((field) => isLeft(of(isThere(field)).before, of(isThere(field)).after))
  const ended = [...new Set(used)].filter((field) => {
    const { before, after } = of(isThere(field))
    const stay = all.before - all.after <= (1 - STAY_MIN) * (before - after)
    return isLeft(after, before) && stay && (appeared.length > 0 || before >= SHARE_MIN * all.before)
  })
  if (ended.length === 0) return undefined
  const list = (fields: readonly string[]) => fields.map(showDots).join(' and ')
  const what = ended.length === 1 ? `the field ${list(ended)} is` : `the fields ${list(ended)} are`
  return `${what} gone since the release${appeared.length > 0 ? `; ${list(appeared)} appeared` : ''}`
}
