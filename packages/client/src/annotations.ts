/**
 * Annotations: create exactly one, keep one for a key, list, get, change, delete.
 */
import type { Annotation, AnnotationChange, AnnotationFilter, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { ANNOTATION_KEY_FORM, ANNOTATION_KEY_PATTERN } from '@deployment-annotations/contract/header'
import {
  type AnnotationCallOptions,
  changeAnnotation,
  deleteAnnotation,
  getAnnotation,
  type ListPart,
  listAnnotations,
  redactTexts,
} from './annotation-calls.ts'
import { type CallOptions, startContext } from './calls.ts'
import type { Connection } from './connection.ts'
import { createOnce, newIdempotencyHeaders } from './create-once.ts'
import { ConfigError } from './errors.ts'
import { markNow } from './identity.ts'
import type { Said } from './merge-said.ts'
import { findByKey, putByKey } from './put-by-key.ts'

export interface CreateOptions extends AnnotationCallOptions {
  /** Lets a service that honors the key recognize a repeated create; by default a random one. */
  idempotencyKey?: string
}

export interface AnnotationPagesOptions extends AnnotationCallOptions, Pick<ListPart, 'pageSize' | 'order'> {}

export interface PutOptions extends AnnotationCallOptions, Pick<Said, 'job'> {
  /** Known where the caller has put the annotation before: for a token that may not list. */
  id?: string | undefined
}

export interface AnnotationsClient {
  /**
   * Creates one annotation, and exactly one however often the request has to be sent: time and body are chosen once, and
   * where it is not known whether a request took effect, the annotation is looked for before it is sent again.
   * Without `time` it marks now, with random digits below the millisecond that tell equal annotations apart.
   */
  create(annotation: NewAnnotation, options?: CreateOptions): Promise<Annotation>
  /**
   * Sees to it that there is one annotation with this key and that it says this: creates it, or changes the one that is there.
   * Our service keeps that rule itself, at any number of requests at once; elsewhere it is kept by looking through the annotations
   * that share a dataset with it, from 35 days before to one day after.
   * With `job`, what several jobs of one attempt of a run say is merged: failure sticks, the start is the first, the end the last,
   * datasets are united, and each job's line stays; what a job of the same name said in an earlier attempt is replaced, and another run
   * begins it afresh.
   * @param key 1 to 128 visible ASCII characters, with spaces only between them
   * @throws ConfigError for another key; nothing is sent then
   */
  put(key: string, annotation: NewAnnotation, options?: PutOptions): Promise<{ annotation: Annotation; isNew: boolean }>
  /**
   * @param near a time that is not far from it, by default now, and datasets of which it has one. A service that does not know keys
   *   is searched from 35 days before to one day after
   * @returns the annotations with this key: one at most, but for those that a race or a kill left behind; the first one counts
   */
  listByKey(key: string, near?: { time?: string; datasets?: readonly string[] }, options?: CallOptions): Promise<Annotation[]>
  /** Lists annotations, the earliest first. */
  list(filter?: AnnotationFilter, options?: AnnotationCallOptions): Promise<Annotation[]>
  /**
   * The same list page by page, the latest first with `order: 'desc'`; whoever stops reading asks for no more. Each page has a budget of
   * its own. A service that has no pages answers one, with all of them, the earliest first.
   * @param options `pageSize`: how many annotations a page has at most, by default 1,000, at most 10,000
   */
  pages(filter?: AnnotationFilter, options?: AnnotationPagesOptions): AsyncGenerator<Annotation[], void>
  get(id: string, options?: AnnotationCallOptions): Promise<Annotation>
  /** Sets the given members and keeps the others; may be repeated. @returns the whole annotation after the change */
  change(id: string, change: AnnotationChange, options?: AnnotationCallOptions): Promise<Annotation>
  /** Deletes an annotation; one that a lost earlier try of this call has deleted is not an error. */
  delete(id: string, options?: CallOptions): Promise<void>
}

/** How many annotations a page has. */
const PAGE_SIZE = 1_000

export function createAnnotationsClient(connection: Connection): AnnotationsClient {
  const timed = <T extends { time?: string }>(annotation: T) => ({
    ...annotation,
    time: annotation.time ?? markNow(connection.clock),
  })
  const start = (options: AnnotationCallOptions) => startContext(connection, options)
  return {
    async create(annotation, options = {}) {
      const headers = newIdempotencyHeaders(options.idempotencyKey)
      return redactTexts(connection, (await createOnce(start(options), timed(annotation), headers)).annotation)
    },
    async put(key, annotation, { job, id, ...options } = {}) {
      const said = { key: checkKey(key), job, annotation: timed(annotation) }
      const stored = await putByKey(start(options), said, id)
      return { annotation: redactTexts(connection, stored.annotation), isNew: stored.isNew }
    },
    listByKey: async (key, near = {}, options = {}) => (await findByKey(start(options), checkKey(key), timed(near))).copies,
    list: async (filter = {}, options = {}) => (await listAnnotations(start(options), filter)).annotations,
    async *pages(filter = {}, { pageSize = PAGE_SIZE, order, ...options } = {}) {
      for (let cursor: string | undefined; ; ) {
        const page = await listAnnotations(start(options), filter, { pageSize, order, pageCursor: cursor })
        if (page.annotations.length > 0) yield page.annotations
        if (page.cursor === undefined || page.cursor === cursor) return
        cursor = page.cursor
      }
    },
    get: (id, options = {}) => getAnnotation(start(options), id),
    change: async (id, change, options = {}) => (await changeAnnotation(start(options), id, change)).annotation,
    delete: (id, options = {}) => deleteAnnotation(start(options), id),
  }
}

function checkKey(key: string): string {
  if (ANNOTATION_KEY_PATTERN.test(key)) return key
  throw new ConfigError(`the key ${JSON.stringify(key)} is not ${ANNOTATION_KEY_FORM}`)
}
