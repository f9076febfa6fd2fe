/**
 * Releases that nobody has to post: if a version appears in the events of a dataset after another one, the service makes an annotation,
 * unless one was posted for it; one that is posted later takes its place. The records have what was seen, so that a restart makes nothing
 * twice. The services that share them share the datasets too; each looks at one at a time, and rests for as long as that took.
 * Deliberately not here: versions that come back, and releases of times before the service looked.
 */
import { DETECTED_RELEASE_TYPE } from '@deployment-annotations/contract/annotation'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { listCreatedSince } from '@deployment-annotations/records/annotations/annotation-records'
import type { Records } from '@deployment-annotations/records/database/records'
import {
  listSeenVersions,
  rememberVersions,
  type SeenVersion,
} from '@deployment-annotations/records/datasets/seen-version-records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Queries } from '../../query/queries.ts'
import type { Timer } from '../../scheduling/scheduler.ts'
import { prefixAt } from '../../wire/ids.ts'
import { askItself } from '../own-queries.ts'
import { isPostedFor } from './posted.ts'
import { recordVersion, withdraw } from './recording.ts'
import { readSeen, SEEN_MAX, seenQuery } from './seen.ts'

interface VersionDetectorOptions {
  records: Records
  queries: Pick<Queries, 'readTable'>
  datasets: Pick<EventStore['datasets'], 'list'>
  /** Resolves when datasets are known that other services made before. */
  refresh: () => Promise<void>
  /** Says which types are releases. */
  isRelease: (type: string) => boolean
  /** The fields that carry versions, the better ones first; without any, nothing is detected. */
  fields: readonly string[]
  clock: Timer
  log: Log
}

const LOOK_MS = 30_000
/** How far back a look goes, because events may come late. */
const NARROW_MS = UNIT_MS.h
/** Where the first event of a version is looked for that is not known, … */
const WIDE_MS = 25 * UNIT_MS.h
/** … and a version that is older than this is no release but history. */
const RECENT_MS = UNIT_MS.d
/** The versions that a dataset has in this time before the first look are nothing new. */
const FIRST_MS = 7 * UNIT_MS.d
/** A version that is there for less may still be posted, by the pipeline that brings it. */
const GRACE_MS = 20_000
/** Versions that begin together are a canary and the stable one beside it: neither comes after the other. */
const TOGETHER_NS = 10n * UNIT_NS.s
/** So many new versions of one service an hour are releases; a field with more carries something else. */
const AN_HOUR_MAX = 6
/** An annotation may be stored so long after its id was made. */
const STORING_MS = 5 * UNIT_MS.m
/** After a failure, and for a field that carries something else than versions. */
const AGAIN_MS = 10 * UNIT_MS.m
const TOO_MANY = `more than ${SEEN_MAX} versions: no releases are detected; --version-fields says which fields carry versions`

export class VersionDetector {
  readonly #options: VersionDetectorOptions
  /** When each table was looked at, and until when it is left alone after a failure. */
  readonly #lookedMs = new Map<string, number>()
  readonly #againMs = new Map<string, number>()

  constructor(options: VersionDetectorOptions) {
    this.#options = options
  }

  /** Looks at what is in this service's share until the signal ends that; to be called once. */
  async run(signal: AbortSignal): Promise<void> {
    const { records, clock, datasets, refresh, fields } = this.#options
    if (fields.length === 0) return
    await using share = records.share('versions')
    share.keep()
    while (!signal.aborted) {
      const nextMs = clock.now() + LOOK_MS
      // Without it, what is known here is looked at.
      await refresh().catch(() => undefined)
      for (const dataset of datasets.list()) {
        if (share.has(dataset.table) && !signal.aborted && dataset.state === 'live') await this.#lookAt(dataset, signal)
      }
      await clock.waitUntil(nextMs, signal)
    }
  }

  /** Never rejects. */
  async #lookAt(dataset: Dataset, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    const nowMs = clock.now()
    if ((this.#againMs.get(dataset.table) ?? 0) > nowMs) return
    const fromMs = performance.now()
    try {
      await this.#look(dataset, nowMs, signal)
      this.#lookedMs.set(dataset.table, nowMs)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ event: 'version', dataset: dataset.name, error: describeError(error) })
      this.#againMs.set(dataset.table, nowMs + AGAIN_MS)
    }
    await clock.waitUntil(clock.now() + (performance.now() - fromMs), signal)
  }

  async #look(dataset: Dataset, nowMs: number, signal: AbortSignal): Promise<void> {
    const { records, queries, fields, isRelease, log } = this.#options
    const { name, table } = dataset
    const apl = seenQuery(dataset, fields)
    if (apl === undefined) return
    const ask = askItself({ queries, by: 'versions', signal })
    const read = (ms: number) => readSeen(ask, apl, { startMs: nowMs - ms, endMs: nowMs })
    const known = await listSeenVersions(records.read, table)
    const find = (one: SeenVersion) => known.find((other) => other.version === one.version && isSamePlace(other, one))
    const isFirst = known.length === 0 && !this.#lookedMs.has(table)
    let seen = await read(isFirst ? FIRST_MS : NARROW_MS)
    if (!isFirst && !seen.every(find)) seen = await read(WIDE_MS)
    const used = seen.filter((one) => one.lastNs > (find(one)?.lastNs ?? one.lastNs) + UNIT_NS.d)
    if (used.length > 0) await records.transaction((db) => rememberVersions(db, table, used))
    if (Math.max(seen.length, known.length) > SEEN_MAX) throw new Error(TOO_MANY)

    const fresh = seen.filter((one) => !find(one) && one.firstNs <= nsOf(nowMs - GRACE_MS))
    const lookedMs = fresh.length > 0 ? undefined : this.#lookedMs.get(table)
    const sinceMs = lookedMs === undefined ? nowMs - RECENT_MS : lookedMs - STORING_MS
    const created = await listCreatedSince(records.read, prefixAt(sinceMs), name)
    const posted = created.filter(({ type }) => type !== DETECTED_RELEASE_TYPE)
    const isPosted = (one: SeenVersion) => posted.some((each) => isPostedFor(each, isRelease(each.type), one))
    for (const one of known.filter(({ annotation }) => annotation !== undefined))
      if (isPosted(one)) await records.transaction((db) => withdraw(db, dataset, one))
    for (const one of fresh) {
      const isOver = one.firstNs <= nsOf(nowMs - RECENT_MS) || isPosted(one)
      const previous = isOver ? undefined : findPrevious([...known, ...fresh], one)
      const annotation = await records.transaction((db) => recordVersion(db, dataset, one, { previous, nowMs }))
      if (annotation !== undefined) log.info({ event: 'version', dataset: name, annotationId: annotation })
    }
  }
}

/** @returns the version of the same service that came last before this one; `undefined` if this one is no release */
function findPrevious(all: readonly SeenVersion[], one: SeenVersion): string | undefined {
  const earlier = all.filter((other) => isSamePlace(other, one) && other.firstNs < one.firstNs - TOGETHER_NS)
  const isFrequent = earlier.filter(({ firstNs }) => firstNs > one.firstNs - UNIT_NS.h).length >= AN_HOUR_MAX
  return isFrequent ? undefined : earlier.sort((a, b) => Number(b.firstNs - a.firstNs))[0]?.version
}

const isSamePlace = (one: SeenVersion, other: SeenVersion) =>
  one.service === other.service && one.environment === other.environment

const nsOf = (ms: number) => BigInt(Math.round(ms)) * UNIT_NS.ms
