/**
 * What clients send for a monitor, tidied before its rules are checked: published ones send every member that there is, with an empty
 * value where there is nothing to say. What this service does not do is refused with a reason; nothing is taken and then forgotten.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { tidyBody } from '../../annotations/wire.ts'
import { readTime, ZERO_TIME } from '../../request-time.ts'

const NOTIFIERS = 'there are no notifiers; a trigger is marked on the charts'
const ANOMALIES = 'it is a member of the type AnomalyDetection, which is not supported'

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
const isZero = (value: unknown) => value === 0

/** Members, and the values with which they say nothing. */
const UNSUPPORTED: Readonly<Record<string, { isHarmless: (value: unknown) => boolean; reason: string }>> = {
  mplQuery: { isHarmless: (value) => value === '', reason: 'there are no metrics to query; send aplQuery' },
  notifierIds: { isHarmless: isEmptyList, reason: NOTIFIERS },
  notifierIDs: { isHarmless: isEmptyList, reason: NOTIFIERS },
  tolerance: { isHarmless: isZero, reason: ANOMALIES },
  compareDays: { isHarmless: isZero, reason: ANOMALIES },
}

/** @throws ServiceError `invalid` for what is not supported */
export function tidyMonitor(body: unknown): unknown {
  const tidied = tidyBody(body)
  if (typeof tidied !== 'object' || tidied === null || Array.isArray(tidied)) return tidied
  const members = tidied as Record<string, unknown>
  for (const [member, { isHarmless, reason }] of Object.entries(UNSUPPORTED)) {
    const value = Object.hasOwn(members, member) ? members[member] : undefined
    if (value === undefined || isHarmless(value)) continue
    throw invalid(VALIDATION_CODES.enum, `${member} is not supported, got ${showValue(value)}: ${reason}`)
  }
  if (members.type === 'AnomalyDetection') {
    throw invalid(
      VALIDATION_CODES.enum,
      'type AnomalyDetection is not supported; valid are Threshold and MatchEvent. A Threshold monitor can compare with the past in its query, for example the last hour with the same hour of the day before',
    )
  }
  return Object.fromEntries(
    Object.entries(members).filter(([member, value]) => value !== '' || (member !== 'operator' && member !== 'columnName')),
  )
}

/** @returns milliseconds; `undefined`: it is not disabled, which the zero time of Go says */
export function readDisabledUntil(text: string): number | undefined {
  return text === ZERO_TIME ? undefined : Number(readTime('disabledUntil', text) / 1_000_000n)
}
