/**
 * Idempotency-Key: a create that is repeated with the same key and the same content is stored once.
 * The key is kept in the annotation's own row, so neither can be stored without the other, whenever the process ends; a key
 * is therefore forgotten with its annotation. Keys are remembered for 24 hours. Two service processes on one ClickHouse
 * server do not see each other's creates that are still under way.
 */
import { hashOf, InFlight } from '../concurrency/in-flight.ts'
import type { AnnotationStore, Provenance, StoredAnnotation, StoredChange } from '../store/store.ts'

const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** A create that may be repeated: the key that its caller sent, and what it asked for. */
export interface Repeat {
  key: string
  /** What the caller sent, before defaults are filled in. */
  payload: StoredChange
}

export class RepeatableCreates {
  readonly #store: AnnotationStore
  readonly #clock: () => number
  readonly #inFlight = new InFlight<StoredAnnotation>({ request: 'create', payload: 'annotation' })

  constructor(store: AnnotationStore, clock: () => number) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * @returns the annotation, or the one that the first create with this key made
   * @throws ServiceError `invalid` when the first one asked for something else, `in_flight` when it does not end in time
   */
  create(annotation: StoredAnnotation, provenance: Provenance, { key, payload }: Repeat): Promise<StoredAnnotation> {
    const mark = { key: hashOf([provenance.createdBy, key]), payload: hashOf(contentOf(payload)) }
    return this.#inFlight.once(
      { shown: key, ...mark },
      {
        find: async () => {
          const first = await this.#store.findRepeated(mark.key, this.#clock() - REMEMBERED_MS)
          return first && { payload: first.payload, result: first.annotation }
        },
        make: async () => {
          await this.#store.create(annotation, { ...provenance, repeat: mark })
          return annotation
        },
      },
    )
  }
}

/** The members in one order, so that the same content has the same hash however it was written. */
function contentOf({ datasets, timeNs, endTimeNs, title, description, type, url }: StoredChange): unknown[] {
  return [datasets, timeNs?.toString(), endTimeNs?.toString(), title, description, type, url]
}
