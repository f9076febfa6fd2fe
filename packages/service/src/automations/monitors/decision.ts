/**
 * What a run means: the outcome of a query to where the monitor stands then, and what is to be done to its annotation.
 * Pure: the same run decides the same, whenever it is asked.
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { MONITOR_OPERATOR_WORDS, type MonitorOperator } from '@deployment-annotations/contract/monitor'
import { cutText } from '@deployment-annotations/contract/text'
import type { MonitorRule, MonitorStanding, SpanStep } from '../../store/monitor-store.ts'

/** What came of a run: the values of the query, or why there are none. */
export type Outcome = { values: readonly number[] } | { error: string }

export interface Run {
  /** The end of the range that was looked at. */
  atMs: number
  outcome: Outcome
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
export function runTime({ nextRunMs }: MonitorStanding, { intervalMinutes }: MonitorRule, nowMs: number): number {
  const intervalMs = intervalMinutes * MS_PER_MINUTE
  // A clock that was set back: the grid begins anew.
  if (nextRunMs > nowMs) return nowMs
  return nextRunMs + Math.floor((nowMs - nextRunMs) / intervalMs) * intervalMs
}

/** @returns when the monitor is to run: no later than an interval from now, though its clock may have been set back */
export function dueTime({ nextRunMs }: MonitorStanding, { intervalMinutes }: MonitorRule, nowMs: number): number {
  return nextRunMs - nowMs > intervalMinutes * MS_PER_MINUTE ? nowMs : nextRunMs
}

/** Where the monitor stands before its first run. */
export function beginning(nowMs: number, disabled: boolean): MonitorStanding {
  return { status: disabled ? 'disabled' : 'pending', sinceMs: nowMs, nextRunMs: nowMs, steps: [] }
}

export function afterRun(rule: MonitorRule, before: MonitorStanding, run: Run): MonitorStanding {
  const { outcome, atMs } = run
  const nextRunMs = atMs + rule.intervalMinutes * MS_PER_MINUTE
  const { annotationId } = before
  const stand = (status: MonitorStanding['status'], members: Partial<MonitorStanding>): MonitorStanding => ({
    status,
    sinceMs: status === before.status ? before.sinceMs : atMs,
    lastRunMs: atMs,
    nextRunMs,
    steps: before.steps,
    ...members,
  })
  // What is not known is not over: the span stays open until a run finds that it is.
  if ('error' in outcome) {
    return stand('error', {
      error: outcome.error.slice(0, ERROR_LENGTH_MAX),
      ...(annotationId !== undefined && { annotationId }),
    })
  }
  const value = furthest(outcome.values, rule.operator)
  const found = value === undefined ? {} : { lastValue: value }
  const isTriggered = value === undefined ? rule.alertOnNoData : crosses(value, rule)
  if (isTriggered) {
    if (annotationId !== undefined) return stand('triggered', { ...found, annotationId })
    return stand('triggered', { ...found, annotationId: run.newId, steps: [...before.steps, opening(rule, value, run)] })
  }
  return stand(value === undefined ? 'no-data' : 'ok', { ...found, steps: [...before.steps, ...closing(annotationId, atMs)] })
}

/** @returns where the monitor stands once it was disabled or removed: its span ends now */
export function afterStop({ steps, annotationId, lastRunMs }: MonitorStanding, nowMs: number): MonitorStanding {
  return {
    status: 'disabled',
    sinceMs: nowMs,
    ...(lastRunMs !== undefined && { lastRunMs }),
    nextRunMs: nowMs,
    steps: [...steps, ...closing(annotationId, nowMs)],
  }
}

/** The value that is most likely to cross: of several rows one is enough. */
function furthest(values: readonly number[], operator: MonitorOperator): number | undefined {
  const isFurther = operator.startsWith('Above') ? (a: number, b: number) => a > b : (a: number, b: number) => a < b
  let found: number | undefined
  for (const value of values) if (found === undefined || isFurther(value, found)) found = value
  return found
}

function crosses(value: number, { operator, threshold }: MonitorRule): boolean {
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

function closing(id: string | undefined, atMs: number): SpanStep[] {
  return id === undefined ? [] : [{ kind: 'close', id, atMs }]
}

function opening(rule: MonitorRule, value: number | undefined, { newId, atMs }: Run): SpanStep {
  const { datasets, annotationType, annotationTitle, name } = rule
  return {
    kind: 'open',
    id: newId,
    atMs,
    datasets,
    type: annotationType,
    title: annotationTitle ?? name,
    description: describe(rule, value),
  }
}

/** Markdown: what was found, and the query as a block of code, which needs no escaping. */
function describe({ operator, threshold, rangeMinutes, aplQuery }: MonitorRule, value: number | undefined): string {
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
