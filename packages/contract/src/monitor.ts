/**
 * Monitors on the wire: shapes, rules and paths. Names are those of the hosted service's monitors where it has one;
 * `datasets`, `annotationType`, `annotationTitle` and `state` are this interface's own.
 * Their schemas are in schemas/monitor.ts, which this file does not load.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { MONITOR_OPERATORS, MONITOR_STATUSES, MONITOR_TYPES } from './rules/monitor.ts'
import type { AlertSchema, MonitorChangeSchema, MonitorSchema, NewMonitorSchema } from './schemas/monitor.ts'

export * from './rules/monitor.ts'

export const MONITORS_PATH = '/v2/monitors'

/** @returns the path of one monitor, its id escaped */
export function monitorPath(id: string): string {
  return `${MONITORS_PATH}/${toSegment(id)}`
}

export function monitorHistoryPath(id: string): string {
  return `${monitorPath(id)}/history`
}

export type MonitorOperator = (typeof MONITOR_OPERATORS)[number]
export type MonitorStatus = (typeof MONITOR_STATUSES)[number]

/** As people read them, before the threshold. */
export const MONITOR_OPERATOR_WORDS: Readonly<Record<MonitorOperator, string>> = {
  Above: 'above',
  AboveOrEqual: 'at or above',
  Below: 'below',
  BelowOrEqual: 'at or below',
}

/** Where a monitor stands. Times are RFC 3339, UTC. */
export type MonitorState = Monitor['state']

/** What a create sends. */
export type NewMonitor = Omit<Static<typeof NewMonitorSchema>, Ignored>

/** The members to change; the others keep their values, unless `type` is sent: then those that a create would default do not. */
export type MonitorChange = Omit<Static<typeof MonitorChangeSchema>, Ignored>

/** What published clients send although it says nothing. */
type Ignored =
  | 'mplQuery'
  | 'notifierIds'
  | 'notifierIDs'
  | 'tolerance'
  | 'compareDays'
  | 'id'
  | 'createdAt'
  | 'createdBy'
  | 'updatedAt'
  | 'state'

export type MonitorType = (typeof MONITOR_TYPES)[number]

/** One change of state in a monitor's history. */
export type Alert = Static<typeof AlertSchema>

/** A query that runs at an interval, and marks the time during which its value is beyond a threshold. */
export type Monitor = Static<typeof MonitorSchema>

export const ANNOTATION_TYPE_DEFAULT = 'monitor'

/** Monitors of one service: run every minute, at 50 ms each, they keep one reader of the engine busy. */
export const MONITORS_MAX = 1_000
