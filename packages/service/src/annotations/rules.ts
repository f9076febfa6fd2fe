/**
 * The rules of annotations, each as part of a transaction: whoever changes an annotation together with something else (a
 * monitor, a deployment) obeys the same ones. Changes merge: each is checked against what the one before it left.
 * Deliberately not here: HTTP, permissions, JSON.
 */
import {
  deleteAnnotation,
  findAnnotation,
  insertAnnotation,
  lockAnnotation,
  type StoredAnnotation,
  type StoredChange,
  updateAnnotation,
} from '@deployment-annotations/records/annotation-records'
import type { RecordsDatabase } from '@deployment-annotations/records/records'
import { checkSpan, mergeChange } from './members.ts'
import { absent } from './reach.ts'

/**
 * Creates the annotation under an id that was chosen before.
 * @returns the annotation as stored now, which is the earlier one where the id is taken already
 */
export async function ensureAnnotation(db: RecordsDatabase, annotation: StoredAnnotation): Promise<StoredAnnotation> {
  checkSpan(annotation)
  if (await insertAnnotation(db, annotation)) return annotation
  return getAnnotation(db, annotation.id)
}

/** @throws ServiceError `not_found` */
export async function getAnnotation(db: RecordsDatabase, id: string): Promise<StoredAnnotation> {
  const found = await findAnnotation(db, id)
  if (!found) throw absent(id)
  return found
}

/**
 * @param check of the annotation as it is; what it throws keeps it so
 * @returns the annotation after the change
 * @throws ServiceError `not_found`, or `invalid` for its span
 */
export async function changeAnnotation(
  db: RecordsDatabase,
  id: string,
  change: StoredChange,
  check: (before: StoredAnnotation) => void = () => {},
): Promise<StoredAnnotation> {
  const before = await lockAnnotation(db, id)
  if (!before) throw absent(id)
  check(before)
  const after = mergeChange(before, change)
  checkSpan(after)
  await updateAnnotation(db, before, after)
  return after
}

/** @param check as of a change. @throws ServiceError `not_found` */
export async function removeAnnotation(
  db: RecordsDatabase,
  id: string,
  check: (before: StoredAnnotation) => void = () => {},
): Promise<void> {
  const before = await lockAnnotation(db, id)
  if (!before) throw absent(id)
  check(before)
  await deleteAnnotation(db, id)
}
