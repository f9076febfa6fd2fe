/**
 * One annotation for a key, whoever asks and however often. Our service knows keys and keeps the rule itself. Of a service that
 * does not, the annotations are looked through for the key, which then stands in their descriptions (key-line.ts); what others
 * create at the same moment is found by looking once more, and all but one are removed.
 */
import type { AnnotationFilter } from '@deployment-annotations/contract/annotation'
import { ANNOTATION_KEY_HEADER } from '@deployment-annotations/contract/header'
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import {
  type CallContext,
  changeAnnotation,
  deleteAnnotation,
  listWithKey,
  postAnnotation,
  type Stored,
} from './annotation-calls.ts'
import { createOnce } from './create-once.ts'
import { AuthError, NotFoundError } from './errors.ts'
import { addKeyLine, hasKey } from './key-line.ts'

type Timed = NewAnnotation & { time: string }

/** How far back others are looked for: a run can be repeated for 30 days. */
const LOOK_BACK_NS = 35n * 86_400_000_000_000n
/** And ahead: clocks differ, and a time may be given. */
const LOOK_AHEAD_NS = 86_400_000_000_000n
/** What is to be changed may be removed by another job at that moment; with three tries it is another's fault. */
const TRIES_MAX = 3

/** @returns what is stored for the key; `isNew` where there was nothing */
export async function putByKey(context: CallContext, key: string, annotation: Timed): Promise<Stored> {
  const found = await look(context, key, annotation)
  if (found === 'not allowed') {
    const stored = await createOnce(context, annotation, { [ANNOTATION_KEY_HEADER]: key })
    if (stored.hints.key === key) return stored
    context.options.onHints?.({
      notice: `the token may not list annotations, so whether there is another one with the key "${key}" is not known`,
    })
    return stored
  }
  if (found.isHonored) return await postAnnotation(context, annotation, { headers: { [ANNOTATION_KEY_HEADER]: key } })
  const marked = { ...annotation, description: addKeyLine(annotation.description, key) }
  let earlier = copiesOf(found.annotations, key)
  for (let tries = 1; ; tries++) {
    try {
      return await putAmong(context, key, { marked, earlier })
    } catch (error) {
      if (!(error instanceof NotFoundError) || tries === TRIES_MAX) throw error
      earlier = await findByKey(context, key, marked)
    }
  }
}

/** The service does not know keys: its annotations are compared. */
async function putAmong(
  context: CallContext,
  key: string,
  { marked, earlier }: { marked: Timed; earlier: readonly Annotation[] },
): Promise<Stored> {
  const [first] = earlier
  // An end cannot be unset: a span that is to be open again is a new one.
  if (first && (first.endTime === undefined || marked.endTime !== undefined)) {
    const changed = await changeAnnotation(context, first.id, marked)
    await removeCopies(context, earlier.slice(1))
    return { ...changed, isNew: false }
  }
  await removeCopies(context, earlier)
  const created = await createOnce(context, marked)
  const copies = await findByKey(context, key, marked)
  const kept = copies[0]?.id ?? created.annotation.id
  await removeCopies(
    context,
    copies.filter(({ id }) => id !== kept),
  )
  if (kept === created.annotation.id) return { ...created, isNew: first === undefined }
  return { ...(await changeAnnotation(context, kept, marked)), isNew: false }
}

async function look(context: CallContext, key: string, annotation: Timed) {
  try {
    return await listWithKey(context, around(annotation), key)
  } catch (error) {
    if (error instanceof AuthError && error.status === 403) return 'not allowed'
    throw error
  }
}

/** @returns those with the key: one at most where the service knows keys, and elsewhere the one that counts first */
export async function findByKey(context: CallContext, key: string, near: { time: string }): Promise<Annotation[]> {
  const { annotations, isHonored } = await listWithKey(context, around(near), key)
  return isHonored ? annotations : copiesOf(annotations, key)
}

/** @returns those with the key, in an order in which all who look agree on the first, whatever is changed of them */
function copiesOf(listed: readonly Annotation[], key: string): Annotation[] {
  return listed.filter((annotation) => hasKey(annotation, key)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function removeCopies(context: CallContext, copies: readonly Annotation[]): Promise<void> {
  for (const { id } of copies) {
    await deleteAnnotation(context, id).catch((error: unknown) => {
      // Another job has seen the same copies.
      if (!(error instanceof NotFoundError)) throw error
    })
  }
}

function around({ time }: { time: string }): AnnotationFilter {
  const ns = parseTimestamp(time) ?? 0n
  return { start: formatTimestamp(ns - LOOK_BACK_NS), end: formatTimestamp(ns + LOOK_AHEAD_NS) }
}
