/**
 * What a run or a change means: the monitor's next state, and what is to be done to its annotations.
 * Pure: the same run decides the same, whenever it is asked.
 */
/// <reference lib="es2024.collection" />
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { MonitorOperator } from '@deployment-annotations/contract/monitor'
import type {
  MonitorDefinition,
  SeriesState,
  StoredMonitor,
  StoredMonitorState,
} from '@deployment-annotations/records/automations/monitor-records'
import { advance, closing, type FoundEvent, type GroupRun, markEvents, runGroups, type SpanOperation } from './span-operations.ts'

/** A value of the query. */
export interface FoundValue {
  value: number
  /** Which group it is of, as people read it; absent where the query has none. */
  group?: string
}

/** The result of a run: what the query found, or why nothing is known. */
export type Measurement = ({ values: readonly FoundValue[] } | { events: readonly FoundEvent[] } | { error: string }) & {
  /** What the author of the query should know. */
  messages?: readonly string[]
}

/** To be recorded together, or not at all. */
interface Decision {
  state: StoredMonitorState
  operations: readonly SpanOperation[]
}

export interface Run {
  /** When the run was due. Its range ends `secondDelay` seconds before that. */
  atMs: number
  measurement: Measurement
  /** The id of the annotation, should one be needed; others are made of it. */
  newId: string
}

/** An error is shown in a list of monitors; its beginning says what is wrong. */
const ERROR_LENGTH_MAX = 1_000

/**
 * The latest instant of the monitor's grid: `nextRunMs` or, where runs were missed, the last of those that followed it. Runs
 * that were missed are not made up for, since their annotations would be about the past.
 */
export function runTime({ nextRunMs }: StoredMonitorState, { intervalMinutes }: MonitorDefinition, nowMs: number): number {
  const intervalMs = intervalMinutes * UNIT_MS.m
  // A clock that was set back: the grid begins anew.
  if (nextRunMs > nowMs) return nowMs
  return nextRunMs + Math.floor((nowMs - nextRunMs) / intervalMs) * intervalMs
}

/** The end of the range that a run looks at. */
export function rangeEnd(atMs: number, { secondDelay }: MonitorDefinition): number {
  return atMs - secondDelay * 1_000
}

/** The state before the first run. */
export function initialState(nowMs: number, definition: MonitorDefinition): StoredMonitorState {
  return isPaused(definition, nowMs)
    ? { status: 'disabled', sinceMs: nowMs, nextRunMs: definition.disabledUntilMs ?? nowMs }
    : { status: 'pending', sinceMs: nowMs, nextRunMs: nowMs }
}

export function decideRun(definition: MonitorDefinition, before: StoredMonitorState, run: Run): Decision {
  const { measurement, atMs } = run
  const { annotationId, positives, groups, marked } = before
  const track = dropUndefined({ annotationId, positives })
  const next = (status: StoredMonitorState['status'], members: Partial<StoredMonitorState>): StoredMonitorState => ({
    status,
    sinceMs: status === before.status ? before.sinceMs : atMs,
    lastRunMs: atMs,
    nextRunMs: atMs + definition.intervalMinutes * UNIT_MS.m,
    ...(measurement.messages?.length && { messages: measurement.messages }),
    ...members,
  })
  // What is not known is not over: the span stays open until a run finds that it is.
  if ('error' in measurement) {
    const error = measurement.error.slice(0, ERROR_LENGTH_MAX)
    return { state: next('error', dropUndefined({ error, ...track, groups, marked })), operations: [] }
  }
  if ('events' in measurement) {
    const { operations, ...kept } = markEvents(definition, measurement.events, { marked: marked ?? [], newId: run.newId })
    const status = operations.length > 0 ? 'triggered' : 'ok'
    return { state: next(status, { ...kept, lastValue: operations.length }), operations }
  }
  const { values } = measurement
  const value = furthest(values, definition.operator)
  const { state, isOpen, operations } = definition.notifyByGroup
    ? byGroup(definition, before, run, values)
    : together(definition, track, run, value)
  const quiet = value === undefined ? 'no-data' : 'ok'
  return { state: next(isOpen ? 'triggered' : quiet, dropUndefined({ lastValue: value, ...state })), operations }
}

/** What a run of comparisons leaves behind. */
interface Compared {
  state: Partial<StoredMonitorState>
  isOpen: boolean
  operations: readonly SpanOperation[]
}

function together(definition: MonitorDefinition, before: SeriesState, { atMs, newId }: Run, value: number | undefined): Compared {
  const isPositive = isBeyond(value, definition)
  const step = { value, isPositive, atMs: rangeEnd(atMs, definition), newId }
  const { track, operations } = advance(definition, before, step)
  return { state: track, isOpen: track.annotationId !== undefined, operations }
}

/** Where there is nothing at all to compare, that is a group of its own, without a name. */
function byGroup(
  definition: MonitorDefinition,
  before: StoredMonitorState,
  { atMs, newId }: Run,
  values: readonly FoundValue[],
): Compared {
  const byName = Map.groupBy(values, ({ group = '' }) => group)
  const runs: GroupRun[] = [...byName].map(([group, found]) => {
    const value = furthest(found, definition.operator)
    return { group, value, isPositive: isBeyond(value, definition) }
  })
  if (values.length === 0) runs.push({ group: '', value: undefined, isPositive: definition.alertOnNoData })
  return runGroups(definition, before.groups ?? {}, runs, { atMs: rangeEnd(atMs, definition), newId })
}

/** What follows once the monitor was disabled or removed: its spans end now. */
export function decideStop({ definition, state }: Pick<StoredMonitor, 'definition' | 'state'>, nowMs: number): Decision {
  const { annotationId, groups = {}, lastRunMs } = state
  const open = [annotationId, ...Object.values(groups).map((track) => track.annotationId)]
  return {
    state: {
      status: 'disabled',
      sinceMs: state.status === 'disabled' ? state.sinceMs : nowMs,
      ...(lastRunMs !== undefined && { lastRunMs }),
      nextRunMs: nowMs,
    },
    operations: open.flatMap((id) => closing(definition, id, nowMs)),
  }
}

/** Members whose change makes the last run say nothing any more. */
const WHAT_RUNS = [
  'aplQuery',
  'operator',
  'threshold',
  'columnName',
  'intervalMinutes',
  'rangeMinutes',
  'secondDelay',
  'alertOnNoData',
  'triggerFromNRuns',
  'triggerAfterNPositiveResults',
] as const
/** Those whose change makes its spans others. */
const WHAT_IS_MARKED = ['type', 'notifyByGroup'] as const

/** What follows from a change: a changed question is asked at once, and an open span stays as it is until the answer. */
export function decideChange(
  before: Pick<StoredMonitor, 'definition' | 'state'>,
  after: MonitorDefinition,
  nowMs: number,
): Decision {
  const { definition, state } = before
  const wasPaused = isPaused(definition, nowMs)
  if (isPaused(after, nowMs)) {
    const isSame = wasPaused && definition.disabled === after.disabled && definition.disabledUntilMs === after.disabledUntilMs
    if (isSame) return { state, operations: [] }
    const { state: stopped, operations } = decideStop(before, nowMs)
    return { state: { ...stopped, nextRunMs: after.disabledUntilMs ?? nowMs }, operations }
  }
  if (wasPaused) return { state: initialState(nowMs, after), operations: [] }
  if (WHAT_IS_MARKED.some((member) => definition[member] !== after[member])) {
    return { state: initialState(nowMs, after), operations: decideStop(before, nowMs).operations }
  }
  const isChanged = WHAT_RUNS.some((member) => definition[member] !== after[member])
  return { state: isChanged ? { ...state, nextRunMs: nowMs } : state, operations: [] }
}

function isPaused({ disabled, disabledUntilMs = 0 }: MonitorDefinition, nowMs: number): boolean {
  return disabled || disabledUntilMs > nowMs
}

/** The value that is most likely to cross: of several rows one is enough. */
function furthest(values: readonly FoundValue[], operator: MonitorOperator = 'Above'): number | undefined {
  const [first, ...others] = values.map(({ value }) => value)
  return first === undefined ? undefined : others.reduce((far, value) => (IS_BEYOND[operator](value, far) ? value : far), first)
}

const IS_BEYOND: Readonly<Record<MonitorOperator, (value: number, threshold: number) => boolean>> = {
  Above: (value, threshold) => value > threshold,
  AboveOrEqual: (value, threshold) => value >= threshold,
  Below: (value, threshold) => value < threshold,
  BelowOrEqual: (value, threshold) => value <= threshold,
}

/** @param value `undefined`: there is none */
function isBeyond(value: number | undefined, { operator = 'Above', threshold, alertOnNoData }: MonitorDefinition): boolean {
  return value === undefined ? alertOnNoData : IS_BEYOND[operator](value, threshold)
}
