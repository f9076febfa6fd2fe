/**
 * One annotation for a key, whoever asks and however often. Our service knows keys and keeps the rule itself. Of a service that
 * does not, the annotations are looked through for the key, which then stands in their descriptions (key-line.ts); what others
 * create or change at the same moment is found by looking once more, and all but one are removed.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { ANNOTATION_JOB_HEADER, formatJob } from '@deployment-annotations/contract/annotation-job'
import { ANNOTATION_KEY_HEADER } from '@deployment-annotations/contract/header'
import { hasKey } from '@deployment-annotations/contract/key-line'
import {
  type Context,
  changeAnnotation,
  deleteAnnotation,
  listAnnotations,
  postAnnotation,
  type Stored,
} from './annotation-calls.ts'
import { createOnce } from './create-once.ts'
import { AuthError, NotFoundError } from './errors.ts'
import { around, type Near } from './identity.ts'
import { includesSaid, mergeSaid, type Said } from './merge-said.ts'
import { isTooLong } from './transport.ts'

/** How far back others are looked for: a run can be repeated for 30 days. */
const LOOK_BACK_NS = 35n * 86_400_000_000_000n
/** And ahead: clocks differ, and a time may be given. */
const LOOK_AHEAD_NS = 86_400_000_000_000n
/** Others change and remove the same annotations at the same moment; so often it is another's fault. */
const TRIES_MAX = 5
/** Between two tries, so that those who meet do not meet again. */
const PAUSE_MS_MAX = 500
/** After a change, so that another one that had read the annotation before it has been written, too, and its loss is seen. */
const SETTLE_MS = 500

/**
 * @param id known where the caller has put the annotation before: for a token that may not list
 * @returns what is stored for the key; `isNew` where there was nothing
 */
export async function putByKey(context: Context, said: Said, id: string | undefined): Promise<Stored> {
  const { key, job, annotation } = said
  const found = await look(context, key, annotation)
  const headers = { [ANNOTATION_KEY_HEADER]: key, ...(job && { [ANNOTATION_JOB_HEADER]: formatJob(job) }) }
  if (!('why' in found))
    return await (found.isKeyHonored
      ? postAnnotation(context, annotation, { headers })
      : putBesideOthers(context, said, found.copies))
  const merged = mergeSaid(said, [])
  if (id !== undefined) return { ...(await changeAnnotation(context, id, merged)), isNew: false }
  const stored = await createOnce(context, merged, headers)
  const warning = `${found.why}, so whether there is another one with the key "${key}" is not known`
  if (stored.hints.key !== key) context.options.onHints?.({ warning })
  return stored
}

/** The service does not know keys: what is there is merged with what is said, and looked at once more. */
async function putBesideOthers(context: Context, said: Said, found: Annotation[]): Promise<Stored> {
  const { budget, connection } = context
  const find = async () => (await findByKey(context, said.key, said.annotation)).copies
  let copies = found
  let created: string | undefined
  for (let tries = 1; ; tries++) {
    try {
      const stored = await putAmong(context, said, copies)
      if (stored.isNew) created = stored.annotation.id
      if (said.job && !stored.isNew) await budget.sleep(SETTLE_MS)
      copies = stored.isNew || said.job ? await find() : [stored.annotation]
      const [first = stored.annotation] = copies
      const isDone = copies.length <= 1 && includesSaid(first, said)
      if (isDone || tries === TRIES_MAX)
        return { ...stored, annotation: first, isNew: first.id === created && found.length === 0 }
    } catch (error) {
      if (!(error instanceof NotFoundError) || tries === TRIES_MAX) throw error
      copies = await find()
    }
    await budget.sleep(connection.clock.random() * PAUSE_MS_MAX)
  }
}

async function putAmong(context: Context, said: Said, copies: readonly Annotation[]): Promise<Stored> {
  const [first, ...others] = copies
  const merged = mergeSaid(said, copies)
  // Said in an attempt that is over.
  if ('id' in merged) return { annotation: merged, isNew: false, isOnce: true, hints: {} }
  // An end cannot be unset: a span that is to be open again is a new one.
  if (first && (first.endTime === undefined || merged.endTime !== undefined)) {
    const changed = await changeAnnotation(context, first.id, merged)
    await removeCopies(context, others)
    return { ...changed, isNew: false }
  }
  await removeCopies(context, copies)
  return await createOnce(context, merged)
}

async function look(context: Context, key: string, near: Near) {
  try {
    return await findByKey(context, key, near)
  } catch (error) {
    if (error instanceof AuthError && error.status === 403) return { why: 'the token may not list annotations' }
    if (isTooLong(error))
      return { why: 'the annotations of these datasets in the last 35 days are more than can be looked through' }
    throw error
  }
}

/**
 * @returns those with the key, in an order in which all who look agree on the first, whatever is changed of them; and whether the service
 *   knows keys, of which it has one at most
 */
export async function findByKey(context: Context, key: string, near: Near) {
  const filter = around(near, LOOK_BACK_NS, LOOK_AHEAD_NS)
  const { annotations, isKeyHonored } = await listAnnotations(context, filter, { key })
  const copies = annotations.filter((annotation) => isKeyHonored || hasKey(annotation, key))
  return { copies: copies.sort((a, b) => (a.id < b.id ? -1 : 1)), isKeyHonored }
}

async function removeCopies(context: Context, copies: readonly Annotation[]): Promise<void> {
  for (const { id } of copies) {
    await deleteAnnotation(context, id).catch((error: unknown) => {
      if (error instanceof AuthError && error.status === 403)
        return context.options.onHints?.({ warning: `the token may not delete ${id}, a second annotation with the same key` })
      // Another job has seen the same copies.
      if (!(error instanceof NotFoundError)) throw error
    })
  }
}
