/**
 * The monitors of this service: made, changed, removed, and run at their intervals. Held in memory and written through.
 *
 * A run decides, and the decision is written down with everything that follows from it (the id of the annotation to create,
 * the end of the one to close) before any of that is done. What a crash leaves undone is done at the next start, and may be
 * done twice: a second time changes nothing.
 * Deliberately not here: HTTP; what a run means (decision.ts); the query (evaluation.ts).
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { MONITORS_MAX } from '@deployment-annotations/contract/monitor'
import type { Annotations } from '../../annotations/annotations.ts'
import { createTurns } from '../../annotations/turns.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { describeError, type Log } from '../../log.ts'
import type { MonitorRule, MonitorStanding, MonitorStore, StoredMonitor } from '../../store/monitor-store.ts'
import { afterRun, afterStop, beginning, dueTime, type Outcome, runTime } from './decision.ts'
import type { Evaluation } from './evaluation.ts'
import { completeRule, type MonitorMembers, mergeRule } from './rule.ts'
import { createScheduler, type Due } from './scheduler.ts'
import { takeStep } from './steps.ts'
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
  /** Begins to run them. */
  start(): void
  /** Ends the runs under way, which then have not been; resolves when there are none. */
  stop(): Promise<void>
}

export interface MonitorsOptions {
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
/**
 * After so long is tried again what could not be written down, whatever the interval, which may be a year: a disk that was full
 * may have room by then.
 */
const RETRY_MS = 60_000
/** Members whose change makes the last run say nothing any more. */
const WHAT_RUNS = ['aplQuery', 'operator', 'threshold', 'intervalMinutes', 'rangeMinutes', 'alertOnNoData'] as const

type Next = Partial<Pick<StoredMonitor, 'rule' | 'standing' | 'removed'>>

/** Resolves once what an earlier process left undone is done, or was tried. */
export async function openMonitors(options: MonitorsOptions): Promise<Monitors> {
  const { store, annotations, evaluation, clock, log } = options
  const all = new Map((await store.load()).map((monitor) => [monitor.id, monitor]))
  // Changes and the ends of runs of one monitor take turns; its query runs outside of them, so that nobody waits for it.
  const turns = createTurns()
  const scheduler = createScheduler({ clock, widthMax: RUNS_MAX, due, run })
  /** When what could not be written down is tried again. */
  const retries = new Map<string, number>()
  let making = 0

  function get(id: string): StoredMonitor {
    const monitor = all.get(id)
    if (!monitor || monitor.removed) throw new ServiceError('not_found', `there is no monitor ${id}`)
    return monitor
  }

  async function keep(before: StoredMonitor, next: Next): Promise<StoredMonitor> {
    const monitor = { ...before, ...next, version: before.version + 1 }
    await store.save(monitor)
    retries.delete(monitor.id)
    all.set(monitor.id, monitor)
    return monitor
  }

  /** Does what was decided and perhaps not done. */
  async function settle(monitor: StoredMonitor): Promise<StoredMonitor> {
    const { steps } = monitor.standing
    if (steps.length === 0) return monitor
    for (const step of steps) await takeStep(step, monitor, annotations, log)
    const settled = await keep(monitor, { standing: { ...monitor.standing, steps: [] } })
    if (settled.removed) all.delete(settled.id)
    return settled
  }

  /** Like settle, after an answer that stands whatever becomes of the steps: they are tried again by the scheduler. */
  async function trySettle(monitor: StoredMonitor): Promise<StoredMonitor> {
    try {
      return await settle(monitor)
    } catch (error) {
      log(entryOf(monitor, { error: describeError(error) }))
      retryLater(monitor.id)
      return monitor
    }
  }

  function* due(): Generator<Due> {
    const nowMs = clock.now()
    for (const { id, rule, standing, removed } of all.values()) {
      if (isResting(rule, removed) && standing.steps.length === 0) continue
      yield { key: id, atMs: retryTime(id, nowMs) ?? dueTime(standing, rule, nowMs) }
    }
  }

  function retryLater(id: string): void {
    retries.set(id, clock.now() + RETRY_MS)
  }

  function retryTime(id: string, nowMs: number): number | undefined {
    const atMs = retries.get(id)
    // A clock that was set back.
    return atMs !== undefined && atMs - nowMs > RETRY_MS ? nowMs : atMs
  }

  /** As people see it: what is tried again runs next when it is. */
  function shown(monitor: StoredMonitor): StoredMonitor {
    const { id, standing } = monitor
    const atMs = retries.get(id)
    if (atMs === undefined || atMs <= standing.nextRunMs) return monitor
    return { ...monitor, standing: { ...standing, nextRunMs: atMs } }
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    const before = all.get(id)
    if (!before) return
    const nowMs = clock.now()
    const atMs = runTime(before.standing, before.rule, nowMs)
    // Of one that rests, or that is not due, there are only steps to be tried again.
    const isAsked = !isResting(before.rule, before.removed) && dueTime(before.standing, before.rule, nowMs) <= nowMs
    const outcome = isAsked ? await measure(before, atMs, signal) : undefined
    if (signal.aborted) return
    await turns.take(id, async () => {
      const current = all.get(id)
      // What was measured is not what is asked now; the change has made the monitor due again.
      if (!current || current.rule !== before.rule || current.removed !== before.removed) return
      try {
        const settled = await settle(current)
        if (!outcome) return
        const run = { atMs, outcome, newId: options.newAnnotationId(atMs) }
        const after = await keep(settled, { standing: afterRun(settled.rule, settled.standing, run) })
        // A failure is in the log already.
        if ('values' in outcome && after.standing.status !== settled.standing.status) log(entryOf(after))
        await settle(after)
      } catch (error) {
        log(entryOf(current, { status: 'error', error: describeError(error) }))
        retryLater(id)
        if (outcome) failed(id, atMs)
      }
    })
  }

  /** What could not be written down, memory alone knows of; the same run is due again, and its steps with it. */
  function failed(id: string, atMs: number): void {
    const current = all.get(id)
    if (!current) return
    const error = 'the run could not be written down, or its annotation could not be stored; the log of the service says more'
    const standing = afterRun(current.rule, current.standing, { atMs, outcome: { error }, newId: '' })
    all.set(id, { ...current, standing: { ...standing, nextRunMs: atMs } })
  }

  async function measure(monitor: StoredMonitor, atMs: number, signal: AbortSignal): Promise<Outcome> {
    const { aplQuery, rangeMinutes } = monitor.rule
    try {
      return { values: await evaluation.measure({ aplQuery, rangeMinutes, atMs }, signal) }
    } catch (error) {
      const isKnown = error instanceof ServiceError
      if (!signal.aborted) {
        // The message of a mistake in a query shows the query, which is never logged.
        const cause = isKnown ? (error.body.detail?.message ?? error.message) : describeError(error)
        log(entryOf(monitor, { status: 'error', error: cause }))
      }
      return { error: isKnown ? error.message : 'something went wrong here; the log of the service says more' }
    }
  }

  for (const monitor of all.values()) await trySettle(monitor)

  return {
    async create(members, createdBy) {
      const createdAtMs = clock.now()
      const rule = completeRule(members, (question) => evaluation.check({ ...question, atMs: createdAtMs }))
      if (all.size + making >= MONITORS_MAX) {
        throw invalid(VALIDATION_CODES.itemsMax, `there are ${all.size} monitors, and ${MONITORS_MAX} is the most; delete one`)
      }
      const id = options.newMonitorId(createdAtMs)
      const standing = beginning(createdAtMs, rule.disabled)
      // Places are taken before they are filled, so that no two creates take the last one.
      making++
      try {
        return await keep({ id, version: 0, createdAtMs, createdBy, rule, standing, removed: false }, {})
      } finally {
        making--
        scheduler.wake()
      }
    },

    list: () =>
      [...all.values()]
        .filter(({ removed }) => !removed)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(shown),

    get: (id) => shown(get(id)),

    change: (id, members) =>
      turns.take(id, async () => {
        const before = get(id)
        const nowMs = clock.now()
        const rule = mergeRule(before.rule, members, (question) => evaluation.check({ ...question, atMs: nowMs }))
        const standing = afterChange(before, rule, nowMs)
        const after = await keep(before, { rule, standing })
        if (after.standing.status !== before.standing.status) log(entryOf(after))
        const settled = await trySettle(after)
        scheduler.wake()
        return settled
      }),

    remove: (id) =>
      turns.take(id, async () => {
        const before = get(id)
        const after = await keep(before, { standing: afterStop(before.standing, clock.now()), removed: true })
        if (after.standing.steps.length === 0) all.delete(id)
        else await trySettle(after)
        scheduler.wake()
      }),

    start: () => scheduler.start(),
    stop: () => scheduler.stop(),
  }
}

/** Whether it has nothing to measure: only steps may be left of it. */
function isResting({ disabled }: MonitorRule, removed: boolean): boolean {
  return disabled || removed
}

/** A changed question is asked at once. What its span marks stays as it is until the answer. */
function afterChange({ rule: before, standing }: StoredMonitor, after: MonitorRule, nowMs: number): MonitorStanding {
  if (after.disabled) return before.disabled ? standing : afterStop(standing, nowMs)
  if (before.disabled) return { ...beginning(nowMs, false), steps: standing.steps }
  return WHAT_RUNS.some((member) => before[member] !== after[member]) ? { ...standing, nextRunMs: nowMs } : standing
}

function entryOf({ id, rule, standing }: StoredMonitor, more: Readonly<Record<string, unknown>> = {}) {
  const { status, lastValue } = standing
  return {
    event: 'monitor',
    monitorId: id,
    name: rule.name,
    status,
    ...(lastValue !== undefined && { value: lastValue }),
    ...more,
  }
}
