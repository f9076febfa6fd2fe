/**
 * What a monitor is told to do, from what a caller sent: defaults, changes, and the rules that a schema cannot hold.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { ANNOTATION_TYPE_DEFAULT, type MonitorChange } from '@deployment-annotations/contract/monitor'
import { requireWellFormed } from '../../annotations/members.ts'
import { invalid } from '../../errors.ts'
import type { MonitorDefinition } from '../../records/monitor-records.ts'

/** Members that obey their schema. */
export type MonitorMembers = MonitorChange

/** @returns the datasets that a query reads; throws where it can never run */
type Check = (question: { aplQuery: string; rangeMinutes: number }) => readonly string[]

/**
 * @param members those that a create requires are there
 * @throws ServiceError `query`, `invalid`
 */
export function completeDefinition(members: MonitorMembers, check: Check): MonitorDefinition {
  requireTexts(members)
  const { name, aplQuery, operator, threshold, intervalMinutes, rangeMinutes } = members
  if (name === undefined || aplQuery === undefined || operator === undefined) throw incomplete()
  if (threshold === undefined || intervalMinutes === undefined || rangeMinutes === undefined) throw incomplete()
  const read = check({ aplQuery, rangeMinutes })
  return withoutEmpty({
    name,
    ...(members.description !== undefined && { description: members.description }),
    aplQuery,
    operator,
    threshold,
    intervalMinutes,
    rangeMinutes,
    alertOnNoData: members.alertOnNoData ?? false,
    datasets: members.datasets ?? namesOf(read),
    annotationType: members.annotationType ?? ANNOTATION_TYPE_DEFAULT,
    ...(members.annotationTitle !== undefined && { annotationTitle: members.annotationTitle }),
    disabled: members.disabled ?? false,
  })
}

/** @throws ServiceError `query`, `invalid` */
export function mergeDefinition(before: MonitorDefinition, members: MonitorMembers, check: Check): MonitorDefinition {
  requireTexts(members)
  const known = Object.keys(members).filter((member): member is keyof MonitorMembers => Object.hasOwn(CHANGEABLE, member))
  if (known.length === 0) return before
  const after: MonitorDefinition = { ...before, ...Object.fromEntries(known.map((member) => [member, members[member]])) }
  if (after.aplQuery !== before.aplQuery) check(after)
  return withoutEmpty(after)
}

const CHANGEABLE: Record<keyof MonitorChange, true> = {
  name: true,
  description: true,
  aplQuery: true,
  operator: true,
  threshold: true,
  intervalMinutes: true,
  rangeMinutes: true,
  alertOnNoData: true,
  datasets: true,
  annotationType: true,
  annotationTitle: true,
  disabled: true,
}

function requireTexts({ name, description, aplQuery, annotationTitle }: MonitorMembers): void {
  requireWellFormed({ name, description, aplQuery, annotationTitle })
}

/** By default the annotations appear on the charts of what the query reads. */
function namesOf(read: readonly string[]): string[] {
  const names = read.filter((name) => DATASET_NAME_PATTERN.test(name))
  if (names.length === 0) {
    throw invalid(VALIDATION_CODES.required, 'datasets is required: the query reads none whose charts could be marked')
  }
  return names
}

/** An empty text unsets. */
function withoutEmpty({ description, annotationTitle, ...rest }: MonitorDefinition): MonitorDefinition {
  return { ...rest, ...(description && { description }), ...(annotationTitle && { annotationTitle }) }
}

function incomplete(): Error {
  return new Error('a create without required members passed its schema')
}
