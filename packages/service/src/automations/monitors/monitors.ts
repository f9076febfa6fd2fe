/**
 * The monitors: made, changed and removed through any service, and each run at its intervals by one of them.
 *
 * A monitor changes in one transaction together with its annotation, whether by a person or by a run, so nothing is ever decided
 * and not done. The services share the runs; while a part of them changes hands two may run the same monitor, and the result of one of
 * them counts.
 * Deliberately not here: HTTP; what a run does (runs.ts) and means (decision.ts); the query (evaluation.ts).
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { MonitorChange } from '@deployment-annotations/contract/monitor'
import type { Permission } from '@deployment-annotations/contract/permission'
import { listAlerts, type StoredAlert } from '@deployment-annotations/records/automations/alert-records'
import {
  deleteMonitor,
  findMonitor,
  findOldestDue,
  insertMonitor,
  listMonitorPages,
  lockMonitor,
  type MonitorDefinition,
  type StoredMonitor,
  updateMonitor,
} from '@deployment-annotations/records/automations/monitor-records'
import { listNotifiers } from '@deployment-annotations/records/automations/notifier-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { requirePlace } from '../../flags/ceilings.ts'
import { isNotifierReached } from '../../outbox/notices.ts'
import { Scheduler } from '../../scheduling/scheduler.ts'
import { newId } from '../../wire/ids.ts'
import { decideChange, decideStop, initialState } from './decision.ts'
import { completeDefinition, mergeDefinition } from './definition.ts'
import { entryOf, entryOfDeletedSpan, MonitorRuns, type MonitorRunsOptions } from './runs.ts'
import { applySpans } from './spans.ts'

/** What a token must be allowed to do to list monitors, and to query them. */
export const LIST_PERMISSION = 'monitors|read'

/** Of a token that names datasets those; `undefined`: all. */
type Reach = Pick<Caller, 'limit'>

/** Queries of monitors under way at a time at each service: less than half of the places, so that people's queries never wait for monitors alone. */
const RUNS_MAX = 3
/** Those of monitors that one token made: a place is always left to those of others. */
const RUNS_PER_OWNER_MAX = 2

export class Monitors {
  readonly #options: MonitorRunsOptions
  readonly #runs: MonitorRuns
  readonly #scheduler: Scheduler

  constructor(options: MonitorRunsOptions) {
    const { records, clock, log } = options
    this.#options = options
    this.#runs = new MonitorRuns(options)
    this.#scheduler = new Scheduler({
      clock,
      log,
      share: records.share('monitors'),
      widthMax: RUNS_MAX,
      widthPerOwnerMax: RUNS_PER_OWNER_MAX,
      look: (nowMs, share) => this.#runs.look(nowMs, share),
    })
  }

  /** @param members those that a create requires are there; @throws ServiceError `query`, `invalid`, `forbidden` for what the query reads */
  async create(members: MonitorChange, by: Caller): Promise<StoredMonitor> {
    const { records, clock, evaluation, ceilings } = this.#options
    const createdAtMs = clock.now()
    const reach = reachOf(by)
    const check = (question: MonitorDefinition) => evaluation.check({ ...question, atMs: createdAtMs, reach }, by)
    const { completed, messages } = completeDefinition(members, check)
    const definition: MonitorDefinition = { ...completed, knowsDecimals: true, ...(reach && { reach }) }
    requireMarkable(definition, 'monitors|create', by)
    const state = { ...initialState(createdAtMs, definition), ...(messages.length > 0 && { messages }) }
    const monitor = { id: newId('monitor', createdAtMs), version: 1n, createdAtMs, createdBy: by.id, definition, state }
    await records.transaction(async (db) => {
      await requirePlace(db, 'monitors', ceilings)
      await requireNotifiers(db, definition, by)
      await insertMonitor(db, monitor)
    })
    this.#scheduler.wake()
    return monitor
  }

  /** Those that the caller reaches, in the order of their creation. */
  async *list(by: Reach): AsyncGenerator<StoredMonitor[], void> {
    for await (const page of listMonitorPages(this.#options.records.read))
      yield page.filter((monitor) => this.#isReached(monitor, by)).map((monitor) => this.#runs.show(monitor))
  }

  /** @throws ServiceError `not_found`, as the others do for one that the caller does not reach */
  async get(id: string, by: Reach): Promise<StoredMonitor> {
    return this.#runs.show(this.#require(id, await findMonitor(this.#options.records.read, id), by))
  }

  /** When it triggered and recovered, the oldest first. @throws ServiceError `not_found` */
  async history(id: string, span: { startMs: number; endMs: number }, by: Reach): Promise<StoredAlert[]> {
    await this.get(id, by)
    return listAlerts(this.#options.records.read, id, span)
  }

  /** A monitor's state tells of every dataset that it reads: whoever is limited to some reaches it if those are among them. */
  #isReached({ definition, state }: StoredMonitor, { limit }: Reach): boolean {
    if (!limit) return true
    const read = this.#options.evaluation.reads({ ...definition, atMs: state.lastRunMs ?? state.sinceMs })
    return (
      read !== undefined &&
      [...read, ...definition.datasets].every((name) =>
        name.startsWith('_') ? definition.reach !== undefined : limit.includes(name),
      )
    )
  }

  #require(id: string, monitor: StoredMonitor | undefined, by: Reach): StoredMonitor {
    if (monitor && this.#isReached(monitor, by)) return monitor
    throw new ServiceError('not_found', `monitor ${id} not found`)
  }

  /** @throws ServiceError `not_found`, `query`, `invalid`, `forbidden` for what a new query reads */
  async change(id: string, members: MonitorChange, by: Caller): Promise<StoredMonitor> {
    const { records, clock, evaluation, log } = this.#options
    const nowMs = clock.now()
    const { before, after, deleted } = await records.transaction(async (db) => {
      const before = this.#require(id, await lockMonitor(db, id), by)
      const reach = reachOf(by)
      const merged = mergeDefinition(before.definition, members, (question) =>
        evaluation.check({ ...question, atMs: nowMs, reach }, by),
      )
      // Whose query it is now: what its author may read, it may.
      const isOwn = merged.aplQuery !== before.definition.aplQuery
      const definition = isOwn ? withReach(merged, reach) : merged
      requireMarkable(definition, 'monitors|update', by)
      if (definition === before.definition) return { before, after: before, deleted: [] }
      if (members.notifierIds) await requireNotifiers(db, definition, by)
      const { state, operations } = decideChange(before, definition, nowMs)
      const after = await updateMonitor(db, before, { definition: { ...definition, knowsDecimals: true }, state })
      return { before, after, deleted: await applySpans(db, before, operations, nowMs) }
    })
    if (after.state.status !== before.state.status) log.info(entryOf(after))
    for (const annotation of deleted) log.info(entryOfDeletedSpan(after, annotation))
    this.#scheduler.wake()
    return this.#runs.show(after)
  }

  /** Resolves once it is gone and its span has its end. @throws ServiceError `not_found` */
  async remove(id: string, by: Reach): Promise<void> {
    const { records, clock, log } = this.#options
    const nowMs = clock.now()
    const { before, deleted } = await records.transaction(async (db) => {
      const before = this.#require(id, await lockMonitor(db, id), by)
      const { operations } = decideStop(before, nowMs)
      const deleted = await applySpans(db, before, operations, nowMs)
      await deleteMonitor(db, id)
      return { before, deleted }
    })
    for (const annotation of deleted) log.info(entryOfDeletedSpan(before, annotation))
  }

  /** How many milliseconds the monitor that is due for longest waits for its run, at whichever service that is. */
  async lagMs(): Promise<number> {
    const { records, clock } = this.#options
    return Math.max(0, clock.now() - (await findOldestDue(records.read, clock.now())))
  }

  /**
   * Runs those of this service's share until the signal ends that; to be called once.
   * @returns once no run is under way; those that the signal ended have not been
   */
  run(signal: AbortSignal): Promise<void> {
    return this.#scheduler.run(signal)
  }
}

/** @returns the only datasets that a query of the caller may read; `undefined`: all */
function reachOf({ limit, may }: Caller): string[] | undefined {
  return limit?.filter((name) => may('query|read', name))
}

function withReach({ reach: _, ...definition }: MonitorDefinition, reach: string[] | undefined): MonitorDefinition {
  return reach ? { ...definition, reach } : definition
}

/** @throws ServiceError `forbidden` for a dataset on which the caller may not create annotations */
function requireMarkable({ datasets }: MonitorDefinition, permission: Permission, by: Caller): void {
  for (const name of datasets) by.require(permission, 'to create annotations on it', name)
}

/** Part of a transaction. @throws ServiceError `invalid` for a notifier that is not there, or that the caller does not reach */
async function requireNotifiers(db: RecordsDatabase, { notifierIds = [] }: MonitorDefinition, by: Reach): Promise<void> {
  if (notifierIds.length === 0) return
  const known = (await listNotifiers(db)).filter((one) => isNotifierReached(one, by)).map(({ id }) => id)
  const wrong = notifierIds.find((id) => !known.includes(id))
  if (wrong !== undefined) throw invalid(VALIDATION_CODES.enum, `notifierIds: there is no notifier ${quoted(wrong)}`)
}
