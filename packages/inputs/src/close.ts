/**
 * What closes a span, and finds an annotation whose create was cut off: the story of the post step, and of the command's
 * `close` and `run`. The requests go through a client that is handed in.
 */
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { AuthError } from '@deployment-annotations/client/errors'
import { around, hasOwnDigits, isSame, markNow, type Timed } from '@deployment-annotations/client/identity'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { AnnotationJob } from '@deployment-annotations/contract/annotation-job'
import { readKeyedText } from '@deployment-annotations/contract/key-line'
import { buildClosing, describeResult } from './annotation.ts'
import { isFailure } from './results.ts'
import { toLog } from './text.ts'

/** What somebody was about to do before it ended, for whoever comes after it. It is kept in plain text: never the token. */
export interface Intent {
  /** What is about to be sent; absent where an annotation is changed. */
  annotation?: Timed
  /** There is one annotation with it, which others may have changed meanwhile. */
  key?: string | undefined
  /** Which of the jobs that share it says so. */
  job?: AnnotationJob | undefined
  /** Whether it is to be closed later. */
  isSpan: boolean
  /** What its type becomes where the result is a failure. */
  typeOnFailure?: string | undefined
  /** Whether `time` holds random digits of ours, so that an equal annotation can only be ours. */
  hasOwnTime: boolean
}

/** One that makes an annotation. */
export type CreateIntent = Intent & { annotation: Timed }

export interface Leftover {
  intent: Intent
  /** The annotation that is known to be stored. */
  id?: string
  /** Whether an answer was lost on the way: there may be an annotation that was never reported, or a second copy. */
  doubt: boolean
  /** Whether an outage kept it from being created; it is created whole then, with its end. */
  unsent?: boolean
}

/** The client, how it calls, and where a line for people goes. */
export interface Caller {
  annotations: AnnotationsClient
  options: CallOptions
  tell: (line: string) => void
}

/**
 * Does what is left: closes a span, or creates it whole where an outage kept it from being opened; after a failure the annotation has
 * the type for that.
 * @param result how it went, for example `success`, or `failure (exit code 7)`
 * @returns the annotation as it now is; `undefined` where nothing was stored and nothing is left to do
 */
export async function finish(caller: Caller, leftover: Leftover, result: string): Promise<Annotation | undefined> {
  const { intent, id: known, doubt, unsent = false } = leftover
  const isNowhere = unsent && !doubt && known === undefined
  const id = isNowhere ? undefined : await settle(caller, leftover)
  if (id !== undefined) return await conclude(caller, { id, intent, result })
  const { annotation, isSpan } = intent
  return unsent && isSpan && annotation ? await createWhole(caller, intent, { annotation, result }) : undefined
}

/** Finds what was stored of a create that was killed or lost an answer, and removes a second copy of it. @returns its id */
async function settle(caller: Caller, { intent, id, doubt }: Leftover): Promise<string | undefined> {
  const { annotation, key, hasOwnTime } = intent
  if (isJoint(intent) && id !== undefined) return id
  const { annotations, options, tell } = caller
  if (key !== undefined) {
    // The annotation with the key may be another one than the one that was made: jobs at the same moment agree on one.
    const [first] = await listUnlessForbidden(caller, id, () => annotations.listByKey(key, annotation, options))
    return first?.id ?? id
  }
  if (annotation === undefined || (id !== undefined && !doubt)) return id
  const copies = await listUnlessForbidden(caller, id, async () =>
    (await annotations.list(around(annotation), options)).filter((listed) => isSame(listed, annotation)),
  )
  const kept = copies.find((copy) => copy.id === id) ?? copies[0]
  if (kept !== undefined && id === undefined) tell(`No answer had come back, but the annotation exists: ${kept.id}`)
  // Only our random digits prove that an equal annotation is ours and not that of another job of the matrix.
  for (const copy of hasOwnTime ? copies : []) {
    if (copy.id === (id ?? kept?.id)) continue
    if (!hasOwnDigits(copy)) {
      tell(`There is another annotation like it, which may be a second copy: ${copy.id}. The service keeps whole seconds only.`)
      continue
    }
    await annotations.delete(copy.id, options)
    tell(`Removed a second copy of the annotation, left by a lost answer: ${copy.id}`)
  }
  return id ?? kept?.id
}

/** Where the id is known, a token that may not list is no reason to leave a span open. */
async function listUnlessForbidden(
  { tell }: Caller,
  id: string | undefined,
  list: () => Promise<Annotation[]>,
): Promise<Annotation[]> {
  try {
    return await list()
  } catch (error) {
    if (!(error instanceof AuthError) || id === undefined) throw error
    tell('The token may not list annotations: a second copy stays, if a lost answer has left one.')
    return []
  }
}

interface Outcome {
  id: string
  /** What was sent is needed where the token may not read. */
  intent: Intent
  /** How it went, for example `success`, or `failure (exit code 7)`. */
  result: string
}

function typeFor({ typeOnFailure }: Intent, result: string): string | undefined {
  return isFailure(result) ? typeOnFailure : undefined
}

async function conclude(caller: Caller, { id, intent, result }: Outcome): Promise<Annotation | undefined> {
  const type = typeFor(intent, result)
  if (isJoint(intent) && (intent.isSpan || type !== undefined)) {
    const { stored, line } = await putResult(caller, { id, intent, result })
    const done = `The job failed, so the annotation ${stored.id} is of type ${toLog(type ?? '')} now`
    caller.tell(intent.isSpan ? `Closed the release span ${stored.id}: ${line}` : done)
    return stored
  }
  if (intent.isSpan) return await closeSpan(caller, { id, intent, result })
  return type === undefined ? undefined : await changeType(caller, id, type)
}

async function createWhole(
  { annotations, options, tell }: Caller,
  intent: Intent,
  { annotation, result }: { annotation: Timed; result: string },
): Promise<Annotation> {
  const type = typeFor(intent, result) ?? annotation.type
  const stored = isJoint(intent)
    ? (await putResult({ annotations, options, tell }, { intent, result })).stored
    : await annotations.create({ ...annotation, ...buildClosing(annotation, result, markNow()), type }, options)
  tell(`Created the release span ${stored.id} with its end: an outage kept it from being opened at its start`)
  return stored
}

type JointIntent = CreateIntent & { key: string; job: AnnotationJob }

/** Several jobs share it: what this one says is merged with what the others say. */
function isJoint(intent: Intent): intent is JointIntent {
  return intent.annotation !== undefined && intent.key !== undefined && intent.job !== undefined
}

type JointOutcome = Partial<Pick<Outcome, 'id'>> & Pick<Outcome, 'result'> & { intent: JointIntent }

/** @returns the annotation as it is after this job's word, and the line that says how it went */
async function putResult({ annotations, options }: Caller, { id, intent, result }: JointOutcome) {
  const { annotation, key, job, isSpan } = intent
  const now = markNow()
  const line = describeResult(annotation, result, now)
  const { endTime } = buildClosing(annotation, result, now)
  const said = { ...annotation, type: typeFor(intent, result) ?? annotation.type, ...(isSpan && endTime && { endTime }) }
  const failed = isFailure(result)
  const put = await annotations.put(key, said, { ...options, id, job: { ...job, failed, ...(isSpan && { line }) } })
  return { stored: put.annotation, line }
}

async function changeType({ annotations, options, tell }: Caller, id: string, type: string): Promise<Annotation> {
  const changed = await annotations.change(id, { type }, options)
  tell(`The job failed, so the annotation ${id} is of type ${toLog(type)} now`)
  return changed
}

/**
 * One that was closed before stays closed when it was.
 * @returns the span as it now is
 */
async function closeSpan(caller: Caller, { id, intent, result }: Outcome): Promise<Annotation> {
  const { annotations, options, tell } = caller
  const span = await readSpan(caller, id, intent.annotation)
  const type = typeFor(intent, result)
  if (span.endTime !== undefined) {
    tell(`The release span ${id} was already closed, at ${toLog(span.endTime)}`)
    return type === undefined ? { ...span, id } : await changeType(caller, id, type)
  }
  const change = buildClosing(span, result, markNow())
  const closed = await annotations.change(id, { ...change, ...(type === undefined ? {} : { type }) }, options)
  tell(`Closed the release span ${id}: ${toLog(readKeyedText(change.description).lines.at(-1) ?? '')}`)
  return closed
}

/** As it is now: somebody else may have changed its description. A token that may only write goes by what was sent. */
async function readSpan({ annotations, options }: Caller, id: string, sent?: Timed): Promise<Omit<Annotation, 'id'>> {
  try {
    return await annotations.get(id, options)
  } catch (error) {
    if (error instanceof AuthError && sent !== undefined) return sent
    throw error
  }
}
