/**
 * What monitors need kept, in their own words. A monitor is kept whole: its definition, its state, and in its outbox what it
 * has decided and may not have done yet, so that none of these is ever stored without the others.
 * Deliberately not here: SQL, wire text, and when a monitor triggers.
 */
import type { MonitorOperator, MonitorStatus } from '@deployment-annotations/contract/monitor'

/** What a monitor is told to do. */
export interface MonitorDefinition {
  name: string
  description?: string
  aplQuery: string
  operator: MonitorOperator
  threshold: number
  intervalMinutes: number
  rangeMinutes: number
  alertOnNoData: boolean
  datasets: string[]
  annotationType: string
  annotationTitle?: string
  disabled: boolean
}

/** Something to be done to an annotation. May be done again: the second time changes nothing. */
export type SpanOperation =
  | {
      readonly kind: 'open'
      readonly id: string
      readonly atMs: number
      readonly datasets: readonly string[]
      readonly type: string
      readonly title: string
      readonly description: string
    }
  | { readonly kind: 'close'; readonly id: string; readonly atMs: number }

/** What a monitor has found so far. Times are milliseconds since the epoch. */
export interface StoredMonitorState {
  status: MonitorStatus
  sinceMs: number
  lastRunMs?: number
  /** The next instant of its grid; the ones after it follow at its interval. */
  nextRunMs: number
  lastValue?: number
  error?: string
  /** The annotation whose span is open, or is to be opened from the outbox. */
  annotationId?: string
  /** Decided, stored, and possibly not done yet; in order. */
  outbox: readonly SpanOperation[]
}

export interface StoredMonitor {
  id: string
  /** Counts what was kept of this monitor; the highest is what holds. */
  version: number
  createdAtMs: number
  /** Id of the token. */
  createdBy: string
  definition: MonitorDefinition
  state: StoredMonitorState
  /** It is gone but for what is left in its outbox. */
  removed: boolean
}

export interface MonitorStore {
  /** All monitors, and removed ones whose outbox is not empty. */
  load(): Promise<StoredMonitor[]>
  /** Resolves once this version is on disk. */
  save(monitor: StoredMonitor): Promise<void>
}
