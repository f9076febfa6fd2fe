/**
 * Annotations as the service offers them: each operation checks what the caller may do, and is a transaction of its own, made of those
 * in rules.ts. Deliberately not here: HTTP, JSON.
 */

import type { AnnotationJob } from '@deployment-annotations/contract/annotation-job'
import { DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Permission } from '@deployment-annotations/contract/permission'
import { listAnnotations } from '@deployment-annotations/records/annotations/annotation-lists'
import {
  findByPrefix,
  type ListPosition,
  listUnmarked,
  type StoredAnnotation,
  type StoredChange,
  type StoredFilter,
} from '@deployment-annotations/records/annotations/annotation-records'
import type { Records } from '@deployment-annotations/records/database/records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { newId, numberOf, prefixOf } from '../wire/ids.ts'
import { hasTags } from '../wire/tags.ts'
import { checkSpan, mergeChange } from './requests.ts'
import {
  addAnnotation,
  annotationNotFound,
  changeAnnotation,
  createOnce,
  findByKey,
  getAnnotation,
  isReachable,
  putAnnotation,
  type Repeat,
  removeAnnotation,
} from './rules.ts'

/** How many rows are read at a time, so that a long list never keeps others from the records for long. */
const PAGE_ROWS = 1_000

/** The permission that a token needs to list annotations, and to query them. */
export const LIST_PERMISSION = 'annotations|read'

interface ListOptions {
  /** Only annotations of whose datasets this is true are listed. */
  isShown?: ((dataset: string) => boolean) | undefined
  /** Ascending by default. */
  order?: 'asc' | 'desc' | undefined
  /** The list begins after this one, in its order. */
  after?: ListPosition | undefined
  /** How many are listed at most. */
  limit?: number | undefined
  /** How many are probably enough: they are read first, and then more at a time. */
  rows?: number
}

/** The key of an annotation, and which job says it, where several share the annotation. */
interface Keyed {
  key: string
  job: AnnotationJob | undefined
}

export class Annotations {
  readonly #records: Records
  readonly #clock: () => number

  /** @param clock milliseconds since the epoch */
  constructor(records: Records, clock: () => number) {
    this.#records = records
    this.#clock = clock
  }

  #build(members: StoredChange, by: Caller): StoredAnnotation {
    const { datasets, type } = members
    if (!datasets || !type) throw new Error('a create without datasets or type passed its schema')
    const createdAtMs = this.#clock()
    const made = { id: newId('annotation', createdAtMs), createdAtMs, createdBy: by.id }
    const fresh = { timeNs: BigInt(createdAtMs) * UNIT_NS.ms, ...members, datasets, type, ...made }
    const annotation = mergeChange(fresh, {})
    checkSpan(annotation)
    requireAll(annotation.datasets, 'annotations|create', by)
    return annotation
  }

  /**
   * @param members `datasets` and `type` are there
   * @param repeat the key of a create that may be repeated: a repeat is answered with the annotation of the first one
   * @throws ServiceError `forbidden` for a dataset that the caller may not mark, as `put` and `change` do
   */
  async create(members: StoredChange, by: Caller, repeat?: Repeat): Promise<StoredAnnotation> {
    const annotation = this.#build(members, by)
    if (repeat) return this.#records.transaction((db) => createOnce(db, annotation, repeat), 'soon')
    const isStored = await this.#records.transaction((db) => addAnnotation(db, annotation), 'soon')
    if (!isStored) throw new Error(`the new id ${annotation.id} is taken`)
    return annotation
  }

  /** Replaces the annotation with this key, or creates it; what one of several jobs says is merged. @param members as of a create */
  async put(members: StoredChange, by: Caller, { key, job }: Keyed): Promise<{ annotation: StoredAnnotation; isNew: boolean }> {
    const annotation = this.#build(members, by)
    const check = (before: StoredAnnotation) => requireChangeable(before, 'annotations|update', by)
    return this.#records.transaction((db) => putAnnotation(db, annotation, { key, limit: by.limit, job, check }), 'soon')
  }

  /** @returns the one that the caller's `put` with this key would replace; one that it does not reach is as if it were not there */
  findByKey(key: string, { limit }: Caller): Promise<StoredAnnotation | undefined> {
    return findByKey(this.#records.read, { key, limit })
  }

  /** @returns pages, by time, then id; none is empty, and an annotation whose time changes meanwhile is listed at most once */
  list(filter: StoredFilter, options?: ListOptions): AsyncGenerator<StoredAnnotation[], void> {
    return listPages(this.#records, filter, options)
  }

  /** @returns those of the datasets that are on no other annotation than this one */
  listUnmarked(names: readonly string[], id: string): Promise<string[]> {
    return listUnmarked(this.#records.read, names, id)
  }

  /** @throws ServiceError `not_found` */
  async get(id: string, by: Caller): Promise<StoredAnnotation> {
    return requireReachable(await getAnnotation(this.#records.read, id), by)
  }

  /** Finds the annotation for which `numberOf` gives this. @throws ServiceError `not_found`, also where several have this number */
  async getByNumber(number: number, by: Caller): Promise<StoredAnnotation> {
    const alike = await findByPrefix(this.#records.read, prefixOf(number))
    const [found, other] = alike.filter(({ id }) => numberOf(id) === number)
    if (!found || other) throw annotationNotFound(`with the number ${number}`)
    return requireReachable(found, by)
  }

  /** @returns the annotation after the change; @throws ServiceError `not_found`, or `invalid` for its span */
  change(id: string, change: StoredChange, by: Caller): Promise<StoredAnnotation> {
    const check = (before: StoredAnnotation) => {
      requireChangeable(before, 'annotations|update', by)
      requireAll(change.datasets ?? [], 'annotations|update', by)
    }
    return this.#records.transaction((db) => changeAnnotation(db, id, change, check), 'soon')
  }

  /** @throws ServiceError `not_found`, `forbidden` */
  remove(id: string, by: Caller): Promise<void> {
    const check = (before: StoredAnnotation) => requireChangeable(before, 'annotations|delete', by)
    return this.#records.transaction((db) => removeAnnotation(db, id, check), 'soon')
  }
}

async function* listPages(
  { read }: Records,
  filter: StoredFilter,
  { isShown, order, after: first, limit = Number.POSITIVE_INFINITY, rows: firstRows = limit }: ListOptions = {},
): AsyncGenerator<StoredAnnotation[], void> {
  const listed = new Set<string>()
  let rows = Math.min(PAGE_ROWS, firstRows)
  for (let after = first, sliceFrom = performance.now(); ; sliceFrom = await endSlice(sliceFrom)) {
    const page = await listAnnotations(read, filter, { limit: rows, after, order })
    const fresh = page.filter(
      (one) => !listed.has(one.id) && (!isShown || one.datasets.every(isShown)) && hasTags(one, filter.tags),
    )
    const some = fresh.slice(0, limit - listed.size)
    if (some.length > 0) yield some
    after = page.at(-1)
    for (const { id } of some) listed.add(id)
    if (!after || page.length < rows || listed.size >= limit) return
    rows = Math.min(PAGE_ROWS, rows * 2)
  }
}

/*
 * A token that is limited to datasets reaches some annotations only. It may read an annotation of several datasets if it reaches one of
 * them, on whose chart the annotation is; it may make, change or delete one if it reaches all, because that changes every chart.
 */

/** @returns the annotation; @throws ServiceError `not_found`, as if it were not there, where the caller reaches none of its datasets */
function requireReachable(annotation: StoredAnnotation, { limit }: Caller): StoredAnnotation {
  if (isReachable(annotation, limit)) return annotation
  throw annotationNotFound(annotation.id)
}

/** @throws ServiceError `forbidden` naming the first of the datasets that the caller may not mark */
function requireAll(datasets: readonly string[], permission: Permission, caller: Caller): void {
  for (const name of datasets) caller.require(permission, '', name)
}

/** @throws ServiceError `not_found` or `forbidden`, as the functions above */
function requireChangeable(annotation: StoredAnnotation, permission: Permission, caller: Caller): void {
  const { datasets } = requireReachable(annotation, caller)
  requireAll(
    datasets.filter((name) => !DELETED_NAME_PATTERN.test(name)),
    permission,
    caller,
  )
}

/** @returns the filter, limited to the datasets of the caller; @throws ServiceError `forbidden` where it asks for others */
export function withinReach(filter: StoredFilter, caller: Caller): StoredFilter {
  if (!caller.limit) return filter
  requireAll(filter.datasets ?? [], 'annotations|read', caller)
  return { ...filter, datasets: filter.datasets ?? caller.limit }
}
