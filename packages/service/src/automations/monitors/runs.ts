/**
 * Runs the monitors that are due. A run evaluates the query outside of any transaction. Then, in one transaction, it checks that the
 * monitor has not changed since, decides, and records the decision together with the changes to the annotations. So a run counts
 * once, even if two services make it at the same moment.
 * Deliberately not here: waiting until a monitor is due, which is the scheduler's job.
 */

import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import {
  lockMonitor,
  readSchedule,
  type StoredMonitor,
  type StoredMonitorState,
  updateMonitor,
} from '@deployment-annotations/records/automations/monitor-records'
import type { Records, RecordsDatabase, Share } from '@deployment-annotations/records/database/records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeError, type Log, type LogLine } from '@deployment-annotations/runtime/log'
import type { Ceilings } from '../../flags/ceilings.ts'
import type { Agenda, Timer } from '../../scheduling/scheduler.ts'
import { newId } from '../../wire/ids.ts'
import { decideRun, type Measurement, type Run, rangeEnd, runTime } from './decision.ts'
import type { Evaluation } from './evaluation.ts'
import { applySpans } from './spans.ts'

export interface MonitorRunsOptions {
  records: Records
  evaluation: Evaluation
  ceilings: Ceilings
  /** Resolves when datasets are known that other services made before. */
  refresh: () => Promise<void>
  clock: Timer
  log: Log
  /** Is told of every run. */
  onRun?: ((outcome: 'measured' | 'failed') => void) | undefined
}

/** So many that are due are read at a time: each may be large. */
const DUE_MAX = 32

export class MonitorRuns {
  readonly #options: MonitorRunsOptions
  readonly #unrecorded = new UnrecordedRuns()

  constructor(options: MonitorRunsOptions) {
    this.#options = options
  }

  async look(nowMs: number, share: Share): Promise<Agenda> {
    const { due, nextMs } = await readSchedule(this.#options.records.read, nowMs, share, DUE_MAX + this.#unrecorded.size)
    const ready = due.filter((monitor) => !this.#unrecorded.isWaiting(monitor, nowMs))
    return {
      due: ready.map((monitor) => ({ key: monitor.id, owner: monitor.createdBy, run: (signal) => this.#run(monitor, signal) })),
      nextMs,
    }
  }

  /** As people see it: a run that could not be recorded is an error, and runs next when it is tried again. */
  show(monitor: StoredMonitor): StoredMonitor {
    return this.#unrecorded.show(monitor)
  }

  /** Never rejects. */
  async #run(monitor: StoredMonitor, signal: AbortSignal): Promise<void> {
    const { clock, records, log } = this.#options
    const atMs = runTime(monitor.state, monitor.definition, clock.now())
    const measurement = await this.#measure(monitor, atMs, signal)
    if (signal.aborted) return
    this.#options.onRun?.('error' in measurement ? 'failed' : 'measured')
    const run = { atMs, measurement, newId: newId('annotation', atMs) }
    try {
      const recorded = await records.transaction((db) => this.#record(db, monitor, run))
      this.#unrecorded.delete(monitor.id)
      if (!recorded) return
      const { after, deleted } = recorded
      // A failure is in the log already.
      if (!('error' in measurement) && after.state.status !== monitor.state.status) log.info(entryOf(after))
      for (const id of deleted) log.info(entryOfDeletedSpan(after, id))
    } catch (error) {
      log.error(entryOf(monitor, { status: 'error', error: describeError(error) }))
      this.#unrecorded.add(monitor, atMs, clock.now())
    }
  }

  /** Part of a transaction. @returns `undefined` where what was measured is not what is asked now */
  async #record(db: RecordsDatabase, measured: StoredMonitor, run: Run) {
    const before = await lockMonitor(db, measured.id)
    // It was changed or removed, and is due again where that matters; or another service has made this run.
    if (before?.version !== measured.version) return undefined
    const { state, operations } = decideRun(before.definition, before.state, run)
    const after = await updateMonitor(db, before, { state })
    const deleted = await applySpans(db, after, operations, this.#options.clock.now())
    return { after, deleted }
  }

  async #measure(monitor: StoredMonitor, atMs: number, signal: AbortSignal): Promise<Measurement> {
    const { evaluation, refresh, log } = this.#options
    const { definition } = monitor
    try {
      await refresh()
      return await evaluation.measure({ ...definition, atMs: rangeEnd(atMs, definition) }, signal)
    } catch (error) {
      if (error instanceof ServiceError) {
        // The message of a mistake in a query shows the query, which is never logged.
        const cause = error.body.detail?.message ?? error.message
        if (!signal.aborted) log.warn(entryOf(monitor, { status: 'error', error: cause }))
        return { error: error.message }
      }
      if (!signal.aborted) log.error(entryOf(monitor, { status: 'error', error: describeError(error) }))
      return { error: 'something went wrong in the service; its log has the details' }
    }
  }
}

/**
 * What could not be recorded is tried again after this long, whatever the interval, which may be a year: a disk that was full
 * may have room by then. The scheduler looks again by then, too.
 */
const RETRY_MS = UNIT_MS.m

const NOT_RECORDED = 'the run and what follows from it could not be recorded; the log of the service has the details'

interface UnrecordedRun {
  /** Of the monitor; in another version it has been changed, or run by another service. */
  version: bigint
  againMs: number
  state: StoredMonitorState
}

class UnrecordedRuns {
  readonly #runs = new Map<string, UnrecordedRun>()

  /** How many monitors at most have one. */
  get size(): number {
    return this.#runs.size
  }

  /** @param atMs the time of the run */
  add({ id, version, definition, state }: StoredMonitor, atMs: number, nowMs: number): void {
    const againMs = nowMs + RETRY_MS
    const failed = decideRun(definition, state, { atMs, measurement: { error: NOT_RECORDED }, newId: '' })
    this.#runs.set(id, { version, againMs, state: { ...failed.state, nextRunMs: againMs } })
  }

  delete(id: string): void {
    this.#runs.delete(id)
  }

  /** Whether the monitor is to run only later, because it was tried a moment ago. */
  isWaiting(monitor: StoredMonitor, nowMs: number): boolean {
    const run = this.#find(monitor)
    // A clock that was set back since would make it wait longer.
    return run !== undefined && run.againMs > nowMs && run.againMs - nowMs <= RETRY_MS
  }

  /** The monitor with the state that people are shown. */
  show(monitor: StoredMonitor): StoredMonitor {
    const run = this.#find(monitor)
    return run ? { ...monitor, state: run.state } : monitor
  }

  #find({ id, version }: StoredMonitor): UnrecordedRun | undefined {
    const run = this.#runs.get(id)
    return run?.version === version ? run : undefined
  }
}

export function entryOf({ id, definition, state }: StoredMonitor, more: Readonly<Record<string, unknown>> = {}): LogLine {
  const { status, lastValue } = state
  return dropUndefined({ event: 'monitor', monitorId: id, name: definition.name, status, value: lastValue, ...more })
}

/** @param annotationId of the span that should have ended */
export function entryOfDeletedSpan({ id, definition }: StoredMonitor, annotationId: string): LogLine {
  const message = `${annotationId} was deleted, so its span is not closed`
  return { event: 'monitor', monitorId: id, name: definition.name, message }
}
