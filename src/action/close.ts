/**
 * The whole post step: find what the main step may have left behind, close a release span. It never fails the job.
 */
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import { AuthError } from '@deployment-annotations/client/errors'
import { around, isSame, markNow } from '@deployment-annotations/client/identity'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { buildClosing } from '@deployment-annotations/inputs/annotation'
import { explain } from '@deployment-annotations/inputs/explain'
import { toLog } from '@deployment-annotations/inputs/text'
import { callOptions, connect } from './connect.ts'
import { parseCloseInputs, STEP } from './inputs.ts'
import type { Intent, Leftover } from './leftover.ts'
import { readInputs } from './read-inputs.ts'
import { core, outliveLog } from './toolkit.ts'

export async function close(leftover: Leftover): Promise<void> {
  const { intent } = leftover
  outliveLog()
  try {
    const { service, jobStatus } = parseCloseInputs(readInputs())
    await using client = connect(service)
    const id = leftover.id === undefined || leftover.doubt ? await settle(client.annotations, leftover) : leftover.id
    if (id === undefined)
      return core.info('The main step got no answer, and the service has no such annotation: nothing to close.')
    if (intent.isSpan) await closeSpan(client.annotations, { id, intent, jobStatus })
  } catch (error) {
    core.warning(explain(error, intent.isSpan ? 'close the release span' : 'look for the annotation', STEP))
  }
}

/** Finds the annotation of a main step that was killed or lost an answer, and removes a second copy of it. @returns its id */
async function settle(annotations: AnnotationsClient, { intent, id }: Leftover): Promise<string | undefined> {
  const { annotation, hasOwnTime } = intent
  if (annotation === undefined) return id
  const copies = (await annotations.list(around(annotation), callOptions)).filter((listed) => isSame(listed, annotation))
  const kept = copies.find((copy) => copy.id === id) ?? copies[0]
  if (kept !== undefined && id === undefined) core.info(`The main step got no answer, but the annotation exists: ${kept.id}`)
  // Only our random digits prove that an equal annotation is ours and not that of another job of the matrix.
  for (const copy of hasOwnTime ? copies : []) {
    if (copy.id === (id ?? kept?.id)) continue
    await annotations.delete(copy.id, callOptions)
    core.info(`Removed a second copy of the annotation, left by a lost answer: ${copy.id}`)
  }
  return id ?? kept?.id
}

interface OpenSpan {
  id: string
  intent: Intent
  jobStatus: string
}

async function closeSpan(annotations: AnnotationsClient, { id, intent, jobStatus }: OpenSpan): Promise<void> {
  const span = await readSpan(annotations, id, intent)
  if (span.endTime !== undefined) return core.info(`The release span ${id} was already closed, at ${toLog(span.endTime)}`)
  const status = /^[a-z]+$/.test(jobStatus) ? jobStatus : 'ended'
  const change = buildClosing(span, status, markNow())
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
