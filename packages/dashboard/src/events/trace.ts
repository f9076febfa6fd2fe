/** The spans of a trace as a tree on one axis of time. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { nanosecondsOf, unitOfField } from '@deployment-annotations/contract/unit'
import { formatRange } from '../address/range.ts'
import { writeFilter } from '../filters/filter.ts'
import { quoteName } from '../query/name.ts'
import type { Event, Query } from '../service/query.ts'
import { cutToMs, UNCOUNTED } from './event-query.ts'
import { type EventField, flatten } from './flatten.ts'
import { levelOf } from './level.ts'
import { splitSource } from './source.ts'

export interface Span {
  event: Event
  data: Record<string, unknown>
  name: string
  service: string
  /** 0 for one without a parent among the spans. */
  depth: number
  /** Nanoseconds since the first span began. */
  startNs: number
  /** 0 for what is a moment, such as a line of a log. */
  lengthNs: number
  isError: boolean
}

/** A trace of more spans is cut off. */
export const SPANS_MAX = 1_000
/** Nobody waits longer for an answer. */
const AROUND_MS = UNIT_MS.h

const TRACE_ID = /^(?:.*\.)?trace[._]?id$/i
const SPAN_ID = /^(?:.*\.)?span[._]?id$/i
const PARENT_ID = /^(?:.*\.)?parent(?:[._]?span)?[._]?id$/i
const NAME = /^(?:name|span[._]?name|operation(?:[._]?name)?|message|msg)$/i
const SERVICE = /^(?:(?:resource\.)?service\.name|service)$/i
const LENGTH = /^(?:duration|elapsed|took|latency)(?:[._]?\w+)?$/i

/** @returns a predicate that all spans of the event's trace pass; `undefined` for an event of none */
export function traceFilter(event: Event): string | undefined {
  const field = findField(flatten(splitSource(event).data), TRACE_ID)
  return field && field.value !== '' ? writeFilter(field.name, field.value) : undefined
}

/** @param filter of `traceFilter` */
export function traceQuery(event: Event, dataset: string, filter: string): Query {
  const ms = Date.parse(cutToMs(event._time))
  return {
    apl: `${quoteName(dataset)} | where ${filter} | sort by _time asc | limit ${SPANS_MAX}`,
    ...formatRange({ startMs: ms - AROUND_MS, endMs: ms + AROUND_MS }),
    ...UNCOUNTED,
  }
}

/** @returns each span after its parent and before those that begin later; what names itself as its parent has none */
export function buildTrace(events: readonly Event[]) {
  const read = events
    .map((event) => readSpan(event))
    .sort((one, other) => (one.atNs < other.atNs ? -1 : one.atNs > other.atNs ? 1 : 0))
  const firstNs = read[0]?.atNs ?? 0n
  const known = new Map(read.map((one) => [one.id, one]))
  const children = Map.groupBy(read, ({ parent }) => parent)
  const spans: Span[] = []
  const placed = new Set<(typeof read)[number]>()
  const place = (one: (typeof read)[number], depth: number) => {
    if (placed.has(one)) return
    placed.add(one)
    const { id, parent: _, atNs, ...span } = one
    spans.push({ ...span, depth, startNs: Number(atNs - firstNs) })
    for (const child of id === '' ? [] : (children.get(id) ?? [])) place(child, depth + 1)
  }
  for (const one of read) if (one.parent === one.id || !known.has(one.parent)) place(one, 0)
  // Those that are each other's parents are left.
  for (const one of read) place(one, 0)
  return { spans, lengthNs: Math.max(0, ...spans.map(({ startNs, lengthNs }) => startNs + lengthNs)) }
}

function readSpan(event: Event) {
  const { data } = splitSource(event)
  const fields = flatten(data)
  const textOf = (names: RegExp) => String(findField(fields, names)?.value ?? '')
  const level = levelOf(data)
  return {
    event,
    data,
    id: textOf(SPAN_ID),
    parent: textOf(PARENT_ID) || NO_PARENT,
    name: textOf(NAME) || '(no name)',
    service: textOf(SERVICE),
    atNs: nanosecondsAt(event._time),
    lengthNs: lengthOf(fields),
    isError:
      fields.some(({ name, value }) => name === 'error' && value === true) ||
      level?.severity === 'error' ||
      level?.severity === 'fatal',
  }
}

/** No id is like it. */
const NO_PARENT = ' '

function findField(fields: readonly EventField[], names: RegExp) {
  return fields.find(({ name, value }) => names.test(name.replaceAll('\\', '')) && value !== null)
}

/** @returns nanoseconds since the epoch: what happens within a trace is often closer than a millisecond */
function nanosecondsAt(time: string): bigint {
  const digits = /\.(\d+)/.exec(time)?.[1] ?? ''
  const seconds = Math.floor(Date.parse(cutToMs(time)) / 1_000)
  return BigInt(seconds) * 1_000_000_000n + BigInt(digits.padEnd(9, '0').slice(0, 9))
}

function lengthOf(fields: readonly EventField[]): number {
  const names = new Set(fields.map(({ name }) => name))
  for (const { name, value } of fields) {
    if (!LENGTH.test(name.replaceAll('\\', '')) || !(typeof value === 'number' || typeof value === 'bigint')) continue
    const unit = unitOfField(name, (other) => names.has(other))
    const ns = unit && nanosecondsOf(unit)
    if (ns !== undefined && Number(value) > 0) return Number(value) * Number(ns)
  }
  return 0
}
