/**
 * The definition of a monitor, made from the members that a caller sent: defaults, changes, and the rules that a schema cannot express.
 * Published clients send every member, with an empty value where they have nothing to say. A feature that this service does not have is
 * refused with a reason, so that no setting is accepted and then ignored.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  MONITOR_DEFAULTS,
  MONITOR_MEMBERS_WITHOUT_EFFECT,
  type MonitorChange,
  OWN_MONITOR_MEMBERS,
} from '@deployment-annotations/contract/monitor'
import type { MonitorDefinition } from '@deployment-annotations/records/automations/monitor-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { requireWellFormed, tidyBody, withoutEmpty } from '../../annotations/requests.ts'
import { isObject } from '../../wire/is-object.ts'
import { readMillis } from '../../wire/request-time.ts'

/** @returns the datasets that a query reads, and what its author should know; throws where it can never run */
type Check = (question: MonitorDefinition) => { read: readonly string[]; messages: readonly string[] }

/** It compares nothing, and looks at every minute. */
const OF_MATCHES = { threshold: 0, intervalMinutes: 1, rangeMinutes: 1 } as const

/** @throws ServiceError `query`, `invalid` */
export function completeDefinition(members: MonitorChange, check: Check) {
  requireWellFormed(members)
  const definition = withMembers({ ...MONITOR_DEFAULTS, ...(members.type === 'MatchEvent' && OF_MATCHES) }, members)
  requireComplete(definition)
  const { read, messages } = check(definition)
  const completed: MonitorDefinition = { ...definition, datasets: members.datasets ?? namesOf(read) }
  return { completed, messages }
}

/**
 * A change that says the type is the whole of a monitor, as the hosted service has it: what is left out gets its default. Members that
 * the hosted service does not have stay; its clients cannot send them.
 * @throws ServiceError `query`, `invalid`
 */
export function mergeDefinition(before: MonitorDefinition, members: MonitorChange, check: Check): MonitorDefinition {
  requireWellFormed(members)
  if (Object.keys(members).length === 0) return before
  const base = members.type === undefined ? before : whatStays(before, members)
  const after = withMembers(base, members)
  requireComplete(after)
  if (WHAT_IS_CHECKED.some((member) => after[member] !== before[member])) check(after)
  return after
}

function whatStays(before: MonitorDefinition, { type }: MonitorChange): Partial<MonitorDefinition> {
  const own = Object.entries(before).filter(([name]) => name === 'reach' || Object.hasOwn(OWN_MONITOR_MEMBERS, name))
  return { ...MONITOR_DEFAULTS, ...(type === 'MatchEvent' && OF_MATCHES), ...Object.fromEntries(own) }
}

const WHAT_IS_CHECKED = ['aplQuery', 'type', 'columnName', 'notifyByGroup'] as const

function withMembers(base: Partial<MonitorDefinition>, { disabledUntil, ...members }: MonitorChange): MonitorDefinition {
  const disabledUntilMs = disabledUntil === undefined ? base.disabledUntilMs : readMillis('disabledUntil', disabledUntil)
  return withoutEmpty<MonitorDefinition>({ ...base, ...members, disabledUntilMs } as MonitorDefinition)
}

/** What only one type has, and what both need. */
function requireComplete(definition: MonitorDefinition): void {
  // A change that says the type may leave them out.
  for (const member of ['name', 'aplQuery'] as const) {
    if (definition[member] === undefined) throw invalid(VALIDATION_CODES.required, `${member} is required with type`)
  }
  if (definition.type === 'MatchEvent') {
    for (const member of ['alertOnNoData', 'notifyByGroup', 'columnName'] as const) {
      if (!definition[member]) continue
      throw invalid(
        VALIDATION_CODES.enum,
        `${member} is not supported with type MatchEvent, which creates an annotation for each event that it finds`,
      )
    }
    return
  }
  for (const member of ['operator', 'threshold', 'intervalMinutes', 'rangeMinutes'] as const) {
    if (definition[member] === undefined) throw invalid(VALIDATION_CODES.required, `${member} is required`)
  }
}

/** By default the annotations appear on the charts of what the query reads. */
function namesOf(read: readonly string[]): string[] {
  const names = read.filter((name) => DATASET_NAME_PATTERN.test(name))
  if (names.length === 0) {
    throw invalid(
      VALIDATION_CODES.required,
      'datasets is required: the query reads no dataset on whose charts annotations could appear',
    )
  }
  return names
}

const ANOMALIES = 'it is a member of the type AnomalyDetection, which is not supported'

/** Why members that say something are refused. */
const REASONS: Readonly<Record<string, string>> = {
  mplQuery: 'there are no metrics to query; send aplQuery',
  tolerance: ANOMALIES,
  compareDays: ANOMALIES,
}

/** @throws ServiceError `invalid` for what is not supported */
export function tidyMonitor(body: unknown): unknown {
  const members = tidyBody(body)
  if (!isObject(members)) return members
  for (const [member, reason] of Object.entries(REASONS)) {
    const value = Object.hasOwn(members, member) ? members[member] : undefined
    if (value === undefined || MONITOR_MEMBERS_WITHOUT_EFFECT[member]?.enum?.includes(value)) continue
    throw invalid(VALIDATION_CODES.enum, `${member} is not supported, got ${showValue(value)}: ${reason}`)
  }
  if (members.type === 'AnomalyDetection') {
    throw invalid(
      VALIDATION_CODES.enum,
      'type AnomalyDetection is not supported; valid are Threshold and MatchEvent. A Threshold monitor can compare with the past in its query, for example the last hour with the same hour of the day before',
    )
  }
  // One published client spells it so.
  const { notifierIDs, ...spelled } = members
  if (notifierIDs !== undefined) spelled.notifierIds ??= notifierIDs
  const isSaid = ([member, value]: [string, unknown]) =>
    !Object.hasOwn(MONITOR_MEMBERS_WITHOUT_EFFECT, member) && (value !== '' || !COUNT_AS_NOT_SENT.has(member))
  return Object.fromEntries(Object.entries(spelled).filter(isSaid))
}

/** Members that published clients send empty with a type that does not have them. */
const COUNT_AS_NOT_SENT: ReadonlySet<string> = new Set(['operator', 'columnName'])
