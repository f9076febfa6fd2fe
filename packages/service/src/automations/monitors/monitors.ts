/**
 * The monitors: made, changed and removed through any service, and run at their intervals by one of them.
 *
 * A monitor changes in one transaction together with its annotation, whether by a person or by a run, so nothing is ever decided
 * and not done. Which of several services runs them is up to a lease; while it changes hands two may run the same one, and the
 * result of one of them counts.
 * Deliberately not here: HTTP; what a run does (runs.ts) and means (decision.ts); the query (evaluation.ts).
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { MONITORS_MAX } from '@deployment-annotations/contract/monitor'
import { invalid, ServiceError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { Lease } from '../../records/leases.ts'
import {
  countMonitors,
  deleteMonitor,
  findMonitor,
  insertMonitor,
  listMonitors,
  lockMonitor,
  type StoredMonitor,
  updateMonitor,
} from '../../records/monitor-records.ts'
import type { Records, RecordsDatabase } from '../../records/records.ts'
import { raiseVersion } from '../../records/versions.ts'
import type { Caller } from '../../tokens/token.ts'
import { decideChange, decideStop, initialState } from './decision.ts'
import { completeDefinition, type MonitorMembers, mergeDefinition } from './definition.ts'
import { entryOf, entryOfDeletedSpan } from './entry.ts'
import type { Evaluation } from './evaluation.ts'
import { MonitorRuns, type MonitorRunsOptions } from './runs.ts'
import { Scheduler } from './scheduler.ts'
import { applySpan } from './spans.ts'
import type { Timer } from './timer.ts'

/** What a token must be allowed to do to list monitors, and to query them. */
export const LIST_PERMISSION = 'monitors|read'

export interface Monitors {
  /** @param members those that a create requires are there; @throws ServiceError `query`, `invalid`, `forbidden` for what the query reads */
  create(members: MonitorMembers, by: Caller): Promise<StoredMonitor>
  /** In the order of their creation. */
  list(): Promise<StoredMonitor[]>
  /** @throws ServiceError `not_found` */
  get(id: string): Promise<StoredMonitor>
  /** @throws ServiceError `not_found`, `query`, `invalid`, `forbidden` for what a new query reads */
  change(id: string, members: MonitorMembers, by: Caller): Promise<StoredMonitor>
  /** Resolves once it is gone and its span has its end. @throws ServiceError `not_found` */
  remove(id: string): Promise<void>
  /**
   * Runs them, where and while it is this service's turn, until the signal ends that; to be called once.
   * @returns once no run is under way; those that the signal ended have not been
   */
  run(signal: AbortSignal): Promise<void>
}

interface MonitorsOptions {
  records: Records
  evaluation: Evaluation
  /** Resolves when datasets are known that other services made before. */
  refresh: () => Promise<void>
  clock: Timer
  log: Log
  newMonitorId: (nowMs: number) => string
  newAnnotationId: (nowMs: number) => string
  /** Is told of every run. */
  onRun?: MonitorRunsOptions['onRun']
}

/** Queries of monitors under way at a time: at most half of the places, so that people's queries never wait for monitors alone. */
const RUNS_MAX = 2

export function createMonitors(options: MonitorsOptions): Monitors {
  return new SharedMonitors(options)
}

class SharedMonitors implements Monitors {
  readonly #options: MonitorsOptions
  readonly #lease: Lease | undefined
  readonly #runs: MonitorRuns
  readonly #scheduler: Scheduler

  constructor(options: MonitorsOptions) {
    const { records, clock } = options
    // Records that nobody shares need no lease, and a service that starts again does not wait for its own to expire.
    const lease = records.isShared ? new Lease(records, 'monitors') : undefined
    const runs = new MonitorRuns({ ...options, mayRun: () => lease?.isHeld ?? true })
    this.#options = options
    this.#lease = lease
    this.#runs = runs
    this.#scheduler = new Scheduler({ clock, widthMax: RUNS_MAX, look: (dueMax) => runs.look(dueMax) })
  }

  async create(members: MonitorMembers, by: Caller): Promise<StoredMonitor> {
    const { records, clock, evaluation, newMonitorId } = this.#options
    const createdAtMs = clock.now()
    const definition = completeDefinition(members, (question) => evaluation.check({ ...question, atMs: createdAtMs }, by))
    const state = initialState(createdAtMs, definition.disabled)
    const monitor = { id: newMonitorId(createdAtMs), version: 1n, createdAtMs, createdBy: by.id, definition, state }
    await records.transaction(async (db) => {
      await requirePlace(db)
      await insertMonitor(db, monitor)
    })
    this.#scheduler.wake()
    return monitor
  }

  async list(): Promise<StoredMonitor[]> {
    return (await listMonitors(this.#options.records.read)).map((monitor) => this.#runs.show(monitor))
  }

  async get(id: string): Promise<StoredMonitor> {
    return this.#runs.show((await findMonitor(this.#options.records.read, id)) ?? absent(id))
  }

  async change(id: string, members: MonitorMembers, by: Caller): Promise<StoredMonitor> {
    const { records, clock, evaluation, log } = this.#options
    const nowMs = clock.now()
    const { before, after, deleted } = await records.transaction(async (db) => {
      const before = (await lockMonitor(db, id)) ?? absent(id)
      const definition = mergeDefinition(before.definition, members, (question) =>
        evaluation.check({ ...question, atMs: nowMs }, by),
      )
      if (definition === before.definition) return { before, after: before }
      const { state, span } = decideChange(before, definition, nowMs)
      const after = await updateMonitor(db, before, { definition, state })
      return { before, after, deleted: span && (await applySpan(db, after, span, nowMs)) }
    })
    if (after.state.status !== before.state.status) log.info(entryOf(after))
    if (deleted !== undefined) log.info(entryOfDeletedSpan(after, deleted))
    this.#scheduler.wake()
    return this.#runs.show(after)
  }

  async remove(id: string): Promise<void> {
    const { records, clock, log } = this.#options
    const nowMs = clock.now()
    const { before, deleted } = await records.transaction(async (db) => {
      const before = (await lockMonitor(db, id)) ?? absent(id)
      const { span } = decideStop(before.state, nowMs)
      await deleteMonitor(db, id)
      return { before, deleted: span && (await applySpan(db, before, span, nowMs)) }
    })
    if (deleted !== undefined) log.info(entryOfDeletedSpan(before, deleted))
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#lease?.keep(() => this.#scheduler.wake())
    await this.#scheduler.run(signal)
    await this.#lease?.[Symbol.asyncDispose]()
  }
}

/** Part of a transaction, and keeps other creates waiting until it ends. @throws ServiceError `invalid` */
async function requirePlace(db: RecordsDatabase): Promise<void> {
  await raiseVersion(db, 'monitors')
  if ((await countMonitors(db)) < MONITORS_MAX) return
  throw invalid(VALIDATION_CODES.itemsMax, `there can be at most ${MONITORS_MAX} monitors; delete one`)
}

function absent(id: string): never {
  throw new ServiceError('not_found', `monitor ${id} not found`)
}
