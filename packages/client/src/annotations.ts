/**
 * Annotations: create exactly one, list, get, change, delete.
 */
import type { Annotation, AnnotationChange, AnnotationFilter, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import { IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/error-body'
import { type CallOptions, type Recovery, runCall, startBudget } from './calls.ts'
import type { Connection } from './connection.ts'
import { AuthError, NotFoundError } from './errors.ts'
import { around, isSame, markNow, newIdempotencyKey } from './identity.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import type { ApiRequest } from './request.ts'

export interface CreateOptions extends CallOptions {
  /** Lets a service that honors the key recognize a repeated create; by default a random one. */
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

/** Ids go into paths, outputs and logs; one that is not made of these characters was not assigned by such a service. */
export const ID_PATTERN = /^[A-Za-z0-9_.~-]{1,128}$/

/** Pauses before the first and the second lookup: a commit that was under way when the connection broke needs a moment. */
const LOOKUP_PAUSES_MS = [250, 1_000]
/** Creates that may follow an ambiguous one unseen, where the token may not list. */
const BLIND_RESENDS_MAX = 1

export function createAnnotationsClient(connection: Connection): AnnotationsClient {
  const { clock } = connection

  const list = (filter: AnnotationFilter, options: CallOptions, budget = startBudget(connection, options)) => {
    const request: ApiRequest = { method: 'GET', path: ANNOTATIONS_PATH + toQuery(filter) }
    return runCall(connection, { request, read: parseAnnotations, budget }, options)
  }

  async function create(annotation: NewAnnotation, options: CreateOptions): Promise<Annotation> {
    const marked = { ...annotation, time: annotation.time ?? markNow(clock) }
    const headers = { [IDEMPOTENCY_KEY_HEADER]: options.idempotencyKey ?? newIdempotencyKey() }
    const budget = startBudget(connection, options)
    let blindResends = 0

    async function recover(): Promise<Recovery<Annotation>> {
      try {
        for (const pauseMs of LOOKUP_PAUSES_MS) {
          await clock.sleep(Math.min(pauseMs, budget.remainingMs), budget.signal)
          const found = (await list(around(marked), options, budget)).find((listed) => isSame(listed, marked))
          if (found) return { found }
        }
        return 'absent'
      } catch (failure) {
        budget.signal.throwIfAborted()
        if (!(failure instanceof AuthError) || blindResends++ >= BLIND_RESENDS_MAX) return 'give-up'
        options.onRetry?.(failure, 0)
        return 'unknown'
      }
    }
    const request: ApiRequest = { method: 'POST', path: ANNOTATIONS_PATH, body: JSON.stringify(marked), headers }
    return runCall(connection, { request, read: parseAnnotation, budget, recover }, options)
  }

  async function remove(id: string, options: CallOptions): Promise<void> {
    let wasRepeated = false
    const onRetry: CallOptions['onRetry'] = (failure, waitMs) => {
      wasRepeated = true
      options.onRetry?.(failure, waitMs)
    }
    const request: ApiRequest = { method: 'DELETE', path: annotationPath(id) }
    try {
      await runCall(connection, { request, read: parseNothing }, { ...options, onRetry })
    } catch (error) {
      if (!(wasRepeated && error instanceof NotFoundError)) throw error
    }
  }

  return {
    create: (annotation, options = {}) => create(annotation, options),
    list: (filter = {}, options = {}) => list(filter, options),
    get: (id, options = {}) =>
      runCall(connection, { request: { method: 'GET', path: annotationPath(id) }, read: parseAnnotation }, options),
    change(id, change, options = {}) {
      const request: ApiRequest = { method: 'PUT', path: annotationPath(id), body: JSON.stringify(change) }
      return runCall(connection, { request, read: parseAnnotation }, options)
    },
    delete: (id, options = {}) => remove(id, options),
  }
}

function toQuery({ start, end, datasets }: AnnotationFilter): string {
  const query = new URLSearchParams()
  if (start !== undefined) query.set('start', start)
  if (end !== undefined) query.set('end', end)
  if (datasets && datasets.length > 0) query.set('datasets', datasets.join(','))
  return query.size === 0 ? '' : `?${query}`
}

function parseAnnotation(reply: Reply): Annotation {
  const body = parseJson(reply)
  if (!isAnnotation(body)) throw unexpected(reply, 'an annotation with an id')
  return body
}

function parseAnnotations(reply: Reply): Annotation[] {
  const body = parseJson(reply)
  if (!Array.isArray(body) || !body.every(isAnnotation)) throw unexpected(reply, 'a list of annotations')
  return body
}

function isAnnotation(body: unknown): body is Annotation {
  if (typeof body !== 'object' || body === null) return false
  const { id, datasets, time, type } = body as Record<string, unknown>
  const texts = [time, type].every((value) => typeof value === 'string')
  return typeof id === 'string' && ID_PATTERN.test(id) && texts && isTextList(datasets)
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
