/** What people read about a monitor, and where it is seen on a chart. Pure. */
import { MONITOR_OPERATOR_WORDS, type Monitor, type MonitorStatus } from '@deployment-annotations/contract/monitor'
import { describeDuration } from '../view/format-time.ts'
import { DEFAULT_VIEW, type View } from '../view/view.ts'
import { chartQuery } from './chart-query.ts'

/** The sign says it, too, to those who do not tell the colours apart. */
export const STATUSES: Readonly<Record<MonitorStatus, { sign: string; word: string }>> = {
  pending: { sign: '…', word: 'Waiting for its first run' },
  ok: { sign: '✓', word: 'OK' },
  triggered: { sign: '▲', word: 'Triggered' },
  'no-data': { sign: '○', word: 'No data' },
  error: { sign: '✕', word: 'Error' },
  disabled: { sign: '–', word: 'Disabled' },
}

/** @returns such as `triggers above 10, or without data` */
export function describeRule({
  operator,
  threshold,
  alertOnNoData,
}: Pick<Monitor, 'operator' | 'threshold' | 'alertOnNoData'>): string {
  return `triggers ${MONITOR_OPERATOR_WORDS[operator]} ${formatValue(threshold)}${alertOnNoData ? ', or without data' : ''}`
}

/** @returns such as `every 5 min, over the last 1 h` */
export function describeTimes({ intervalMinutes, rangeMinutes }: Pick<Monitor, 'intervalMinutes' | 'rangeMinutes'>): string {
  return `every ${describeDuration(intervalMinutes * MINUTE_MS)}, over the last ${describeDuration(rangeMinutes * MINUTE_MS)}`
}

/** @returns with every digit that makes a difference to a threshold */
export function formatValue(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return String(value)
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 15 }).format(value)
}

/** @returns such as `2 min ago`, `in 40 s`, `now` */
export function formatAgo(time: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(time)
  if (Number.isNaN(agoMs)) return time
  if (Math.abs(agoMs) < 1_000) return 'now'
  const length = describeDuration(Math.floor(Math.abs(agoMs) / 1_000) * 1_000)
  return agoMs > 0 ? `${length} ago` : `in ${length}`
}

/** @returns whether its run is due, so that there will be news soon */
export function isDue({ state }: Pick<Monitor, 'state'>, nowMs: number): boolean {
  return state.nextRun !== undefined && Date.parse(state.nextRun) <= nowMs
}

const MINUTE_MS = 60_000
/** A few runs and what was before them; more hides what is going on now. */
const RANGES_SHOWN = 3

/** @returns the chart of what the monitor asks, wide enough for some of its ranges */
export function viewQuery(monitor: Monitor, utc: boolean): View {
  const { datasets, rangeMinutes } = monitor
  const minutes = RANGES_SHOWN * rangeMinutes
  const startTime = minutes <= 180 ? DEFAULT_VIEW.startTime : `now-${Math.ceil(minutes / 60)}h`
  return { ...DEFAULT_VIEW, apl: chartQuery(monitor), datasets, startTime, utc }
}

/** @returns the charts with the annotation that the monitor has open, picked; `undefined` while it has none */
export function viewAnnotation({ datasets, rangeMinutes, state }: Monitor, utc: boolean): View | undefined {
  const { annotationId, since } = state
  if (annotationId === undefined) return undefined
  const startMs = Date.parse(since) - Math.max(RANGES_SHOWN * rangeMinutes, 60) * MINUTE_MS
  return { ...DEFAULT_VIEW, datasets, annotations: [annotationId], startTime: new Date(startMs).toISOString(), utc }
}
