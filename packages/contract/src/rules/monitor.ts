/**
 * What the members of a monitor must obey: closed lists, patterns and bounds, for the schemas, the service and the page.
 */

/** How a value is compared with the threshold for the monitor to trigger. */
export const MONITOR_OPERATORS = ['Above', 'AboveOrEqual', 'Below', 'BelowOrEqual'] as const

/** `Threshold` compares a value with a threshold; `MatchEvent` marks each event that its query finds. */
export const MONITOR_TYPES = ['Threshold', 'MatchEvent'] as const
export const MONITOR_TYPE_DEFAULT = 'Threshold'

/**
 * - `pending`: not run yet since it was created or enabled
 * - `ok`, `triggered`: what the last run found
 * - `no-data`: the last run found nothing to compare, and that is no reason to trigger
 * - `error`: the last run failed; `error` says why
 * - `disabled`: it does not run
 */
export const MONITOR_STATUSES = ['pending', 'ok', 'triggered', 'no-data', 'error', 'disabled'] as const

export const MONITOR_ID_PATTERN = /^mon_[A-Za-z0-9_-]{1,64}$/

/** Longest texts, in Unicode code points. A name is the title of annotations, so it has their bound. */
export const MONITOR_NAME_POINTS_MAX = 256
export const MONITOR_DESCRIPTION_POINTS_MAX = 512
/** Every run writes the monitor anew, so its query is bounded more tightly than others; the largest public one has 4 kB. */
export const MONITOR_QUERY_POINTS_MAX = 8_192
/** A year: with it, every time that a monitor computes can be stored. */
export const MONITOR_MINUTES_MAX = 525_600
/** A day. */
export const MONITOR_DELAY_SECONDS_MAX = 86_400
/** Runs that a monitor looks back on; what each found is part of its state. */
export const MONITOR_RUNS_MAX = 100
