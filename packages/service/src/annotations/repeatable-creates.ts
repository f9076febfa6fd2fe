/**
 * Idempotency-Key: a create that is repeated with the same key and the same content is stored once, whichever service it comes
 * to. The key is kept in the annotation's own row and is unique, so neither can be stored without the other, and of two
 * creates at one moment one finds the other; a key is forgotten with its annotation. Keys are remembered for 24 hours.
 */

import {
  findRepeated,
  forgetRepeat,
  insertAnnotation,
  type StoredAnnotation,
  type StoredChange,
} from '@deployment-annotations/records/annotation-records'
import type { RecordsDatabase } from '@deployment-annotations/records/records'
import { hashOf, REMEMBERED_MS, reusedKey } from '@deployment-annotations/runtime/concurrency/in-flight'

/** A create that may be repeated: the key that its caller sent, and what it asked for. */
export interface Repeat {
  key: string
  /** What the caller sent, before defaults are filled in. */
  payload: StoredChange
}

/**
 * Part of a transaction.
 * @returns the annotation, or the one that the first create with this key made
 * @throws ServiceError `invalid` when the first one asked for something else
 */
export async function createOnce(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  { key: shown, payload }: Repeat,
): Promise<StoredAnnotation> {
  const repeat = { key: hashOf([annotation.createdBy, shown]), payload: hashOf(contentOf(payload)) }
  if (await insertAnnotation(db, annotation, repeat)) return annotation
  const first = await findRepeated(db, repeat.key)
  // None: it was deleted a moment ago, and its key with it.
  if (!first || first.annotation.createdAtMs < annotation.createdAtMs - REMEMBERED_MS) {
    await forgetRepeat(db, repeat.key)
    if (await insertAnnotation(db, annotation, repeat)) return annotation
    throw new Error(`the new id ${annotation.id} is taken`)
  }
  if (first.payload !== repeat.payload) throw reusedKey(shown, 'annotation')
  return first.annotation
}

/** The members in one order, so that the same content has the same hash however it was written. */
function contentOf({ datasets, timeNs, endTimeNs, title, description, type, url }: StoredChange): unknown[] {
  return [datasets, timeNs?.toString(), endTimeNs?.toString(), title, description, type, url]
}
