/**
 * What a run or a change means: the monitor's next state, and what is to be done to its annotation.
 * Pure: the same run decides the same, whenever it is asked.
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { MONITOR_OPERATOR_WORDS, type MonitorOperator } from '@deployment-annotations/contract/monitor'
import { cutText } from '@deployment-annotations/contract/text'
import type { MonitorDefinition, StoredMonitor, StoredMonitorState } from '../../records/monitor-records.ts'

/** The result of a run: the values of the query, or why there are none. */
export type Measurement = { values: readonly number[] } | { error: string }

/** Something to be done to an annotation. */
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

/** To be recorded together, or not at all. */
interface Decision {
  state: StoredMonitorState
  span?: SpanOperation
}

export interface Run {
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

/** The state before the first run. */
export function initialState(nowMs: number, disabled: boolean): StoredMonitorState {
  return { status: disabled ? 'disabled' : 'pending', sinceMs: nowMs, nextRunMs: nowMs }
}

export function decideRun(definition: MonitorDefinition, before: StoredMonitorState, run: Run): Decision {
  const { measurement, atMs } = run
  const nextRunMs = atMs + definition.intervalMinutes * MS_PER_MINUTE
  const { annotationId } = before
  const next = (status: StoredMonitorState['status'], members: Partial<StoredMonitorState>): StoredMonitorState => ({
    status,
    sinceMs: status === before.status ? before.sinceMs : atMs,
    lastRunMs: atMs,
    nextRunMs,
    ...members,
  })
  // What is not known is not over: the span stays open until a run finds that it is.
  if ('error' in measurement) {
    const error = measurement.error.slice(0, ERROR_LENGTH_MAX)
    return { state: next('error', { error, ...(annotationId !== undefined && { annotationId }) }) }
  }
  const value = furthest(measurement.values, definition.operator)
  const found = value === undefined ? {} : { lastValue: value }
  const isTriggered = value === undefined ? definition.alertOnNoData : crosses(value, definition)
  if (isTriggered) {
    if (annotationId !== undefined) return { state: next('triggered', { ...found, annotationId }) }
    return { state: next('triggered', { ...found, annotationId: run.newId }), span: opening(definition, value, run) }
  }
  return { state: next(value === undefined ? 'no-data' : 'ok', found), ...closing(annotationId, atMs) }
}

/** What follows once the monitor was disabled or removed: its span ends now. */
export function decideStop({ annotationId, lastRunMs }: StoredMonitorState, nowMs: number): Decision {
  return {
    state: { status: 'disabled', sinceMs: nowMs, ...(lastRunMs !== undefined && { lastRunMs }), nextRunMs: nowMs },
    ...closing(annotationId, nowMs),
  }
}

/** Members whose change makes the last run say nothing any more. */
const WHAT_RUNS = ['aplQuery', 'operator', 'threshold', 'intervalMinutes', 'rangeMinutes', 'alertOnNoData'] as const

/** What follows from a change: a changed question is asked at once, and an open span stays as it is until the answer. */
export function decideChange(
  { definition: before, state }: Pick<StoredMonitor, 'definition' | 'state'>,
  after: MonitorDefinition,
  nowMs: number,
): Decision {
  if (after.disabled) return before.disabled ? { state } : decideStop(state, nowMs)
  if (before.disabled) return { state: initialState(nowMs, false) }
  return { state: WHAT_RUNS.some((member) => before[member] !== after[member]) ? { ...state, nextRunMs: nowMs } : state }
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

function closing(id: string | undefined, atMs: number): Pick<Decision, 'span'> {
  return id === undefined ? {} : { span: { kind: 'close', id, atMs } }
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
