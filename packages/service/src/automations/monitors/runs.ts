/**
 * The runs of monitors: which are due, and what one does. A run measures, decides, writes its decision down, and then carries
 * it out; what fails on the way is tried again. Deliberately not here: watching the clock, which is the scheduler's job.
 */
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { ServiceError } from '../../errors.ts'
import { describeError, type Log } from '../../log.ts'
import type { StoredMonitor } from '../../store/monitor-store.ts'
import { dueTime, type Measurement, runTime, stateAfterRun } from './decision.ts'
import { entryOf } from './entry.ts'
import type { Evaluation } from './evaluation.ts'
import type { Outbox } from './outbox.ts'
import { type MonitorRecords, RETRY_MS } from './records.ts'
import type { Due } from './scheduler.ts'
import type { Timer } from './timer.ts'

interface MonitorRunsOptions {
  records: MonitorRecords
  outbox: Outbox
  /** Keeps runs and changes of one monitor apart. */
  mutex: KeyedMutex
  evaluation: Evaluation
  clock: Timer
  log: Log
  newAnnotationId: (nowMs: number) => string
}

const NOT_WRITTEN = 'the run could not be recorded, or its annotation could not be stored; the log of the service has the details'

export class MonitorRuns {
  readonly #options: MonitorRunsOptions

  constructor(options: MonitorRunsOptions) {
    this.#options = options
  }

  *due(): Generator<Due> {
    const { clock, records } = this.#options
    const nowMs = clock.now()
    for (const monitor of records.all()) {
      const { id, definition, state } = monitor
      if (isResting(monitor) && state.outbox.length === 0) continue
      yield { key: id, atMs: this.#retryTime(id, nowMs) ?? dueTime(state, definition, nowMs) }
    }
  }

  /** Never rejects. The query runs outside of the monitor's turn, so that no change waits for it. */
  async run(id: string, signal: AbortSignal): Promise<void> {
    const { clock, records, mutex } = this.#options
    const before = records.find(id)
    if (!before) return
    const nowMs = clock.now()
    const atMs = runTime(before.state, before.definition, nowMs)
    // Of one that rests, or that is not due, there is only its outbox to be tried again.
    const isAsked = !isResting(before) && dueTime(before.state, before.definition, nowMs) <= nowMs
    const measurement = isAsked ? await this.#measure(before, atMs, signal) : undefined
    if (signal.aborted) return
    await mutex.run(id, async () => {
      const current = records.find(id)
      // What was measured is not what is asked now; the change has made the monitor due again.
      if (!current || current.definition !== before.definition || current.removed !== before.removed) return
      await this.#finish(current, atMs, measurement)
    })
  }

  /** In the monitor's turn. */
  async #finish(current: StoredMonitor, atMs: number, measurement: Measurement | undefined): Promise<void> {
    const { records, outbox, clock, log, newAnnotationId } = this.#options
    try {
      const before = await outbox.deliver(current)
      if (!measurement) return
      const run = { atMs, measurement, newId: newAnnotationId(atMs) }
      const after = await records.save(before, { state: stateAfterRun(before.definition, before.state, run) })
      // A failure is in the log already.
      if ('values' in measurement && after.state.status !== before.state.status) log.info(entryOf(after))
      await outbox.deliver(after)
    } catch (error) {
      log.error(entryOf(current, { status: 'error', error: describeError(error) }))
      records.retryLater(current.id, clock.now())
      if (measurement) this.#keepFailure(current.id, atMs)
    }
  }

  /** The same run is due again, and its outbox with it. */
  #keepFailure(id: string, atMs: number): void {
    const { records } = this.#options
    const current = records.find(id)
    if (!current) return
    const run = { atMs, measurement: { error: NOT_WRITTEN }, newId: '' }
    const state = stateAfterRun(current.definition, current.state, run)
    records.keepUnsaved({ ...current, state: { ...state, nextRunMs: atMs } })
  }

  async #measure(monitor: StoredMonitor, atMs: number, signal: AbortSignal): Promise<Measurement> {
    const { evaluation, log } = this.#options
    const { aplQuery, rangeMinutes } = monitor.definition
    try {
      return { values: await evaluation.measure({ aplQuery, rangeMinutes, atMs }, signal) }
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

  #retryTime(id: string, nowMs: number): number | undefined {
    const atMs = this.#options.records.retryMs(id)
    // A clock that was set back.
    return atMs !== undefined && atMs - nowMs > RETRY_MS ? nowMs : atMs
  }
}

/** Whether it has nothing to measure: only its outbox may have something left. */
function isResting({ definition, removed }: StoredMonitor): boolean {
  return definition.disabled || removed
}
