/**
 * The interval of a query: absolute times, and times relative to now. `[start, end)`, to the nanosecond.
 * Deliberately not here: times inside of a query text.
 */

import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { parseRelativeTime, RELATIVE_FORMS, withinYears } from '@deployment-annotations/contract/relative-time'
import { formatTimestamp, parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'

export interface QueryRange {
  startNs: bigint
  endNs: bigint
  /** What the caller should know about it. */
  warning?: string
}

/** The interval where none is given: long, so that recent data is seen whole, and still bounded. */
const DEFAULT_WINDOW_DAYS = 365n

/**
 * @param nowNs what "now" stands for: the end of this millisecond
 * @throws ServiceError `invalid` if a time cannot be read, `malformed` where the interval ends before it starts
 */
export function readRange(startTime: unknown, endTime: unknown, nowNs: bigint): QueryRange {
  const endNs = isGiven(endTime) ? readTime('endTime', endTime, nowNs) : nowNs
  const startNs = isGiven(startTime) ? readTime('startTime', startTime, nowNs) : endNs - DEFAULT_WINDOW_DAYS * UNIT_NS.d
  if (endNs < startNs) {
    throw new ServiceError('malformed', `the query ends (${show(endNs)}) before it starts (${show(startNs)})`)
  }
  if (isGiven(startTime) && isGiven(endTime)) return { startNs, endNs }
  const missing = [!isGiven(startTime) && 'startTime', !isGiven(endTime) && 'endTime'].filter(Boolean).join(' and ')
  return {
    startNs,
    endNs,
    warning: `${missing} not given: the query covers ${show(startNs)} to ${show(endNs)}; give both, or write | where _time > ago(1h)`,
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/**
 * For a time that is kept as it was written.
 * @throws ServiceError `invalid` where no query could read it
 */
export function requireTime(member: string, text: string): void {
  readTime(member, text, 0n)
}

function readTime(member: string, value: unknown, nowNs: bigint): bigint {
  if (typeof value !== 'string') throw invalid(VALIDATION_CODES.type, `${member} must be a string, got ${typeof value}`)
  const ns = parseRelativeTime(value, nowNs) ?? parseTimestamp(value)
  if (ns === undefined) {
    throw invalid(VALIDATION_CODES.pattern, `${member} must be ${TIMESTAMP_FORMS}, or ${RELATIVE_FORMS}, got ${quoted(value)}`)
  }
  return ns
}

const show = (ns: bigint) => formatTimestamp(withinYears(ns))
