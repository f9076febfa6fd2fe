/**
 * What a run means: from what was measured to the monitor's next state, and what is to be done to its annotation.
 * Pure: the same run decides the same, whenever it is asked.
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { MONITOR_OPERATOR_WORDS, type MonitorOperator } from '@deployment-annotations/contract/monitor'
import { cutText } from '@deployment-annotations/contract/text'
import type { MonitorDefinition, SpanOperation, StoredMonitor, StoredMonitorState } from '../../store/monitor-store.ts'

/** The result of a run: the values of the query, or why there are none. */
export type Measurement = { values: readonly number[] } | { error: string }

interface Run {
  /** The end of the range that was looked at. */
  atMs: number
  measurement: Measurement
  /** The id of the annotation, should one be needed. */
  newId: string
}

const MS_PER_MINUTE = 60_000
/** An error is shown in a list of monitors; its beginning says what is wrong. */
const ERROR_LENGTH_MAX = 1_000

/**
 * The latest instant of the monitor's grid: `nextRunMs` or, where runs were missed, the last of those that followed it. Runs
 * that were missed are not made up for, since their annotations would be about the past.
 */
export function runTime({ nextRunMs }: StoredMonitorState, { intervalMinutes }: MonitorDefinition, nowMs: number): number {
  const intervalMs = intervalMinutes * MS_PER_MINUTE
  // A clock that was set back: the grid begins anew.
  if (nextRunMs > nowMs) return nowMs
  return nextRunMs + Math.floor((nowMs - nextRunMs) / intervalMs) * intervalMs
}

/** @returns when the monitor is to run: no later than an interval from now, though its clock may have been set back */
export function dueTime({ nextRunMs }: StoredMonitorState, { intervalMinutes }: MonitorDefinition, nowMs: number): number {
  return nextRunMs - nowMs > intervalMinutes * MS_PER_MINUTE ? nowMs : nextRunMs
}

/** The state before the first run. */
export function initialState(nowMs: number, disabled: boolean): StoredMonitorState {
  return { status: disabled ? 'disabled' : 'pending', sinceMs: nowMs, nextRunMs: nowMs, outbox: [] }
}

export function stateAfterRun(definition: MonitorDefinition, before: StoredMonitorState, run: Run): StoredMonitorState {
  const { measurement, atMs } = run
  const nextRunMs = atMs + definition.intervalMinutes * MS_PER_MINUTE
  const { annotationId } = before
  const next = (status: StoredMonitorState['status'], members: Partial<StoredMonitorState>): StoredMonitorState => ({
    status,
    sinceMs: status === before.status ? before.sinceMs : atMs,
    lastRunMs: atMs,
    nextRunMs,
    outbox: before.outbox,
    ...members,
  })
  // What is not known is not over: the span stays open until a run finds that it is.
  if ('error' in measurement) {
    return next('error', {
      error: measurement.error.slice(0, ERROR_LENGTH_MAX),
      ...(annotationId !== undefined && { annotationId }),
    })
  }
  const value = furthest(measurement.values, definition.operator)
  const found = value === undefined ? {} : { lastValue: value }
  const isTriggered = value === undefined ? definition.alertOnNoData : crosses(value, definition)
  if (isTriggered) {
    if (annotationId !== undefined) return next('triggered', { ...found, annotationId })
    return next('triggered', { ...found, annotationId: run.newId, outbox: [...before.outbox, opening(definition, value, run)] })
  }
  return next(value === undefined ? 'no-data' : 'ok', { ...found, outbox: [...before.outbox, ...closing(annotationId, atMs)] })
}

/** @returns the state once the monitor was disabled or removed: its span ends now */
export function stateAfterStop({ outbox, annotationId, lastRunMs }: StoredMonitorState, nowMs: number): StoredMonitorState {
  return {
    status: 'disabled',
    sinceMs: nowMs,
    ...(lastRunMs !== undefined && { lastRunMs }),
    nextRunMs: nowMs,
    outbox: [...outbox, ...closing(annotationId, nowMs)],
  }
}

/** Members whose change makes the last run say nothing any more. */
const WHAT_RUNS = ['aplQuery', 'operator', 'threshold', 'intervalMinutes', 'rangeMinutes', 'alertOnNoData'] as const

/** @returns the state after a change: a changed question is asked at once, and an open span stays as it is until the answer */
export function stateAfterChange(
  { definition: before, state }: Pick<StoredMonitor, 'definition' | 'state'>,
  after: MonitorDefinition,
  nowMs: number,
): StoredMonitorState {
  if (after.disabled) return before.disabled ? state : stateAfterStop(state, nowMs)
  if (before.disabled) return { ...initialState(nowMs, false), outbox: state.outbox }
  return WHAT_RUNS.some((member) => before[member] !== after[member]) ? { ...state, nextRunMs: nowMs } : state
}

/** The value that is most likely to cross: of several rows one is enough. */
function furthest(values: readonly number[], operator: MonitorOperator): number | undefined {
  const isFurther = operator.startsWith('Above') ? (a: number, b: number) => a > b : (a: number, b: number) => a < b
  let found: number | undefined
  for (const value of values) if (found === undefined || isFurther(value, found)) found = value
  return found
}

function crosses(value: number, { operator, threshold }: MonitorDefinition): boolean {
  switch (operator) {
    case 'Above':
      return value > threshold
    case 'AboveOrEqual':
      return value >= threshold
    case 'Below':
      return value < threshold
    case 'BelowOrEqual':
      return value <= threshold
    default:
      return operator satisfies never
  }
}

function closing(id: string | undefined, atMs: number): SpanOperation[] {
  return id === undefined ? [] : [{ kind: 'close', id, atMs }]
}

function opening(definition: MonitorDefinition, value: number | undefined, { newId, atMs }: Run): SpanOperation {
  const { datasets, annotationType, annotationTitle, name } = definition
  return {
    kind: 'open',
    id: newId,
    atMs,
    datasets,
    type: annotationType,
    title: annotationTitle ?? name,
    description: describe(definition, value),
  }
}

/** Markdown: what was found, and the query as a block of code, which needs no escaping. */
function describe({ operator, threshold, rangeMinutes, aplQuery }: MonitorDefinition, value: number | undefined): string {
  const range = `over ${rangeMinutes} ${rangeMinutes === 1 ? 'minute' : 'minutes'}`
  const found =
    value === undefined ? `No data ${range}` : `${value} is ${MONITOR_OPERATOR_WORDS[operator]} ${threshold}, ${range}`
  const code = aplQuery
    .trim()
    // To Markdown a carriage return alone ends a line too: what follows it would be out of the block.
    .split(/\r\n?|\n/)
    .map((line) => `    ${line}`)
  return cutText(`${found}\n\n${code.join('\n')}`, DESCRIPTION_POINTS_MAX)
}
