/**
 * The definition of a monitor, made from the members that a caller sent: defaults, changes, and the rules that a schema cannot express.
 * Published clients send every member, with an empty value where they have nothing to say. A feature that this service does not have is
 * refused with a reason, so that no setting is accepted and then ignored.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { ANNOTATION_TYPE_DEFAULT } from '@deployment-annotations/contract/monitor'
import type { MonitorChange } from '@deployment-annotations/contract/schemas/monitor'
import type { MonitorDefinition } from '@deployment-annotations/records/automations/monitor-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { requireWellFormed, tidyBody } from '../../annotations/requests.ts'
import { readTime, ZERO_TIME } from '../../wire/request-time.ts'

/** Members that obey their schema. */
export type MonitorMembers = MonitorChange

/** @returns the datasets that a query reads; throws where it can never run */
type Check = (question: MonitorDefinition) => readonly string[]

/** The members that a create leaves out, with the defaults of the hosted service. */
const DEFAULTS = {
  type: 'Threshold' as const,
  secondDelay: 0,
  notifyByGroup: false,
  notifyEveryRun: false,
  resolvable: false,
  skipResolved: false,
  triggerFromNRuns: 1,
  triggerAfterNPositiveResults: 0,
  notifierIds: [],
  alertOnNoData: false,
  annotationType: ANNOTATION_TYPE_DEFAULT,
  disabled: false,
} satisfies Partial<MonitorDefinition>
/** It compares nothing, and looks at every minute. */
const OF_MATCHES = { threshold: 0, intervalMinutes: 1, rangeMinutes: 1 } as const

/** @throws ServiceError `query`, `invalid` */
export function completeDefinition(members: MonitorMembers, check: Check): MonitorDefinition {
  requireTexts(members)
  const definition = withMembers({ ...DEFAULTS, ...(members.type === 'MatchEvent' && OF_MATCHES) }, members)
  requireComplete(definition)
  const read = check(definition)
  return { ...definition, datasets: members.datasets ?? namesOf(read) }
}

/**
 * A change that says the type is the whole of a monitor, as the hosted service has it: what is left out gets its default. Members that
 * the hosted service does not have stay; its clients cannot send them.
 * @throws ServiceError `query`, `invalid`
 */
export function mergeDefinition(before: MonitorDefinition, members: MonitorMembers, check: Check): MonitorDefinition {
  requireTexts(members)
  if (Object.keys(members).length === 0) return before
  const base = members.type === undefined ? before : whatStays(before, members)
  const after = withMembers(base, members)
  requireComplete(after)
  if (WHAT_IS_CHECKED.some((member) => after[member] !== before[member])) check(after)
  return after
}

function whatStays(before: MonitorDefinition, { type }: MonitorMembers): Partial<MonitorDefinition> {
  const { datasets, annotationType, annotationTitle, reach } = before
  return {
    ...DEFAULTS,
    ...(type === 'MatchEvent' && OF_MATCHES),
    datasets,
    annotationType,
    ...(annotationTitle !== undefined && { annotationTitle }),
    ...(reach && { reach }),
  }
}

const WHAT_IS_CHECKED = ['aplQuery', 'type', 'columnName', 'notifyByGroup'] as const

/** Members of the wire that a definition holds as they are. */
const KEPT: Record<keyof Omit<MonitorChange, 'disabledUntil'>, true> = {
  type: true,
  name: true,
  description: true,
  aplQuery: true,
  operator: true,
  threshold: true,
  columnName: true,
  intervalMinutes: true,
  rangeMinutes: true,
  alertOnNoData: true,
  secondDelay: true,
  notifyByGroup: true,
  notifyEveryRun: true,
  resolvable: true,
  skipResolved: true,
  triggerFromNRuns: true,
  triggerAfterNPositiveResults: true,
  notifierIds: true,
  datasets: true,
  annotationType: true,
  annotationTitle: true,
  disabled: true,
}

/** An empty text unsets. */
function withMembers(base: Partial<MonitorDefinition>, members: MonitorMembers): MonitorDefinition {
  const known = Object.entries(members).filter(([member]) => Object.hasOwn(KEPT, member))
  const merged = { ...base, ...Object.fromEntries(known) } as MonitorDefinition
  if (members.disabledUntil !== undefined) {
    const untilMs = readDisabledUntil(members.disabledUntil)
    if (untilMs === undefined) delete merged.disabledUntilMs
    else merged.disabledUntilMs = untilMs
  }
  for (const text of ['description', 'annotationTitle'] as const) if (merged[text] === '') delete merged[text]
  return merged
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

function requireTexts({ name, description, aplQuery, annotationTitle, columnName }: MonitorMembers): void {
  requireWellFormed({ name, description, aplQuery, annotationTitle, columnName })
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

const isZero = (value: unknown) => value === 0

/** Members, and the values with which they say nothing. */
const UNSUPPORTED: Readonly<Record<string, { isHarmless: (value: unknown) => boolean; reason: string }>> = {
  mplQuery: { isHarmless: (value) => value === '', reason: 'there are no metrics to query; send aplQuery' },
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
  // One published client spells it so.
  const { notifierIDs, ...spelled } = members
  if (notifierIDs !== undefined) spelled.notifierIds ??= notifierIDs
  return Object.fromEntries(
    Object.entries(spelled).filter(([member, value]) => value !== '' || (member !== 'operator' && member !== 'columnName')),
  )
}

/** @returns milliseconds; `undefined`: it is not disabled, which the zero time of Go says */
function readDisabledUntil(text: string): number | undefined {
  return text === ZERO_TIME ? undefined : Number(readTime('disabledUntil', text) / 1_000_000n)
}
