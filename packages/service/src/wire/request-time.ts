/**
 * Reads times in bodies and parameters of requests, for every resource in the same way.
 * Deliberately not here: which times a resource can store.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { parseRelativeTime, RELATIVE_FORMS } from '@deployment-annotations/contract/relative-time'
import { parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'

/** How the published Go client writes a time that was not set; it cannot leave the member out. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'

/**
 * @param nowNs what "now" stands for; without it a time relative to now is refused, because a time that is stored must not depend on when
 *   its request arrives
 * @returns nanoseconds since the epoch; @throws ServiceError `invalid` naming the member and its value
 */
export function readTime(member: string, text: string, nowNs?: bigint): bigint {
  const ns = (nowNs === undefined ? undefined : parseRelativeTime(text, nowNs)) ?? parseTimestamp(text)
  if (ns !== undefined) return ns
  const forms = nowNs === undefined ? TIMESTAMP_FORMS : `${TIMESTAMP_FORMS}, or ${RELATIVE_FORMS}`
  throw invalid(VALIDATION_CODES.pattern, `${member} must be ${forms}, got ${showValue(text)}`)
}

/** @returns milliseconds since the epoch; `undefined` where no time was given; @throws as {@link readTime} */
export function readMillis(member: string, text: string | null | undefined): number | undefined {
  return text === undefined || text === null || text === ZERO_TIME ? undefined : Number(readTime(member, text) / UNIT_NS.ms)
}

/** As {@link readTime}, for a query parameter: a `+` that was sent unescaped arrives as a space. */
export function readTimeParameter(name: string, text: string, nowNs: bigint): bigint {
  return readTime(name, text.replace(/(?<=^now) (?=\d)| (?=\d\d:?\d\d$)/, '+'), nowNs)
}
