/**
 * The post step, told once: find what the main step may have left behind, close a release span. It never fails the job.
 */

import { type AnnotationsClient, around, isSame, markNow } from '@deployment-annotations/client/annotations'
import { systemClock } from '@deployment-annotations/client/clock'
import { AuthError } from '@deployment-annotations/client/errors'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { buildClosing } from './annotation.ts'
import { callOptions, connect } from './connect.ts'
import { explain } from './explain.ts'
import { parseService, type RawInputs } from './inputs.ts'
import { readInputs } from './read-inputs.ts'
import type { Intent, State } from './state.ts'
import { toLog } from './text.ts'
import { core } from './toolkit.ts'

/** @param state of a main step that got as far as sending */
export async function close(state: State & { intent: Intent }): Promise<void> {
  try {
    const raw = readInputs()
    await using client = connect(parseService(raw))
    const id = state.id === undefined || state.doubt ? await settle(client.annotations, state) : state.id
    if (id === undefined)
      return core.info('The main step got no answer, and the service has no such annotation: nothing to close.')
    if (state.intent.span) await closeSpan(client.annotations, id, state.intent, raw)
  } catch (error) {
    core.warning(explain(error, state.intent.span ? 'close the release span' : 'look for the annotation'))
  }
}

/** Finds the annotation of a main step that was killed or lost an answer, and removes a second copy of it. @returns its id */
async function settle(annotations: AnnotationsClient, { intent, id }: State & { intent: Intent }): Promise<string | undefined> {
  const { annotation, ownTime } = intent
  if (annotation === undefined) return id
  const copies = (await annotations.list(around(annotation), callOptions)).filter((listed) => isSame(listed, annotation))
  const kept = copies.find((copy) => copy.id === id) ?? copies[0]
  if (kept !== undefined && id === undefined) core.info(`The main step got no answer, but the annotation exists: ${kept.id}`)
  // Only our random digits prove that an equal annotation is ours and not that of another job of the matrix.
  for (const copy of ownTime ? copies : []) {
    if (copy.id === (id ?? kept?.id)) continue
    await annotations.delete(copy.id, callOptions)
    core.info(`Removed a second copy of the annotation, left by a lost answer: ${copy.id}`)
  }
  return id ?? kept?.id
}

async function closeSpan(annotations: AnnotationsClient, id: string, intent: Intent, raw: RawInputs): Promise<void> {
  const span = await readSpan(annotations, id, intent)
  if (span.endTime !== undefined) return core.info(`The release span ${id} was closed before, at ${toLog(span.endTime)}`)
  const status = /^[a-z]+$/.test(raw.jobStatus) ? raw.jobStatus : 'ended'
  const change = buildClosing(span, status, markNow(systemClock))
  await annotations.change(id, change, callOptions)
  core.info(`Closed the release span ${id}: ${toLog((change.description ?? '').split('\n').at(-1) ?? '')}`)
}

/** As it is now: another step may have changed its description. A token that may only write goes by what was sent. */
async function readSpan(annotations: AnnotationsClient, id: string, { annotation }: Intent): Promise<Omit<Annotation, 'id'>> {
  try {
    return await annotations.get(id, callOptions)
  } catch (error) {
    if (error instanceof AuthError && annotation !== undefined) return annotation
    throw error
  }
}
