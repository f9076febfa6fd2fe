/**
 * Monitors: their paths, closed lists, patterns and bounds, for the schemas, the service and the page. Names are those of the hosted
 * service's monitors where it has one; `datasets`, `annotationType`, `annotationTitle` and `state` are this interface's own.
 * The shapes are in schemas/monitor.ts.
 */
import { toSegment } from './text.ts'

export const MONITORS_PATH = '/v2/monitors'

/** @returns the path of one monitor, its id escaped */
export function monitorPath(id: string): string {
  return `${MONITORS_PATH}/${toSegment(id)}`
}

export function monitorHistoryPath(id: string): string {
  return `${monitorPath(id)}/history`
}

/** The operators as people read them, before the threshold. */
export const MONITOR_OPERATOR_WORDS: Readonly<Record<MonitorOperator, string>> = {
  Above: 'above',
  AboveOrEqual: 'at or above',
  Below: 'below',
  BelowOrEqual: 'at or below',
}

export const ANNOTATION_TYPE_DEFAULT = 'monitor'

/** How many monitors one service can have: run every minute, at 50 ms each, they keep one reader of the engine busy. */
export const MONITORS_MAX = 1_000

/** How a value is compared with the threshold for the monitor to trigger. */
export const MONITOR_OPERATORS = ['Above', 'AboveOrEqual', 'Below', 'BelowOrEqual'] as const
export type MonitorOperator = (typeof MONITOR_OPERATORS)[number]

/** `Threshold` compares a value with a threshold; `MatchEvent` creates an annotation for each event that its query finds. */
export const MONITOR_TYPES = ['Threshold', 'MatchEvent'] as const
export type MonitorType = (typeof MONITOR_TYPES)[number]
export const MONITOR_TYPE_DEFAULT = 'Threshold'

/**
 * - `pending`: not run yet since it was created or enabled
 * - `ok`, `triggered`: what the last run found
 * - `no-data`: the last run found nothing to compare, and that is no reason to trigger
 * - `error`: the last run failed; `error` says why
 * - `disabled`: it does not run
 */
export const MONITOR_STATUSES = ['pending', 'ok', 'triggered', 'no-data', 'error', 'disabled'] as const
export type MonitorStatus = (typeof MONITOR_STATUSES)[number]

export const MONITOR_ID_PATTERN = /^mon_[A-Za-z0-9_-]{1,64}$/

/** The longest texts, in Unicode code points. A name is the title of annotations, so it has their bound. */
export const MONITOR_NAME_POINTS_MAX = 256
export const MONITOR_DESCRIPTION_POINTS_MAX = 512
/** Every run writes the monitor anew, so its query is bounded more tightly than others; the largest public one has 4 kB. */
export const MONITOR_QUERY_POINTS_MAX = 8_192
/** The longest interval and range, a year: every time that a monitor computes with it can be stored. */
export const MONITOR_MINUTES_MAX = 525_600
/** The longest delay, a day. */
export const MONITOR_DELAY_SECONDS_MAX = 86_400
/** How many runs a monitor can look back on; the result of each is part of its state. */
export const MONITOR_RUNS_MAX = 100
