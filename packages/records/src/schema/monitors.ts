/**
 * The rows of monitors and of their alerts.
 */
import type { DefinedMonitor, MonitorStatus } from '@deployment-annotations/contract/monitor'
import { createCodec, integer, json, number, oneOf, type RecordOf, type RowOf, text } from './row-codec.ts'

/** The part of a monitor that people define. If the operator is absent, nothing is compared. */
export interface MonitorDefinition extends Omit<DefinedMonitor, 'disabledUntil' | 'notifierIds'> {
  /** The monitor does not run before this time, in milliseconds since the epoch. */
  disabledUntilMs?: number
  /** The notifiers that are told when it triggers and recovers. */
  notifierIds?: string[]
  /** The only datasets that its query may read, which the token of its author named. All if absent. */
  reach?: string[]
  /** Absent where it was last changed while whole numbers of events divided to whole numbers. */
  knowsDecimals?: true
}

/** The state of one compared series: the whole result of a query, or one of its groups. */
export interface SeriesState {
  /** The results of the last runs, the newest last: `1` if it was beyond the threshold, otherwise `0`. */
  positives?: string
  /** The annotation of the open span. */
  annotationId?: string
}

/** The state that the runs of a monitor left. Times are milliseconds since the epoch. */
export interface StoredMonitorState {
  status: MonitorStatus
  sinceMs: number
  lastRunMs?: number
  /** The time of the next run; later ones follow at its interval. */
  nextRunMs: number
  lastValue?: number
  error?: string
  /** What the author of the query should know though it runs. */
  messages?: readonly string[]
  /** The annotation of the open span. */
  annotationId?: string
  /** The same as in {@link SeriesState}. */
  positives?: string
  /** With notifyByGroup, the groups whose state differs from that of an unknown group. */
  groups?: Record<string, SeriesState>
  /** For MatchEvent, the positions of the events that were found and marked. */
  marked?: string[]
}

const MONITOR = {
  id: text,
  /** Every change and every run raises it, so that a result for an older version is recognized as late. */
  version: integer,
  createdAtMs: number,
  /** The id of the token that created it. */
  createdBy: text,
  definition: json<MonitorDefinition>(),
  /** Without the time of the next run, which has a column of its own. */
  state: json<Omit<StoredMonitorState, 'nextRunMs'>>(),
}
export interface StoredMonitor extends Omit<RecordOf<typeof MONITOR>, 'state'> {
  state: StoredMonitorState
}
export const MONITOR_CODEC = createCodec(MONITOR)

export interface MonitorsTable extends RowOf<typeof MONITOR> {
  /** A copy from the definition, as the next two columns are, for the statements that find due monitors. */
  disabled: bigint
  /** 0 if there is no such time. */
  disabled_until_ms: bigint
  interval_ms: bigint
  next_run_ms: bigint
}

const ALERT = {
  /** The name that the monitor had then, with the group if there is one. */
  name: text,
  /** Id of the annotation. */
  checkId: text,
  state: oneOf<'open' | 'closed'>(),
  atMs: number,
}
export type StoredAlert = RecordOf<typeof ALERT>
export const ALERT_CODEC = createCodec(ALERT)

/** The times when monitors triggered and recovered. */
export interface MonitorAlertsTable extends RowOf<typeof ALERT> {
  monitor_id: string
}
