/** The views that a monitor links to: the chart of its query, and the charts with its annotation. Pure. */
import type { Monitor } from '@deployment-annotations/contract/schemas/monitor'
import { DEFAULT_VIEW, type View } from '../address/view.ts'
import { chartQuery } from './chart-query.ts'

const MINUTE_MS = 60_000
/** A few runs, and what happened before them; more would hide what is happening now. */
const RANGES_SHOWN = 3

/** @returns the chart of the monitor's query, over a few of its ranges */
export function viewQuery(monitor: Monitor, utc: boolean): View {
  const { datasets, rangeMinutes } = monitor
  const minutes = RANGES_SHOWN * rangeMinutes
  const startTime = minutes <= 180 ? DEFAULT_VIEW.startTime : `now-${Math.ceil(minutes / 60)}h`
  return { ...DEFAULT_VIEW, apl: chartQuery(monitor), datasets, startTime, utc }
}

/** @returns the charts with the monitor's open annotation selected; `undefined` while it has none */
export function viewAnnotation({ datasets, rangeMinutes, state }: Monitor, utc: boolean): View | undefined {
  const { annotationId, since } = state
  if (annotationId === undefined) return undefined
  const startMs = Date.parse(since) - Math.max(RANGES_SHOWN * rangeMinutes, 60) * MINUTE_MS
  return { ...DEFAULT_VIEW, datasets, annotations: [annotationId], startTime: new Date(startMs).toISOString(), utc }
}
