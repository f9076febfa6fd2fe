/**
 * The monitors of this service: made, changed, removed, and run at their intervals.
 *
 * A run decides, and the decision is written down with everything that follows from it (the id of the annotation to create,
 * the end of the one to close) before any of that is done. What a crash leaves undone is done at the next start, and may be
 * done twice: a second time changes nothing.
 * Deliberately not here: HTTP; what a run does (runs.ts) and means (decision.ts); the query (evaluation.ts).
 */
import type { Annotations } from '../../annotations/annotations.ts'
import { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { Log } from '../../log.ts'
import type { MonitorStore, StoredMonitor } from '../../store/monitor-store.ts'
import { initialState, stateAfterChange, stateAfterStop } from './decision.ts'
import { completeDefinition, type MonitorMembers, mergeDefinition } from './definition.ts'
import { entryOf } from './entry.ts'
import type { Evaluation } from './evaluation.ts'
import { Outbox } from './outbox.ts'
import { MonitorRecords } from './records.ts'
import { MonitorRuns } from './runs.ts'
import { Scheduler } from './scheduler.ts'
import type { Timer } from './timer.ts'

export interface Monitors {
  /** @param members those that a create requires are there; @throws ServiceError `query`, `invalid` */
  create(members: MonitorMembers, createdBy: string): Promise<StoredMonitor>
  /** In the order of their creation. */
  list(): StoredMonitor[]
  /** @throws ServiceError `not_found` */
  get(id: string): StoredMonitor
  /** @throws ServiceError `not_found`, `query`, `invalid` */
  change(id: string, members: MonitorMembers): Promise<StoredMonitor>
  /** Resolves once it is gone and its span has its end. @throws ServiceError `not_found` */
  remove(id: string): Promise<void>
  /**
   * Runs them until the signal ends that; to be called once.
   * @returns once no run is under way; those that the signal ended have not been
   */
  run(signal: AbortSignal): Promise<void>
}

interface MonitorsOptions {
  store: MonitorStore
  annotations: Annotations
  evaluation: Evaluation
  clock: Timer
  log: Log
  newMonitorId: (nowMs: number) => string
  newAnnotationId: (nowMs: number) => string
}

/** Queries of monitors under way at a time: half of the readers, so that people's queries never wait for monitors alone. */
const RUNS_MAX = 2

/** Resolves once what an earlier process left undone is done, or was tried. */
export async function openMonitors(options: MonitorsOptions): Promise<Monitors> {
  const { store, clock } = options
  const records = await MonitorRecords.load(store)
  const outbox = new Outbox({ ...options, records })
  const mutex = new KeyedMutex()
  const runs = new MonitorRuns({ ...options, records, outbox, mutex })
  const scheduler = new Scheduler({
    clock,
    widthMax: RUNS_MAX,
    due: () => runs.due(),
    run: (id, signal) => runs.run(id, signal),
  })
  for (const monitor of records.all()) await outbox.tryDeliver(monitor)
  return new OwnMonitors({ ...options, records, outbox, mutex, scheduler })
}

interface Parts extends Pick<MonitorsOptions, 'evaluation' | 'clock' | 'log' | 'newMonitorId'> {
  records: MonitorRecords
  outbox: Outbox
  /** Changes of one monitor, and the ends of its runs, come one after the other. */
  mutex: KeyedMutex
  scheduler: Scheduler
}

class OwnMonitors implements Monitors {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async create(members: MonitorMembers, createdBy: string): Promise<StoredMonitor> {
    const { records, clock, evaluation, scheduler, newMonitorId } = this.#parts
    const createdAtMs = clock.now()
    const definition = completeDefinition(members, (question) => evaluation.check({ ...question, atMs: createdAtMs }))
    using _place = records.reserve()
    const id = newMonitorId(createdAtMs)
    const state = initialState(createdAtMs, definition.disabled)
    const monitor = await records.save({ id, version: 0, createdAtMs, createdBy, definition, state, removed: false })
    scheduler.wake()
    return monitor
  }

  list(): StoredMonitor[] {
    return [...this.#parts.records.all()]
      .filter(({ removed }) => !removed)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((monitor) => this.#shown(monitor))
  }

  get(id: string): StoredMonitor {
    return this.#shown(this.#parts.records.get(id))
  }

  change(id: string, members: MonitorMembers): Promise<StoredMonitor> {
    const { records, outbox, mutex, clock, evaluation, scheduler, log } = this.#parts
    return mutex.run(id, async () => {
      const before = records.get(id)
      const nowMs = clock.now()
      const definition = mergeDefinition(before.definition, members, (question) => evaluation.check({ ...question, atMs: nowMs }))
      const after = await records.save(before, { definition, state: stateAfterChange(before, definition, nowMs) })
      if (after.state.status !== before.state.status) log.info(entryOf(after))
      const delivered = await outbox.tryDeliver(after)
      scheduler.wake()
      return delivered
    })
  }

  remove(id: string): Promise<void> {
    const { records, outbox, mutex, clock, scheduler } = this.#parts
    return mutex.run(id, async () => {
      const before = records.get(id)
      const after = await records.save(before, { state: stateAfterStop(before.state, clock.now()), removed: true })
      if (after.state.outbox.length === 0) records.forget(id)
      else await outbox.tryDeliver(after)
      scheduler.wake()
    })
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#parts.scheduler.run(signal)
  }

  /** As people see it: what is tried again runs next when it is. */
  #shown(monitor: StoredMonitor): StoredMonitor {
    const { id, state } = monitor
    const atMs = this.#parts.records.retryMs(id)
    if (atMs === undefined || atMs <= state.nextRunMs) return monitor
    return { ...monitor, state: { ...state, nextRunMs: atMs } }
  }
}
