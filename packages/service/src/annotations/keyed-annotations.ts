/**
 * Annotation-Key: one annotation for a key, whoever creates it. A create with a key that is taken replaces what its annotation
 * says and keeps its id, so that the jobs of a matrix make one mark and a run that is repeated changes it. The key stands in the
 * annotation's own row, where the key of a repeat stands otherwise: it is unique, is forgotten with its annotation, and never expires.
 */

import {
  findRepeated,
  insertAnnotation,
  lockAnnotation,
  type StoredAnnotation,
  updateAnnotation,
} from '@deployment-annotations/records/annotation-records'
import type { RecordsDatabase } from '@deployment-annotations/records/records'
import { hashOf } from '@deployment-annotations/runtime/concurrency/in-flight'

/** Of creates of one key at one moment, a deletion may come between every two; more than so many tries say that something is broken. */
const TRIES_MAX = 5

/**
 * Part of a transaction.
 * @param annotation with a new id, which it gets unless the key has an annotation: that one keeps its own, and who made it
 * @param check of the annotation that would be replaced; what it throws keeps it as it is
 * @returns the annotation as stored now, and whether the key had none
 */
export async function putAnnotation(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  { key, check }: { key: string; check: (before: StoredAnnotation) => void },
): Promise<{ annotation: StoredAnnotation; isNew: boolean }> {
  const repeat = { key: hashOfKey(key), payload: '' }
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (await insertAnnotation(db, annotation, repeat)) return { annotation, isNew: true }
    const found = await findByKey(db, key)
    const before = found && (await lockAnnotation(db, found.id))
    if (!before) continue
    check(before)
    const { id, createdAtMs, createdBy } = before
    const after = { ...annotation, id, createdAtMs, createdBy }
    await updateAnnotation(db, before, after)
    return { annotation: after, isNew: false }
  }
  throw new Error(`the annotation with the key ${JSON.stringify(key)} came and went ${TRIES_MAX} times`)
}

export async function findByKey(db: RecordsDatabase, key: string): Promise<StoredAnnotation | undefined> {
  return (await findRepeated(db, hashOfKey(key)))?.annotation
}

/** No token has such an id, so that it is the hash of no Idempotency-Key. */
function hashOfKey(key: string): string {
  return hashOf(['annotation-key', key])
}
