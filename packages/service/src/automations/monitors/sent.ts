/**
 * What clients send for a monitor, tidied before its rules are checked: published ones send every member that there is, with an empty
 * value where there is nothing to say. What this service does not do is refused with a reason; nothing is taken and then forgotten.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { tidyBody, ZERO_TIME } from '../../annotations/members.ts'
import { invalid, showValue } from '../../errors.ts'

const NOTIFIERS = 'there are no notifiers; a trigger is marked on the charts'
const ANOMALIES = 'it is a member of the type AnomalyDetection, which is not supported'

/** Members that say nothing with the values of the first list. */
const UNSUPPORTED: Readonly<Record<string, { harmless: readonly unknown[]; reason: string }>> = {
  mplQuery: { harmless: [''], reason: 'there are no metrics to query; send aplQuery' },
  notifierIds: { harmless: [], reason: NOTIFIERS },
  notifierIDs: { harmless: [], reason: NOTIFIERS },
  tolerance: { harmless: [0], reason: ANOMALIES },
  compareDays: { harmless: [0], reason: ANOMALIES },
}

/** @throws ServiceError `invalid` for what is not supported */
export function tidyMonitor(body: unknown): unknown {
  const tidied = tidyBody(body)
  if (typeof tidied !== 'object' || tidied === null || Array.isArray(tidied)) return tidied
  const members = tidied as Record<string, unknown>
  for (const [member, { harmless, reason }] of Object.entries(UNSUPPORTED)) {
    const value = Object.hasOwn(members, member) ? members[member] : undefined
    if (value === undefined || harmless.includes(value) || (Array.isArray(value) && value.length === 0)) continue
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
  if (text === ZERO_TIME) return undefined
  const ns = parseTimestamp(text)
  if (ns === undefined)
    throw invalid(VALIDATION_CODES.pattern, `disabledUntil must be ${TIMESTAMP_FORMS}, got ${showValue(text)}`)
  return Number(ns / 1_000_000n)
}
