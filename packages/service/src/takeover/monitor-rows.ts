/**
 * Monitors as earlier versions kept them, in the events' database. Only read: they are taken over into the records.
 * Of the rows of one monitor the highest version counts.
 */
import type { MonitorOperator, MonitorStatus } from '@deployment-annotations/contract/monitor'
import type { SpanOperation } from '../automations/monitors/span-operation.ts'
import { MONITOR_DEFAULTS, type StoredMonitor } from '../records/monitor-records.ts'
import type { Engine } from '../store/engine.ts'

export interface EarlierMonitor {
  monitor: StoredMonitor
  /** Decided, stored, and possibly not done yet; in order. */
  outbox: SpanOperation[]
  /** It is gone but for what is left in its outbox. */
  removed: boolean
}

interface MonitorRow {
  id: string
  version_text: string
  created_at: string
  created_by: string
  name: string
  description: string
  apl_query: string
  operator: string
  threshold: string
  interval_minutes: number
  range_minutes: number
  alert_on_no_data: number
  datasets: string[]
  annotation_type: string
  annotation_title: string
  disabled: number
  status: string
  since: string
  last_run: string | null
  next_run: string
  last_value: string
  error: string
  annotation_id: string
  steps: string
  removed: number
}

// 64-bit integers leave as text: JSON numbers would be rounded.
const MEMBERS = `id, toString(version) AS version_text, toString(created_at_ms) AS created_at, created_by, name, description,
apl_query, operator, threshold, interval_minutes, range_minutes, alert_on_no_data, datasets, annotation_type, annotation_title,
disabled, status, toString(since_ms) AS since, toString(last_run_ms) AS last_run, toString(next_run_ms) AS next_run, last_value,
error, annotation_id, steps, removed`

/** @returns all monitors, and removed ones whose outbox is not empty */
export async function readMonitorRows(engine: Engine): Promise<EarlierMonitor[]> {
  const rows = await engine.select<MonitorRow>(
    `SELECT ${MEMBERS} FROM monitors FINAL WHERE removed = 0 OR steps != '[]' ORDER BY id`,
  )
  return rows.map(fromRow)
}

function fromRow(row: MonitorRow): EarlierMonitor {
  const monitor: StoredMonitor = {
    id: row.id,
    version: BigInt(row.version_text),
    createdAtMs: Number(row.created_at),
    createdBy: row.created_by,
    definition: {
      ...MONITOR_DEFAULTS,
      name: row.name,
      ...(row.description !== '' && { description: row.description }),
      aplQuery: row.apl_query,
      operator: row.operator as MonitorOperator,
      threshold: Number(row.threshold),
      intervalMinutes: row.interval_minutes,
      rangeMinutes: row.range_minutes,
      alertOnNoData: row.alert_on_no_data === 1,
      datasets: row.datasets,
      annotationType: row.annotation_type,
      ...(row.annotation_title !== '' && { annotationTitle: row.annotation_title }),
      disabled: row.disabled === 1,
    },
    state: {
      status: row.status as MonitorStatus,
      sinceMs: Number(row.since),
      ...(row.last_run !== null && { lastRunMs: Number(row.last_run) }),
      nextRunMs: Number(row.next_run),
      ...(row.last_value !== '' && { lastValue: Number(row.last_value) }),
      ...(row.error !== '' && { error: row.error }),
      ...(row.annotation_id !== '' && { annotationId: row.annotation_id }),
    },
  }
  return { monitor, outbox: JSON.parse(row.steps) as SpanOperation[], removed: row.removed === 1 }
}
