/**
 * Judges releases: each annotation of a type that says so, when there is something to see after it. Which are due is in the records, so
 * that nothing is lost by a restart. The services share them by their ids, for no order among releases matters: what one look could not
 * know of another release, a later look does. While some change hands two services may judge the same one, and the result of one of them
 * counts. A service judges two at a time, each of which rests for as long as it took: releases, however many, take one reader of seven from
 * people on average, and never more than two.
 * Deliberately not here: what is looked at (measurement.ts), and what is said of it (the package compare).
 */
import { DETECTED_RELEASE_TYPE } from '@deployment-annotations/contract/annotation'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import {
  type DueAnnotation,
  dropDue,
  findOldestDue,
  readDue,
  recordVerdict,
} from '@deployment-annotations/records/annotations/verdict-records'
import type { Records, Share } from '@deployment-annotations/records/database/records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { noticeVerdict } from '../../outbox/notices.ts'
import { type Agenda, Scheduler, type Timer } from '../../scheduling/scheduler.ts'
import { isSetting } from './kinds.ts'
import { AGAIN_PART, nextLookMs } from './looks.ts'
import { type MeasurementParts, ReleaseMeasurement } from './measurement.ts'

interface JudgeOptions extends Omit<MeasurementParts, 'isRelease'> {
  records: Records
  /** Words in the type of an annotation that is judged; without any, none is. */
  types: readonly string[]
  clock: Timer
  log: Log
}

/** Nobody says that an annotation of the past was made: it is found after this long. */
const LOOK_MS = 5 * UNIT_MS.s
const JUDGED_MAX = 2
/** So many that are due are read at a time: most of them are of other types. */
const DUE_MAX = 200
/** What is older was imported, and is not judged. */
const AGE_MS_MAX = UNIT_MS.w
/** A release that could not be judged is tried again after this long. */
const AGAIN_MS_MIN = UNIT_MS.m
/** What goes on is looked at again after this long, in case it is closed without an end. */
const OPEN_MS = 5 * UNIT_MS.m

export class ReleaseJudge {
  readonly #options: JudgeOptions
  readonly #measurement: ReleaseMeasurement
  readonly #scheduler: Scheduler

  constructor(options: JudgeOptions) {
    const { records, clock, log } = options
    this.#options = options
    this.#measurement = new ReleaseMeasurement({ ...options, isRelease: this.isRelease })
    const look = (nowMs: number, share: Share) => this.#look(nowMs, share)
    this.#scheduler = new Scheduler({ clock, log, share: records.share('judge'), widthMax: JUDGED_MAX, pollMs: LOOK_MS, look })
  }

  /** @returns whether annotations of this type are releases */
  readonly isRelease = (type: string): boolean =>
    type === DETECTED_RELEASE_TYPE || this.#options.types.some((word) => type.includes(word))

  /** Judges what is in this service's share until the signal ends that; to be called once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#options.types.length > 0) await this.#scheduler.run(signal)
  }

  /** How many milliseconds the release that is due for longest waits to be judged, at whichever service that is. */
  async lagMs(): Promise<number> {
    const { records, clock, types } = this.#options
    return types.length === 0 ? 0 : Math.max(0, clock.now() - (await findOldestDue(records.read)))
  }

  async #look(nowMs: number, share: Share): Promise<Agenda> {
    const { records } = this.#options
    const { due, nextMs } = await readDue(records.read, nowMs, share, DUE_MAX)
    const judged = due.filter((one) => this.#isJudged(one, nowMs))
    const others = due.filter((one) => !judged.includes(one)).map(({ annotation }) => annotation.id)
    if (others.length > 0) await records.transaction((db) => dropDue(db, others))
    return {
      due: judged.map((one) => ({ key: one.annotation.id, run: (signal) => this.#judge(one, signal) })),
      nextMs: due.length === DUE_MAX ? nowMs : nextMs,
    }
  }

  #isJudged({ annotation: { type, timeNs, endTimeNs = timeNs } }: DueAnnotation, nowMs: number): boolean {
    const isRecent = Number(endTimeNs / UNIT_NS.ms) > nowMs - AGE_MS_MAX
    return isRecent && (this.isRelease(type) || isSetting(type))
  }

  /** Never rejects. */
  async #judge(due: DueAnnotation, signal: AbortSignal): Promise<void> {
    const { clock, records, log } = this.#options
    const { annotation } = due
    const nowMs = clock.now()
    const fromMs = performance.now()
    const record = (result: Parameters<typeof recordVerdict>[2]) =>
      records.transaction(async (db) => {
        const recorded = await recordVerdict(db, due, result)
        if (recorded) await noticeVerdict(db, { ...annotation, ...result.judged }, { ...recorded, nowMs })
        return recorded !== undefined
      })
    try {
      // What goes on is judged when it has ended.
      if (annotation.open) return void (await record({ nextMs: nowMs + OPEN_MS }))
      const { judged, lagMs } = await this.#measurement.judge(annotation, nowMs, signal)
      if (signal.aborted) return
      const nextMs = nextLookMs({ ...annotation, ...judged }, nowMs - lagMs)
      const isNew = await record({ nextMs: nextMs && nextMs + lagMs, judged })
      const durationMs = Math.round(performance.now() - fromMs)
      if (isNew && judged) log.info({ event: 'verdict', annotationId: annotation.id, verdict: judged.verdict, durationMs })
    } catch (error) {
      if (signal.aborted) return
      log.warn({ event: 'verdict', annotationId: annotation.id, error: describeError(error) })
      const sinceMs = nowMs - due.judgeAtMs
      await record({ nextMs: nowMs + Math.max(AGAIN_MS_MIN, AGAIN_PART * sinceMs) }).catch(() => undefined)
    }
    await clock.waitUntil(clock.now() + (performance.now() - fromMs), signal)
  }
}
