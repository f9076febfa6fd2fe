/**
 * The rules of annotations, each as part of a transaction: whoever changes an annotation together with something else (a
 * monitor, a deployment) obeys the same ones. Changes merge: each is checked against what the one before it left.
 * Deliberately not here: HTTP, permissions, JSON.
 */
import { ServiceError } from '../errors.ts'
import {
  deleteAnnotation,
  findAnnotation,
  insertAnnotation,
  lockAnnotation,
  type Provenance,
  type StoredAnnotation,
  type StoredChange,
  updateAnnotation,
} from '../records/annotation-records.ts'
import type { RecordsDatabase } from '../records/records.ts'
import { checkSpan, mergeChange } from './members.ts'

/**
 * Creates the annotation under an id that was chosen before.
 * @returns the annotation as stored now, which is the earlier one where the id is taken already
 */
export async function ensureAnnotation(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  provenance: Provenance,
): Promise<StoredAnnotation> {
  checkSpan(annotation)
  if (await insertAnnotation(db, annotation, provenance)) return annotation
  return getAnnotation(db, annotation.id)
}

/** @throws ServiceError `not_found` */
export async function getAnnotation(db: RecordsDatabase, id: string): Promise<StoredAnnotation> {
  return (await findAnnotation(db, id)) ?? absent(id)
}

/** @returns the annotation after the change; @throws ServiceError `not_found`, or `invalid` for its span */
export async function changeAnnotation(db: RecordsDatabase, id: string, change: StoredChange): Promise<StoredAnnotation> {
  const before = (await lockAnnotation(db, id)) ?? absent(id)
  const after = mergeChange(before, change)
  checkSpan(after)
  await updateAnnotation(db, before, after)
  return after
}

/** @throws ServiceError `not_found` */
export async function removeAnnotation(db: RecordsDatabase, id: string): Promise<void> {
  if (!(await deleteAnnotation(db, id))) absent(id)
}

function absent(id: string): never {
  throw new ServiceError('not_found', `annotation ${id} not found`)
}
