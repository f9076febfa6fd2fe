/**
 * The interval of a query: absolute times, and times relative to now. `[start, end)`, to the nanosecond.
 * Deliberately not here: times inside of a query text.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { formatTimestamp, parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, quoted, ServiceError } from '../errors.ts'

export interface QueryRange {
  startNs: bigint
  endNs: bigint
  /** What the caller should know about it. */
  warning?: string
}

const NS_PER_UNIT = {
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
}

/** The interval where none is given: long, so that recent data is seen whole, and still bounded. */
const DEFAULT_WINDOW_DAYS = 365n

const RELATIVE = /^now(?:\s*([+-])\s*(\d{1,9})([smhdw]))?$/

/**
 * @param nowNs see {@link endOfMillisecond}
 * @throws ServiceError `invalid` where a time is none, `malformed` where the interval ends before it starts
 */
export function readRange(startTime: unknown, endTime: unknown, nowNs: bigint): QueryRange {
  const endNs = isGiven(endTime) ? readTime('endTime', endTime, nowNs) : nowNs
  const startNs = isGiven(startTime) ? readTime('startTime', startTime, nowNs) : endNs - DEFAULT_WINDOW_DAYS * NS_PER_UNIT.d
  if (endNs < startNs) {
    throw new ServiceError('malformed', `the query ends (${show(endNs)}) before it starts (${show(startNs)})`)
  }
  if (isGiven(startTime) && isGiven(endTime)) return { startNs, endNs }
  const missing = [!isGiven(startTime) && 'startTime', !isGiven(endTime) && 'endTime'].filter(Boolean).join(' and ')
  return { startNs, endNs, warning: `${missing} not given: the query covers ${show(startNs)} to ${show(endNs)}` }
}

/**
 * The instant that "now" stands for: the end of this millisecond, because events that were stored with this millisecond
 * as their time are there, and an interval up to now has to hold them.
 */
export function endOfMillisecond(nowMs: number): bigint {
  return (BigInt(nowMs) + 1n) * 1_000_000n
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function readTime(member: string, value: unknown, nowNs: bigint): bigint {
  if (typeof value !== 'string') throw invalid(VALIDATION_CODES.type, `${member} must be a string, got ${typeof value}`)
  const [found, sign, count = '0', unit = 's'] = RELATIVE.exec(value) ?? []
  if (found !== undefined) {
    const distance = BigInt(count) * NS_PER_UNIT[unit as keyof typeof NS_PER_UNIT]
    return inYears(sign === '-' ? nowNs - distance : nowNs + distance)
  }
  const ns = parseTimestamp(value)
  if (ns === undefined) {
    throw invalid(
      VALIDATION_CODES.pattern,
      `${member} must be ${TIMESTAMP_FORMS}, or now, now-1h, now-1d (s m h d w), got ${quoted(value)}`,
    )
  }
  return ns
}

const FIRST_NS = BigInt(Date.UTC(1, 0, 1)) * 1_000_000n
const LAST_NS = BigInt(Date.UTC(9999, 0, 1)) * 1_000_000n

/** What can be printed again; nothing is stored beyond it. */
function inYears(ns: bigint): bigint {
  return ns < FIRST_NS ? FIRST_NS : ns > LAST_NS ? LAST_NS : ns
}

const show = (ns: bigint) => formatTimestamp(inYears(ns))
