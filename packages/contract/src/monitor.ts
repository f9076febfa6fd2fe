/**
 * Monitors on the wire: shapes, field rules and paths. Names are those of the hosted service's monitors where it has one;
 * `datasets`, `annotationType`, `annotationTitle` and `state` are this interface's own.
 * Shared by client and service; no I/O.
 */

export const MONITORS_PATH = '/v2/monitors'

/** @returns the path of one monitor, its id escaped */
export function monitorPath(id: string): string {
  return `${MONITORS_PATH}/${encodeURIComponent(id)}`
}

/** How a value is compared with the threshold for the monitor to trigger. */
export const MONITOR_OPERATORS = ['Above', 'AboveOrEqual', 'Below', 'BelowOrEqual'] as const
export type MonitorOperator = (typeof MONITOR_OPERATORS)[number]

/** As people read them, before the threshold. */
export const MONITOR_OPERATOR_WORDS: Readonly<Record<MonitorOperator, string>> = {
  Above: 'above',
  AboveOrEqual: 'at or above',
  Below: 'below',
  BelowOrEqual: 'at or below',
}

/** The one kind of monitor there is. */
export const MONITOR_TYPE = 'Threshold'

/**
 * - `pending`: not run yet since it was created or enabled
 * - `ok`, `triggered`: what the last run found
 * - `no-data`: the last run found nothing to compare, and that is no reason to trigger
 * - `error`: the last run failed; `error` says why
 * - `disabled`: it does not run
 */
export const MONITOR_STATUSES = ['pending', 'ok', 'triggered', 'no-data', 'error', 'disabled'] as const
export type MonitorStatus = (typeof MONITOR_STATUSES)[number]

/** Where a monitor stands. Times are RFC 3339, UTC. */
export interface MonitorState {
  status: MonitorStatus
  /** Since when it has this status. */
  since: string
  /** End of the range that the last run looked at. */
  lastRun?: string
  /** Absent while it is disabled. */
  nextRun?: string
  /** What the last run compared with the threshold; absent where it failed or found nothing. */
  lastValue?: number
  /** Why the last run failed. */
  error?: string
  /** The annotation whose span is open. Also there while runs fail after a trigger. */
  annotationId?: string
}

/** What a create sends. */
export interface NewMonitor {
  name: string
  description?: string
  aplQuery: string
  operator: MonitorOperator
  threshold: number
  /** How often it runs. */
  intervalMinutes: number
  /** How far a run looks back. */
  rangeMinutes: number
  /** Triggers, too, where there is nothing to compare. By default false. */
  alertOnNoData?: boolean
  /** On whose charts its annotations appear. By default the datasets that the query reads. */
  datasets?: string[]
  /** `type` of its annotations. By default `monitor`. */
  annotationType?: string
  /** `title` of its annotations. By default the monitor's name; an empty one unsets it. */
  annotationTitle?: string
  /** Does not run. By default false. */
  disabled?: boolean
}

/** The members to change; the others keep their values. */
export type MonitorChange = Partial<NewMonitor>

/** A query that runs at an interval, and marks the time during which its value is beyond a threshold. */
export interface Monitor extends NewMonitor {
  /** Assigned by the service; begins with `mon_`. */
  id: string
  type: typeof MONITOR_TYPE
  alertOnNoData: boolean
  datasets: string[]
  annotationType: string
  disabled: boolean
  createdAt: string
  /** Id of the token. */
  createdBy: string
  state: MonitorState
}

export const MONITOR_ID_PATTERN = /^mon_[A-Za-z0-9_-]{1,64}$/
export const ANNOTATION_TYPE_DEFAULT = 'monitor'

/** Longest texts, in Unicode code points. A name is the title of annotations, so it has their bound. */
export const MONITOR_NAME_POINTS_MAX = 256
export const MONITOR_DESCRIPTION_POINTS_MAX = 512
/** Every run writes the monitor anew, so its query is bounded more tightly than others; the largest public one has 4 kB. */
export const MONITOR_QUERY_POINTS_MAX = 8_192
/** A year: with it, every time that a monitor computes can be stored. */
export const MONITOR_MINUTES_MAX = 525_600
/** Monitors of one service: run every minute, at 50 ms each, they keep one reader of the engine busy. */
export const MONITORS_MAX = 1_000
