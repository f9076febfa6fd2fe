/**
 * The operations on annotations as parts of a transaction, so that code which changes an annotation together with something else (a
 * monitor, a deployment) obeys the same rules. Changes merge: each is checked against the result of the one before it.
 * Deliberately not here: HTTP, permissions, JSON.
 */
import { ANNOTATION_DATASETS_MAX } from '@deployment-annotations/contract/annotation'
import type { AnnotationJob } from '@deployment-annotations/contract/annotation-job'
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  type AnnotationContent,
  deleteAnnotation,
  findAnnotation,
  findRepeated,
  forgetRepeat,
  insertAnnotation,
  lockAnnotation,
  lockWithPayload,
  type RepeatMark,
  type StoredAnnotation,
  type StoredChange,
  updateAnnotation,
} from '@deployment-annotations/records/annotations/annotation-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { hashOf, REMEMBERED_MS, requireSame } from '@deployment-annotations/runtime/concurrency/in-flight'
import { invalid, ServiceError } from '@deployment-annotations/runtime/errors'
import { noticeChange } from '../outbox/notices.ts'
import { beginState, changeState, type JointAnnotation, mergeStates, parseState, readState } from './joint-annotation.ts'
import { checkSpan, mergeChange } from './requests.ts'

/**
 * Creates the annotation under an id that was chosen before.
 * @returns the annotation as stored now, which is the earlier one where the id is taken already
 */
export async function ensureAnnotation(db: RecordsDatabase, annotation: StoredAnnotation): Promise<StoredAnnotation> {
  checkSpan(annotation)
  if (await addAnnotation(db, annotation)) return annotation
  return getAnnotation(db, annotation.id)
}

/** @returns whether it was stored, as insertAnnotation does */
export async function addAnnotation(db: RecordsDatabase, annotation: StoredAnnotation, repeat?: RepeatMark): Promise<boolean> {
  const isStored = await insertAnnotation(db, annotation, repeat)
  if (isStored) await noticeChange(db, undefined, annotation)
  return isStored
}

/** @throws ServiceError `not_found` */
export async function getAnnotation(db: RecordsDatabase, id: string): Promise<StoredAnnotation> {
  const found = await findAnnotation(db, id)
  if (!found) throw annotationNotFound(id)
  return found
}

/**
 * @param check called with the annotation before the change; if it throws, nothing is changed
 * @returns the annotation after the change
 * @throws ServiceError `not_found`, or `invalid` for its span
 */
export async function changeAnnotation(
  db: RecordsDatabase,
  id: string,
  change: StoredChange,
  check: (before: StoredAnnotation) => void = () => {},
): Promise<StoredAnnotation> {
  const locked = await lockWithPayload(db, id)
  if (!locked) throw annotationNotFound(id)
  const { annotation: before, payload } = locked
  check(before)
  const stored = readShared(payload, before)
  const state = stored && changeState(stored, change)
  const after = state ? withContent(before, readState(state)) : mergeChange(before, change)
  checkSpan(after)
  await updateAnnotation(db, before, after, state && JSON.stringify(state))
  await noticeChange(db, before, after)
  return after
}

/** @param check as of {@link changeAnnotation}. @throws ServiceError `not_found` */
export async function removeAnnotation(
  db: RecordsDatabase,
  id: string,
  check: (before: StoredAnnotation) => void = () => {},
): Promise<void> {
  const before = await lockAnnotation(db, id)
  if (!before) throw annotationNotFound(id)
  check(before)
  await deleteAnnotation(db, id)
}

/** A create that may be repeated. */
export interface Repeat {
  /** The Idempotency-Key that the caller sent. */
  key: string
  /** The members that the caller sent, before defaults are filled in. */
  payload: StoredChange
}

/**
 * Creates an annotation once, however often the create is repeated with the same key and the same content, whichever service each
 * comes to. The key is kept in the annotation's own row and is unique, so neither can be stored without the other, and of two creates
 * at one moment one finds the other; a key is forgotten with its annotation. Keys are remembered for 24 hours.
 * @returns the annotation, or the one that the first create with this key made
 * @throws ServiceError `invalid` when the first one asked for something else
 */
export async function createOnce(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  { key: shown, payload }: Repeat,
): Promise<StoredAnnotation> {
  const repeat = { key: hashOf([annotation.createdBy, shown]), payload: hashOf(contentOf(payload)) }
  if (await addAnnotation(db, annotation, repeat)) return annotation
  const first = await findRepeated(db, repeat.key)
  // Without a first one, it was deleted a moment ago, and its key with it.
  if (!first || first.annotation.createdAtMs < annotation.createdAtMs - REMEMBERED_MS) {
    await forgetRepeat(db, repeat.key)
    if (await addAnnotation(db, annotation, repeat)) return annotation
    throw new Error(`the new id ${annotation.id} is taken`)
  }
  requireSame({ shown, ...repeat }, first.payload, 'annotation')
  return first.annotation
}

/** @returns the members in one order, so that the same content has the same hash however it was written */
function contentOf({ datasets, timeNs, endTimeNs, title, description, type, url, open, ...own }: StoredChange): unknown[] {
  const { service, environment, version, tags } = own
  const said = [service, environment, version, tags]
  const more = said.some((one) => one !== undefined) ? [open, ...said] : open ? [open] : []
  return [datasets, timeNs?.toString(), endTimeNs?.toString(), title, description, type, url, ...more]
}

/** A deletion may come between two creates of one key. If that happens this often in a row, something is broken. */
const TRIES_MAX = 5

/** The datasets that a caller is limited to; `undefined` without a limit. */
type Limit = readonly string[] | undefined

/** An Annotation-Key, and who sent it. */
interface SentKey {
  key: string
  limit: Limit
}

interface Put extends SentKey {
  job?: AnnotationJob | undefined
  check: (before: StoredAnnotation) => void
}

/**
 * Creates the one annotation with an Annotation-Key, or replaces it and keeps its id, whoever made it: so the jobs of a matrix make one
 * mark, and a run that is repeated changes it. The key is stored in the annotation's own row, in the place of an Idempotency-Key: it is
 * unique, is forgotten with its annotation, and never expires. Where the annotation that has it is one of which its caller may not
 * know, the caller gets one of its own, so that no answer tells which keys others use.
 * @param annotation with a new id, which it only gets if there is no annotation with the key
 * @param put `job`: who says it, where several jobs share the annotation: what they say is merged, and nothing is replaced but what
 *   the same job said in an earlier attempt, or another run; without it the annotation is replaced. `check` is called with the annotation that would be replaced; if it
 *   throws, nothing is changed
 * @returns the annotation as stored now, and whether it is new
 */
export async function putAnnotation(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  { job, check, ...sent }: Put,
): Promise<{ annotation: StoredAnnotation; isNew: boolean }> {
  const said = job && beginState(annotation, job)
  const first = said ? withContent(annotation, readState(said)) : annotation
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await insertOrFind(db, first, { ...sent, payload: said ? JSON.stringify(said) : '' })
    if (found === 'inserted') return { annotation: first, isNew: true }
    const locked = found && (await lockWithPayload(db, found.id))
    if (!locked) continue
    const { annotation: before, payload } = locked
    check(before)
    const stored = readShared(payload, before)
    const state = said && stored ? mergeStates(stored, said) : said
    const after = withContent(before, state ? readState(state) : annotation)
    requireFewDatasets(after)
    await updateAnnotation(db, before, after, state ? JSON.stringify(state) : '')
    await noticeChange(db, before, after)
    return { annotation: after, isNew: false }
  }
  throw new Error(`the annotation with the key ${JSON.stringify(sent.key)} came and went ${TRIES_MAX} times`)
}

/** What each job says has few, but not what many say together. @throws ServiceError `invalid` */
function requireFewDatasets({ datasets }: StoredAnnotation): void {
  if (datasets.length <= ANNOTATION_DATASETS_MAX) return
  const message = `the jobs that share this annotation name ${datasets.length} datasets, and it can have at most ${ANNOTATION_DATASETS_MAX}`
  throw invalid(VALIDATION_CODES.itemsMax, message)
}

/** @returns the annotation that has the key already; `undefined` where another transaction was faster, and it is to be tried again */
async function insertOrFind(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  { payload, ...sent }: SentKey & { payload: string },
): Promise<StoredAnnotation | 'inserted' | undefined> {
  const { shared, own } = hashesOf(sent)
  const mine = own && (await findRepeated(db, own))?.annotation
  if (mine && isReachable(mine, sent.limit)) return mine
  // It has been moved to datasets of others, with which nobody finds it by this key.
  if (own && mine) await forgetRepeat(db, own)
  if (await addAnnotation(db, annotation, { key: shared, payload })) return 'inserted'
  const found = (await findRepeated(db, shared))?.annotation
  if (!found || isReachable(found, sent.limit)) return found
  return own && (await addAnnotation(db, annotation, { key: own, payload })) ? 'inserted' : undefined
}

/** @returns the annotation, saying this; id and creator stay */
function withContent({ id, createdAtMs, createdBy }: StoredAnnotation, content: AnnotationContent): StoredAnnotation {
  return { ...content, id, createdAtMs, createdBy }
}

/** @returns what several jobs have said; `undefined` where the annotation is not shared, and only a hash or nothing is there */
function readShared(payload: string, { datasets }: AnnotationContent): JointAnnotation | undefined {
  if (!payload.startsWith('{')) return undefined
  // A dataset may have been deleted since they spoke of it.
  const nameNow = (name: string) => (datasets.includes(name) ? name : (datasets.find((one) => one === deletedName(name)) ?? name))
  return parseState(payload, nameNow)
}

/** @returns the annotation that a create with this key would replace */
export async function findByKey(db: RecordsDatabase, sent: SentKey): Promise<StoredAnnotation | undefined> {
  const { shared, own } = hashesOf(sent)
  for (const hash of [own, shared]) {
    const found = hash && (await findRepeated(db, hash))?.annotation
    if (found && isReachable(found, sent.limit)) return found
  }
  return undefined
}

/**
 * @returns the hash under which everybody finds a key first, and that of those who are limited to these datasets, where the first is
 *   taken by an annotation of which they may not know; no Idempotency-Key has either, because no token has such an id
 */
function hashesOf({ key, limit }: SentKey): { shared: string; own?: string } {
  const shared = hashOf(['annotation-key', key])
  return limit ? { shared, own: hashOf(['annotation-key', key, [...limit].sort()]) } : { shared }
}

/** @returns whether the caller may know of the annotation: it reaches one of its datasets, on whose chart the annotation is */
export function isReachable({ datasets }: AnnotationContent, limit: Limit): boolean {
  return !limit || datasets.some((name) => limit.includes(name))
}

/** @returns the error for an annotation that is not there, or that its caller may not know of */
export function annotationNotFound(id: string): ServiceError {
  return new ServiceError('not_found', `annotation ${id} not found`)
}
