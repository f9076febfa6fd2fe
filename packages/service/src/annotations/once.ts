/**
 * Idempotency-Key: a create that is repeated with the same key and the same content is stored once.
 * The key is kept in the annotation's own row, so neither can be stored without the other, whenever the process ends; a key
 * is therefore forgotten with its annotation. Keys are remembered for 24 hours. Two service processes on one ClickHouse
 * server do not see each other's creates that are still under way.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import type { AnnotationStore, Provenance, RepeatMark, StoredAnnotation, StoredChange } from '../store/store.ts'

const REMEMBERED_MS = 24 * 60 * 60 * 1_000
/** How long a repeat waits for the first one to end before it is told to come again. */
const WAIT_MS_MAX = 2_000

/** A create that may be repeated: the key that its caller sent, and what it asked for. */
export interface Repeat {
  key: string
  /** What the caller sent, before defaults are filled in. */
  payload: StoredChange
}

export interface Once {
  /**
   * @returns the annotation, or the one that the first create with this key made
   * @throws ServiceError `invalid` when the first one asked for something else, `in_flight` when it does not end in time
   */
  create(annotation: StoredAnnotation, provenance: Provenance, repeat: Repeat): Promise<StoredAnnotation>
}

interface Running {
  payload: string
  made: Promise<StoredAnnotation>
}

export function createOnce(store: AnnotationStore, clock: () => number): Once {
  const running = new Map<string, Running>()

  async function make(
    annotation: StoredAnnotation,
    provenance: Provenance,
    mark: RepeatMark,
    key: string,
  ): Promise<StoredAnnotation> {
    const first = await store.findRepeated(mark.key, clock() - REMEMBERED_MS)
    if (first) {
      if (first.payload !== mark.payload) throw otherPayload(key)
      return first.annotation
    }
    await store.create(annotation, { ...provenance, repeat: mark })
    return annotation
  }
  return {
    async create(annotation, provenance, { key, payload }) {
      const mark = { key: hash([provenance.createdBy, key]), payload: hash(contentOf(payload)) }
      for (;;) {
        const first = running.get(mark.key)
        if (!first) break
        if (first.payload !== mark.payload) throw otherPayload(key)
        const made = await settled(first.made, key)
        if (made) return made
        // The first one failed and stored nothing that was acknowledged: this one looks for itself.
      }
      const made = make(annotation, provenance, mark, key)
      running.set(mark.key, { payload: mark.payload, made })
      try {
        return await made
      } finally {
        running.delete(mark.key)
      }
    },
  }
}

async function settled(made: Promise<StoredAnnotation>, key: string): Promise<StoredAnnotation | undefined> {
  const late = Symbol('late')
  const giveUp = new AbortController()
  const outcome = await Promise.race([made.catch(() => undefined), sleep(WAIT_MS_MAX, late, { signal: giveUp.signal })])
  giveUp.abort()
  if (outcome !== late) return outcome as StoredAnnotation | undefined
  throw new ServiceError('in_flight', `the first create with Idempotency-Key ${JSON.stringify(key)} is still under way`, {
    headers: { 'retry-after': '1' },
  })
}

function otherPayload(key: string): ServiceError {
  return new ServiceError('invalid', `Idempotency-Key ${JSON.stringify(key)} was used for another annotation; use a new key`)
}

/** The members in one order, so that the same content has the same hash however it was written. */
function contentOf({ datasets, timeNs, endTimeNs, title, description, type, url }: StoredChange): unknown[] {
  return [datasets, timeNs?.toString(), endTimeNs?.toString(), title, description, type, url]
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
