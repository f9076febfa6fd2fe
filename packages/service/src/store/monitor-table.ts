/**
 * The monitor store over the table `monitors`: rows to monitors and back. Rows are only inserted; see store/schema/0003-monitors.ts.
 */
import type { MonitorOperator, MonitorStatus } from '@deployment-annotations/contract/monitor'
import { Batcher } from '../concurrency/batcher.ts'
import { BATCHED_ROWS } from '../concurrency/queue-bounds.ts'
import type { Engine, Row } from './engine.ts'
import type { MonitorStore, SpanOperation, StoredMonitor } from './monitor-store.ts'

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

export function createMonitorTable(engine: Engine): MonitorStore {
  const inserts = new Batcher<Row, void>({
    async work(rows) {
      await engine.insert('monitors', rows)
      return []
    },
    batchMax: { rows: 1_000, bytes: Number.POSITIVE_INFINITY },
    bound: BATCHED_ROWS,
  })
  return {
    async load() {
      const rows = await engine.select<MonitorRow>(
        `SELECT ${MEMBERS} FROM monitors FINAL WHERE removed = 0 OR steps != '[]' ORDER BY id`,
      )
      return rows.map(fromRow)
    },
    save: (monitor) => inserts.add(toRow(monitor)),
  }
}

function toRow({ id, version, createdAtMs, createdBy, definition, state, removed }: StoredMonitor): Row {
  return {
    id,
    version: String(version),
    created_at_ms: String(createdAtMs),
    created_by: createdBy,
    name: definition.name,
    description: definition.description ?? '',
    apl_query: definition.aplQuery,
    operator: definition.operator,
    threshold: String(definition.threshold),
    interval_minutes: definition.intervalMinutes,
    range_minutes: definition.rangeMinutes,
    alert_on_no_data: Number(definition.alertOnNoData),
    datasets: definition.datasets,
    annotation_type: definition.annotationType,
    annotation_title: definition.annotationTitle ?? '',
    disabled: Number(definition.disabled),
    status: state.status,
    since_ms: String(state.sinceMs),
    last_run_ms: state.lastRunMs === undefined ? null : String(state.lastRunMs),
    next_run_ms: String(state.nextRunMs),
    last_value: state.lastValue === undefined ? '' : String(state.lastValue),
    error: state.error ?? '',
    annotation_id: state.annotationId ?? '',
    steps: JSON.stringify(state.outbox),
    removed: Number(removed),
  }
}

function fromRow(row: MonitorRow): StoredMonitor {
  return {
    id: row.id,
    version: Number(row.version_text),
    createdAtMs: Number(row.created_at),
    createdBy: row.created_by,
    definition: {
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
      outbox: JSON.parse(row.steps) as SpanOperation[],
    },
    removed: row.removed === 1,
  }
}
