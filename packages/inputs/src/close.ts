/**
 * What closes a span, and finds an annotation whose create was cut off: the story of the post step, and of the command's
 * `close` and `run`. The requests go through a client that is handed in.
 */
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { AuthError } from '@deployment-annotations/client/errors'
import { around, isSame, markNow } from '@deployment-annotations/client/identity'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { buildClosing, type TimedAnnotation } from './annotation.ts'
import { toLog } from './text.ts'

/** What somebody was about to do before it ended, for whoever comes after it. It is kept in plain text: never the token. */
export interface Intent {
  /** What is about to be sent; absent where an annotation is changed. */
  annotation?: TimedAnnotation
  /** Whether it is to be closed later. */
  isSpan: boolean
  /** Whether `time` holds random digits of ours, so that an equal annotation can only be ours. */
  hasOwnTime: boolean
}

export interface Leftover {
  intent: Intent
  /** The annotation that is known to be stored. */
  id?: string
  /** Whether an answer was lost on the way: there may be an annotation that was never reported, or a second copy. */
  doubt: boolean
}

/** The client, how it calls, and where a line for people goes. */
interface Caller {
  annotations: AnnotationsClient
  options: CallOptions
  tell: (line: string) => void
}

/** Finds what was stored of a create that was killed or lost an answer, and removes a second copy of it. @returns its id */
export async function settle(caller: Caller, { intent, id, doubt }: Leftover): Promise<string | undefined> {
  const { annotation, hasOwnTime } = intent
  if (annotation === undefined || (id !== undefined && !doubt)) return id
  const { annotations, options, tell } = caller
  const copies = (await annotations.list(around(annotation), options)).filter((listed) => isSame(listed, annotation))
  const kept = copies.find((copy) => copy.id === id) ?? copies[0]
  if (kept !== undefined && id === undefined) tell(`No answer had come back, but the annotation exists: ${kept.id}`)
  // Only our random digits prove that an equal annotation is ours and not that of another job of the matrix.
  for (const copy of hasOwnTime ? copies : []) {
    if (copy.id === (id ?? kept?.id)) continue
    await annotations.delete(copy.id, options)
    tell(`Removed a second copy of the annotation, left by a lost answer: ${copy.id}`)
  }
  return id ?? kept?.id
}

interface OpenSpan {
  id: string
  /** As it was sent; needed where the token may not read. */
  annotation?: TimedAnnotation | undefined
  /** How it went, for example `success`. */
  result: string
}

/** @returns the span as it now is; one that was closed before stays as it was */
export async function closeSpan(caller: Caller, { id, annotation, result }: OpenSpan): Promise<Annotation> {
  const { annotations, options, tell } = caller
  const span = await readSpan(caller, id, annotation)
  if (span.endTime !== undefined) {
    tell(`The release span ${id} was already closed, at ${toLog(span.endTime)}`)
    return { ...span, id }
  }
  const change = buildClosing(span, result, markNow())
  const closed = await annotations.change(id, change, options)
  tell(`Closed the release span ${id}: ${toLog((change.description ?? '').split('\n').at(-1) ?? '')}`)
  return closed
}

/** As it is now: somebody else may have changed its description. A token that may only write goes by what was sent. */
async function readSpan({ annotations, options }: Caller, id: string, sent?: TimedAnnotation): Promise<Omit<Annotation, 'id'>> {
  try {
    return await annotations.get(id, options)
  } catch (error) {
    if (error instanceof AuthError && sent !== undefined) return sent
    throw error
  }
}
