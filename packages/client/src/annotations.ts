/**
 * Annotations: create exactly one, list, get, change, delete.
 */
import { randomUUID } from 'node:crypto'
import type { Annotation, AnnotationChange, AnnotationFilter, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import { IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/error-body'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Budget } from './budget.ts'
import { type CallOptions, runCall, type Settings, startBudget } from './calls.ts'
import type { Clock } from './clock.ts'
import { AuthError, type ClientError, NotFoundError } from './errors.ts'
import { parseAnnotation, parseAnnotations, parseNothing } from './reply.ts'
import type { Call } from './request.ts'

export interface CreateOptions extends CallOptions {
  /** Lets a service that honours the key recognise a repeated create; chosen at random by default. */
  idempotencyKey?: string
}

export interface AnnotationsClient {
  /**
   * Creates one annotation, and exactly one however often the request has to be sent: time and body are chosen once, and
   * where it is not known whether a request took effect, the annotation is looked for before it is sent again.
   * Without `time` it marks now, with random digits below the millisecond that tell equal annotations apart.
   */
  create(annotation: NewAnnotation, options?: CreateOptions): Promise<Annotation>
  /** Lists annotations, the earliest first. */
  list(filter?: AnnotationFilter, options?: CallOptions): Promise<Annotation[]>
  get(id: string, options?: CallOptions): Promise<Annotation>
  /** Sets the given members and keeps the others; may be repeated. @returns the whole annotation after the change */
  change(id: string, change: AnnotationChange, options?: CallOptions): Promise<Annotation>
  /** Deletes an annotation; one that a lost earlier try of this call has deleted is not an error. */
  delete(id: string, options?: CallOptions): Promise<void>
}

/** Pauses before the first and the second look: a commit that was under way when the connection broke needs a moment. */
const LOOK_PAUSES_MS = [250, 1_000]
/** How far from the annotation's own time a look searches: services may cut the digits of a time. */
const LOOK_WINDOW_NS = 1_000_000_000n
/** Creates that may follow an ambiguous one unseen, where the token may not list. */
const BLIND_RESENDS_MAX = 1

export function createAnnotationsClient(settings: Settings): AnnotationsClient {
  const { clock } = settings

  const list = (filter: AnnotationFilter, options: CallOptions, budget?: Budget) => {
    const call: Call = { method: 'GET', path: ANNOTATIONS_PATH + toQuery(filter) }
    return runCall(settings, call, parseAnnotations, options, budget ? { budget } : {})
  }

  async function create(annotation: NewAnnotation, options: CreateOptions): Promise<Annotation> {
    const marked = { ...annotation, time: annotation.time ?? markNow(clock) }
    const headers = { [IDEMPOTENCY_KEY_HEADER]: options.idempotencyKey ?? randomUUID() }
    const budget = startBudget(settings, options)
    let blindResends = 0

    async function recover(error: ClientError): Promise<Annotation | undefined> {
      try {
        for (const pauseMs of LOOK_PAUSES_MS) {
          await clock.sleep(Math.min(pauseMs, budget.remainingMs()), budget.signal)
          const found = (await list(around(marked), options, budget)).find((listed) => isSame(listed, marked))
          if (found) return found
        }
        return undefined
      } catch (failedLook) {
        budget.signal.throwIfAborted()
        if (!(failedLook instanceof AuthError) || blindResends++ >= BLIND_RESENDS_MAX) throw error
        options.onRetry?.(failedLook, 0)
        return undefined
      }
    }
    const call: Call = { method: 'POST', path: ANNOTATIONS_PATH, body: JSON.stringify(marked), headers }
    return runCall(settings, call, parseAnnotation, options, { budget, recover })
  }

  async function remove(id: string, options: CallOptions): Promise<void> {
    let repeated = false
    const noteRetry: CallOptions['onRetry'] = (error, waitMs) => {
      repeated = true
      options.onRetry?.(error, waitMs)
    }
    try {
      await runCall(settings, { method: 'DELETE', path: annotationPath(id) }, parseNothing, { ...options, onRetry: noteRetry })
    } catch (error) {
      if (!(repeated && error instanceof NotFoundError)) throw error
    }
  }

  return {
    create: (annotation, options = {}) => create(annotation, options),
    list: (filter = {}, options = {}) => list(filter, options),
    get: (id, options = {}) => runCall(settings, { method: 'GET', path: annotationPath(id) }, parseAnnotation, options),
    change: (id, change, options = {}) =>
      runCall(settings, { method: 'PUT', path: annotationPath(id), body: JSON.stringify(change) }, parseAnnotation, options),
    delete: (id, options = {}) => remove(id, options),
  }
}

/** Now, to the nanosecond: the digits below the clock's millisecond are random, so that no two marks are alike. */
export function markNow(clock: Clock): string {
  return formatTimestamp(BigInt(clock.now()) * 1_000_000n + BigInt(Math.floor(clock.random() * 1_000_000)))
}

/** Whether a listed annotation is the one that was sent: the same in every member that was sent, times to the microsecond. */
export function isSame(listed: Annotation, sent: NewAnnotation): boolean {
  const sameTime = (a?: string, b?: string) => a === b || (a !== undefined && b !== undefined && micros(a) === micros(b))
  const set = (names: readonly string[]) => [...new Set(names.map((name) => name.trim()))].sort().join()
  return (
    listed.type === sent.type &&
    set(listed.datasets) === set(sent.datasets) &&
    sameTime(listed.time, sent.time) &&
    sameTime(listed.endTime, sent.endTime) &&
    (listed.title ?? '') === (sent.title ?? '') &&
    (listed.description ?? '') === (sent.description ?? '') &&
    (listed.url ?? '') === (sent.url ?? '')
  )
}

function micros(time: string): bigint | undefined {
  const ns = parseTimestamp(time)
  return ns === undefined ? undefined : ns / 1_000n
}

/** The window and the datasets in which an annotation that was sent must be listed. */
export function around({ time, datasets }: { time: string; datasets: readonly string[] }): AnnotationFilter {
  const ns = parseTimestamp(time)
  if (ns === undefined) return { datasets }
  return { start: formatTimestamp(ns - LOOK_WINDOW_NS), end: formatTimestamp(ns + LOOK_WINDOW_NS), datasets }
}

function toQuery({ start, end, datasets }: AnnotationFilter): string {
  const query = new URLSearchParams()
  if (start !== undefined) query.set('start', start)
  if (end !== undefined) query.set('end', end)
  if (datasets && datasets.length > 0) query.set('datasets', datasets.join(','))
  return query.size === 0 ? '' : `?${query}`
}
