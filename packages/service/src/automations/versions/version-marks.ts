/**
 * Marks that nobody has to send: where a version appears in the events of a dataset that was not there before, or one is back in the
 * place of another, the service makes an annotation, unless one was posted for it. What was seen is in the records, so that a restart
 * marks nothing twice; one of all services that share them looks, at one dataset at a time, and then it rests for as long as that took.
 * Deliberately not here: which versions are there (seen.ts), and which of them have arrived (arrivals.ts).
 */
import { SEEN_RELEASE_TYPE } from '@deployment-annotations/contract/annotation'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { Leadership, Records } from '@deployment-annotations/records/records'
import { forgetSeenVersions, listSeenVersions, type SeenVersion } from '@deployment-annotations/records/seen-version-records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Annotations } from '../../annotations/annotations.ts'
import { listFields } from '../../query/catalogue.ts'
import type { Queries } from '../../query/queries.ts'
import { type Agenda, Scheduler, type Timer } from '../monitors/scheduler.ts'
import { askItself } from '../own-queries.ts'
import { ascending, findArrivals, placeOf, type VersionArrivals } from './arrivals.ts'
import { isPostedFor, type PostedAnnotation } from './posted.ts'
import { markBack, markFresh, moveEarlier, remember, withdraw } from './recording.ts'
import { readSeen, SEEN_MAX, seenQuery, type VersionSpan } from './seen.ts'

interface VersionMarksOptions {
  records: Records
  queries: Pick<Queries, 'apl'>
  datasets: Pick<EventStore['datasets'], 'list'>
  annotations: Pick<Annotations, 'list'>
  /** Resolves when datasets are known that other services made before. */
  refresh: () => Promise<void>
  /** Says which types are releases. */
  isRelease: (type: string) => boolean
  /** The fields that carry versions, the better ones first; without any, none are looked at. */
  fields: readonly string[]
  clock: Timer
  log: Log
}

/** A dataset with events is looked at so often; one without new ones more and more rarely, up to the next. */
const LOOK_MS = 20_000
const LOOK_MS_MAX = 60_000
/** A version that is there for less may still be posted, by the pipeline that brings it. */
const GRACE_MS = 20_000
/** How far back a look goes, … */
const NARROW_MS = UNIT_MS.h
/** … at intervals and after a start, for events that came late, … */
const WIDE_MS = 25 * UNIT_MS.h
const WIDE_EVERY_MS = UNIT_MS.h
/** … and the first time, to know what is nothing new. */
const FIRST_MS = 7 * UNIT_MS.d
/** A version that is first seen so close to the beginning of a look may have been there before. */
const EDGE_NS = 5n * UNIT_NS.m
/** A posted annotation takes the place of one that was made here so long ago at most. */
const WITHDRAWN_NS = 25n * UNIT_NS.h
/** A version without events for so long is forgotten. */
const REMEMBERED_NS = 30n * UNIT_NS.d
/** After a failure, and where a field carries something else than versions. */
const AGAIN_MS = 10 * UNIT_MS.m

/** When a dataset is looked at next. */
interface Plan {
  nextMs: number
  wideMs: number
  everyMs: number
  /** The last event that was seen. */
  lastNs: bigint
  /** Said once. */
  isRefused: boolean
}

export class VersionMarks {
  readonly #options: VersionMarksOptions
  readonly #leadership: Leadership
  readonly #scheduler: Scheduler
  readonly #plans = new Map<string, Plan>()

  constructor(options: VersionMarksOptions) {
    this.#options = options
    this.#leadership = options.records.leadership('versions')
    this.#scheduler = new Scheduler({ clock: options.clock, widthMax: 1, look: () => this.#agenda() })
  }

  /** Looks, where and while it is this service's turn, until the signal ends that; to be called once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#options.fields.length === 0) return
    this.#leadership.keep((isHeld) => {
      // What another one saw meanwhile is in the records, and events came late meanwhile.
      if (isHeld) this.#plans.clear()
      this.#scheduler.wake()
    })
    await this.#scheduler.run(signal)
    await this.#leadership[Symbol.asyncDispose]()
  }

  /** Never rejects. */
  async #agenda(): Promise<Agenda> {
    const { clock, datasets, refresh } = this.#options
    const nowMs = clock.now()
    if (!this.#leadership.isHeld) return { due: [], nextMs: nowMs + Math.min(this.#leadership.pollMs, LOOK_MS) }
    // Without it, what is known here is looked at.
    await refresh().catch(() => undefined)
    const live = datasets.list().filter(({ state }) => state === 'live')
    const planned = live.map((dataset) => ({ dataset, plan: this.#planOf(dataset) }))
    const due = planned.filter(({ plan }) => plan.nextMs <= nowMs).sort((a, b) => a.plan.nextMs - b.plan.nextMs)
    return {
      due: due.map(({ dataset, plan }) => ({ key: dataset.table, run: (signal) => this.#lookAt(dataset, plan, signal) })),
      nextMs: planned.reduce((least, { plan }) => Math.min(least, plan.nextMs), nowMs + LOOK_MS),
    }
  }

  #planOf({ table }: Dataset): Plan {
    const plan = this.#plans.get(table) ?? { nextMs: 0, wideMs: 0, everyMs: LOOK_MS, lastNs: 0n, isRefused: false }
    this.#plans.set(table, plan)
    return plan
  }

  /** Never rejects. */
  async #lookAt(dataset: Dataset, plan: Plan, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    const fromMs = performance.now()
    plan.nextMs = clock.now() + plan.everyMs
    try {
      await this.#look(dataset, plan, signal)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ event: 'versions', dataset: dataset.name, error: describeError(error) })
      plan.nextMs = clock.now() + AGAIN_MS
    }
    await clock.waitUntil(clock.now() + (performance.now() - fromMs), signal)
  }

  async #look(dataset: Dataset, plan: Plan, signal: AbortSignal): Promise<void> {
    const { records, queries, clock, log, fields: versionFields } = this.#options
    const fields = listFields(dataset)
    if (seenQuery(dataset.name, { fields, versionFields, isFine: false }) === undefined) return
    const nowMs = clock.now()
    const ask = askItself({ queries, by: 'versions', signal })
    const known = await listSeenVersions(records.read, dataset.table)
    const isWide = nowMs >= plan.wideMs || known.length === 0
    const startMs = nowMs - (known.length === 0 ? FIRST_MS : isWide ? WIDE_MS : NARROW_MS)
    const apl = seenQuery(dataset.name, { fields, versionFields, isFine: !isWide }) ?? ''
    const seen = await readSeen(ask, apl, { startMs, endMs: nowMs })
    if (Math.max(seen.length, known.length) > SEEN_MAX) {
      if (!plan.isRefused) log.warn({ event: 'versions', dataset: dataset.name, error: TOO_MANY })
      plan.isRefused = true
      plan.nextMs = nowMs + AGAIN_MS
      // Those without events for long make room.
      return await records.transaction((db) => forgetSeenVersions(db, dataset.table, nsOf(nowMs) - REMEMBERED_NS))
    }
    const [lastNs = 0n] = seen.map((one) => one.lastNs).sort((a, b) => ascending(b, a))
    plan.everyMs = lastNs > plan.lastNs ? LOOK_MS : Math.min(2 * plan.everyMs, LOOK_MS_MAX)
    plan.nextMs = nowMs + plan.everyMs
    plan.lastNs = lastNs
    const arrivals = findArrivals(known, seen, nsOf(startMs))
    if (!isWide && arrivals.fresh.some((one) => one.seen.firstNs < nsOf(startMs) + EDGE_NS)) {
      plan.wideMs = plan.nextMs = nowMs
      return
    }
    await this.#record(dataset, nowMs, { known, arrivals })
    if (!isWide) return
    plan.wideMs = nowMs + WIDE_EVERY_MS
    await records.transaction(async (db) => {
      await remember(db, dataset.table, known, seen)
      await forgetSeenVersions(db, dataset.table, nsOf(nowMs) - REMEMBERED_NS)
    })
  }

  async #record(
    dataset: Dataset,
    nowMs: number,
    { known, arrivals }: { known: SeenVersion[]; arrivals: VersionArrivals },
  ): Promise<void> {
    const { records, log } = this.#options
    const made = known.filter(({ annotation, sinceNs }) => annotation !== undefined && sinceNs > nsOf(nowMs) - WITHDRAWN_NS)
    const fresh = arrivals.fresh.filter(({ seen }) => seen.firstNs <= nsOf(nowMs - GRACE_MS))
    if (made.length + fresh.length + arrivals.back.length + arrivals.earlier.length === 0) return
    const sinces = [...made.map(({ sinceNs }) => sinceNs), ...fresh.map(({ seen }) => seen.firstNs), nsOf(nowMs)]
    const posted = await this.#listPosted(dataset.name, sinces.sort(ascending)[0] ?? 0n)
    const isPosted = (one: Pick<VersionSpan, 'service' | 'environment' | 'version'>, sinceNs: bigint) =>
      posted.some((each) => isPostedFor(each, one, sinceNs))
    const write = { table: dataset.table, dataset: dataset.name, nowMs }
    const marks: (string | undefined)[] = []
    for (const one of made.filter((each) => isPosted(each, each.sinceNs)))
      await records.transaction((db) => withdraw(db, write, one))
    for (const { seen, known: before } of arrivals.earlier)
      await records.transaction((db) => moveEarlier(db, write, { before, firstNs: seen.firstNs }))
    for (const { seen, isMarked } of fresh) {
      const isMade = isMarked && !isPosted(seen, seen.firstNs)
      const before = lastBefore([...known, ...fresh.map((one) => one.seen)], seen)
      marks.push(await records.transaction((db) => markFresh(db, write, { seen, before, isMade })))
    }
    for (const one of arrivals.back) {
      const isMade = !isPosted(one.seen, one.sinceNs)
      marks.push(await records.transaction((db) => markBack(db, write, { ...one, isMade })))
    }
    for (const annotation of marks.filter((id) => id !== undefined))
      log.info({ event: 'version', dataset: dataset.name, annotation })
  }

  /** @returns the annotations of this dataset that others have posted */
  async #listPosted(dataset: string, sinceNs: bigint): Promise<PostedAnnotation[]> {
    const { annotations, isRelease } = this.#options
    const posted: PostedAnnotation[] = []
    for await (const page of annotations.list({ startNs: sinceNs - UNIT_NS.d, datasets: [dataset] })) {
      const others = page.filter(({ type }) => type !== SEEN_RELEASE_TYPE)
      posted.push(...others.map((annotation) => ({ annotation, isRelease: isRelease(annotation.type) })))
    }
    return posted
  }
}

/** @returns the version of the same service that came before this one */
function lastBefore(
  all: readonly Pick<VersionSpan, 'service' | 'environment' | 'version' | 'firstNs'>[],
  { firstNs, ...of }: VersionSpan,
): string | undefined {
  const earlier = all.filter((one) => placeOf(one) === placeOf(of) && one.firstNs < firstNs)
  return earlier.sort((a, b) => Number(b.firstNs - a.firstNs))[0]?.version
}

const TOO_MANY = `more than ${SEEN_MAX} versions: no marks are made of them; --version-fields says which fields carry versions`

const nsOf = (ms: number) => BigInt(Math.round(ms)) * UNIT_NS.ms
