/** Texts about a monitor, and the views of what it checks. */

import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { MONITOR_OPERATOR_WORDS, type MonitorStatus } from '@deployment-annotations/contract/monitor'
import { DEFAULT_VIEW, type View } from '../address/view.ts'
import type { Sign } from '../resources/resource.ts'
import { chartQuery } from './chart-query.ts'

export const STATUSES: Readonly<Record<MonitorStatus, Sign>> = {
  triggered: { sign: '▲', words: 'Triggered', tone: 'bad' },
  error: { sign: '✕', words: 'Error', tone: 'bad' },
  'no-data': { sign: '○', words: 'No data' },
  pending: { sign: '…', words: 'Waiting for its first run' },
  ok: { sign: '✓', words: 'OK', tone: 'good' },
  disabled: { sign: '–', words: 'Disabled' },
}
/** What needs somebody comes first. */
export const RANKS = Object.keys(STATUSES)

type Rule = Pick<Monitor, 'operator' | 'threshold' | 'alertOnNoData'> & Partial<Pick<Monitor, 'type'>>

/** @returns such as `triggers above 10, or without data` */
export function describeRule({ type, operator, threshold, alertOnNoData }: Rule): string {
  if (type === 'MatchEvent' || operator === undefined) return 'marks every event that it finds'
  return `triggers ${MONITOR_OPERATOR_WORDS[operator]} ${formatNumber(threshold)}${alertOnNoData ? ', or without data' : ''}`
}

/** @returns the number with every digit that matters to a threshold */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return String(value)
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 15 }).format(value)
}

/** How many ranges of a monitor its chart shows, of three hours at least: more would hide what is happening now. */
const RANGES_SHOWN = 3
const HOURS_MIN = 3

/** @returns the view of the monitor's query over a few of its ranges */
export function viewQuery(monitor: Monitor, zone: string): View {
  const { datasets, rangeMinutes } = monitor
  const hours = Math.max(HOURS_MIN, Math.ceil((RANGES_SHOWN * rangeMinutes) / 60))
  return { ...DEFAULT_VIEW, apl: chartQuery(monitor), datasets, startTime: `now-${hours}h`, zone }
}

/** @returns the charts with the monitor's open annotation selected; `undefined` if it has none */
export function viewAnnotation({ datasets, state }: Monitor, zone: string): View | undefined {
  const { annotationId, since } = state
  if (annotationId === undefined) return undefined
  const startTime = new Date(Date.parse(since) - UNIT_MS.h).toISOString()
  return { ...DEFAULT_VIEW, datasets, annotations: [annotationId], startTime, zone }
}
