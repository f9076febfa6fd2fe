/** What is asked for the events around one. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { formatRange } from '../address/range.ts'
import { quoteName } from '../query/name.ts'
import type { Event, Query } from '../service/query.ts'
import { cutToMs, UNCOUNTED } from './event-query.ts'
import { type EventField, flatten } from './flatten.ts'

/** So many are shown on each side. */
const CONTEXT_ROWS = 10
/** What is farther away has nothing to do with it. */
const CONTEXT_MS = UNIT_MS.h
/** The fields that say where an event is from, by the names that people and OpenTelemetry give them. */
const ORIGIN =
  /^(?:.*\.)?(?:host(?:name)?|host\.name|trace[._]?id|span[._]?id|request_?id|session(?:_?id)?|pod|container|instance|user_?id|thread)$/i

/** @returns the fields by which events belong together */
export function fieldsOfOrigin(data: Readonly<Record<string, unknown>>): EventField[] {
  return flatten(data).filter(
    ({ name, value }) =>
      ORIGIN.test(name.replaceAll('\\', '')) && (typeof value === 'string' || typeof value === 'number') && value !== '',
  )
}

/** @param time of the event @param filter a predicate that all have to pass @returns the query before it, the nearest first, and the one from it on */
export function contextQueries(time: string, dataset: string, filter: string | undefined): Query[] {
  const ms = Date.parse(cutToMs(time))
  const events = `${quoteName(dataset)}${filter === undefined ? '' : ` | where ${filter}`}`
  const at = `datetime(${time})`
  return [
    {
      apl: `${events} | where _time < ${at} | sort by _time desc | limit ${CONTEXT_ROWS}`,
      ...formatRange({ startMs: ms - CONTEXT_MS, endMs: ms + 1 }),
      ...UNCOUNTED,
    },
    {
      apl: `${events} | where _time >= ${at} | sort by _time asc | limit ${CONTEXT_ROWS + 1}`,
      ...formatRange({ startMs: ms, endMs: ms + CONTEXT_MS }),
      ...UNCOUNTED,
    },
  ]
}

/** @returns whether this is the event itself, whichever query it comes from */
export function isSameEvent(one: Event, other: Event): boolean {
  return one._rowId === other._rowId
}
