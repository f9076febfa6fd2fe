/**
 * The rules of annotations over a store: creates that are stored once, changes that merge, spans that do not end before
 * they start. Deliberately not here: HTTP, permissions, JSON.
 */
import { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import { ServiceError } from '../errors.ts'
import type { AnnotationStore, ListPosition, StoredAnnotation, StoredChange, StoredFilter } from '../store/store.ts'
import { checkSpan, mergeChange } from './members.ts'
import { type Repeat, RepeatableCreates } from './repeatable-creates.ts'

const NS_PER_MS = 1_000_000n
/** Rows that the store is asked for at a time, so that a long list never keeps it from others for long. */
const PAGE_ROWS = 5_000

export interface Annotations {
  /**
   * @param members `datasets` and `type` are there
   * @param repeat makes a repeat of the same create be answered with the first one's annotation
   */
  create(members: StoredChange, createdBy: string, repeat?: Repeat): Promise<StoredAnnotation>
  /**
   * Creates the annotation under an id that was chosen, and written down, before: after a crash it is simply asked for again.
   * @returns the annotation as stored now, which is the earlier one where the id is taken already
   */
  ensure(annotation: StoredAnnotation, createdBy: string): Promise<StoredAnnotation>
  /** Pages, ascending by time, then id; none is empty. An annotation whose time is changed meanwhile is listed at most once. */
  list(filter: StoredFilter): AsyncGenerator<StoredAnnotation[], void>
  /** @throws ServiceError `not_found` */
  get(id: string): Promise<StoredAnnotation>
  /** @returns the annotation after the change; @throws ServiceError `not_found`, or `invalid` for its span */
  change(id: string, change: StoredChange): Promise<StoredAnnotation>
  /** @throws ServiceError `not_found` */
  remove(id: string): Promise<void>
}

interface AnnotationsOptions {
  store: AnnotationStore
  clock: () => number
  newId: () => string
}

export function createAnnotations({ store, clock, newId }: AnnotationsOptions): Annotations {
  const repeatable = new RepeatableCreates(store, clock)
  // Changes of one annotation come one after the other, so that each is checked against what the one before it left.
  const mutex = new KeyedMutex()

  async function get(id: string): Promise<StoredAnnotation> {
    const annotation = await store.find(id)
    if (!annotation) throw new ServiceError('not_found', `there is no annotation ${id}`)
    return annotation
  }
  return {
    async create(members, createdBy, repeat) {
      const createdAtMs = clock()
      const { datasets, type } = members
      if (!datasets || !type) throw new Error('a create without datasets or type passed its schema')
      const fresh = { timeNs: BigInt(createdAtMs) * NS_PER_MS, ...members, id: newId(), datasets, type }
      const annotation = mergeChange(fresh, {})
      checkSpan(annotation)
      if (repeat) return repeatable.create(annotation, { createdAtMs, createdBy }, repeat)
      await store.create(annotation, { createdAtMs, createdBy })
      return annotation
    },

    ensure: (annotation, createdBy) =>
      mutex.run(annotation.id, async () => {
        const earlier = await store.find(annotation.id)
        if (earlier) return earlier
        checkSpan(annotation)
        await store.create(annotation, { createdAtMs: clock(), createdBy })
        return annotation
      }),

    list: (filter) => listPages(store, filter),

    get,

    change: (id, change) =>
      mutex.run(id, async () => {
        const merged = mergeChange(await get(id), change)
        checkSpan(merged)
        await store.change(id, change)
        return merged
      }),

    remove: (id) =>
      mutex.run(id, async () => {
        await get(id)
        await store.remove(id)
      }),
  }
}

async function* listPages(store: AnnotationStore, filter: StoredFilter): AsyncGenerator<StoredAnnotation[], void> {
  const listed = new Set<string>()
  for (let after: ListPosition | undefined; ; ) {
    const page = await store.list(filter, PAGE_ROWS, after)
    const fresh = page.filter(({ id }) => !listed.has(id))
    if (fresh.length > 0) yield fresh
    after = page.at(-1)
    if (!after || page.length < PAGE_ROWS) return
    for (const { id } of fresh) listed.add(id)
  }
}
