/**
 * The whole step: read the inputs, create or change one annotation, say what happened.
 */

import type { AnnotationCallOptions } from '@deployment-annotations/client/annotation-calls'
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import { ClientError } from '@deployment-annotations/client/errors'
import { markNow } from '@deployment-annotations/client/identity'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import { buildAnnotation, buildChange, type TimedAnnotation } from '@deployment-annotations/inputs/annotation'
import { explain, isOutage } from '@deployment-annotations/inputs/explain'
import { toLog } from '@deployment-annotations/inputs/text'
import { collectHints, connect } from './connect.ts'
import { type ActionInputs, type ChangeInputs, type CreateInputs, parseInputs, STEP } from './inputs.ts'
import { readJobUrl } from './job.ts'
import { listOtherNames, readInputs } from './read-inputs.ts'
import { ReportError, reportDryRun, reportOutcome, reportStored } from './report.ts'
import { forgetIntent, saveId, saveIntent } from './state.ts'
import { core, outliveLog } from './toolkit.ts'

/** Never throws: the exit code is set, and what went wrong is in the log. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  outliveLog()
  let inputs: ActionInputs
  try {
    inputs = parseInputs(readInputs())
  } catch (error) {
    return core.setFailed(explain(error, 'read the inputs', STEP))
  }
  try {
    for (const notice of listOtherNames()) core.notice(notice)
    for (const { input, rest } of inputs.warnings) core.warning(toLog(STEP.subject(input) + rest))
    await (inputs.kind === 'create' ? create(inputs, env) : change(inputs))
  } catch (error) {
    fail(inputs, error)
  }
}

async function create(inputs: CreateInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const { mark, key, typeOnFailure, service, dryRun } = inputs
  const annotation = buildAnnotation(mark, markNow(), mark.url ?? (await readJobUrl(env, inputs.jobCheckRunId)))
  if (dryRun) return reportDryRun(service, { method: 'POST', path: ANNOTATIONS_PATH, body: annotation, key })
  await using client = connect(service)
  saveIntent({ annotation, key, isSpan: mark.endTime === 'job-end', hasOwnTime: mark.time === 'now', typeOnFailure })
  const { hints, options } = collectHints()
  const { annotation: stored, isNew } = await createOrPut(client.annotations, { annotation, key, options })
  saveId(stored.id)
  await reportStored(isNew ? 'created' : 'changed', { stored, hints, inputs })
}

/** With a key there is one annotation, and what it says is replaced where it is there. */
async function createOrPut(
  annotations: AnnotationsClient,
  { annotation, key, options }: { annotation: TimedAnnotation; key: string | undefined; options: AnnotationCallOptions },
): Promise<{ annotation: Annotation; isNew: boolean }> {
  if (key !== undefined) return await annotations.put(key, annotation, options)
  return { annotation: await annotations.create(annotation, options), isNew: true }
}

async function change(inputs: ChangeInputs): Promise<void> {
  const { id, mark, typeOnFailure, service, dryRun } = inputs
  const body = buildChange(mark, markNow())
  // `endTime: job-end` alone changes nothing yet; reading the annotation tells now, not at the job's end, that it is there.
  const isEmpty = Object.keys(body).length === 0
  if (dryRun) return reportDryRun(service, { method: isEmpty ? 'GET' : 'PUT', path: annotationPath(id), body, key: undefined })
  await using client = connect(service)
  saveId(id)
  saveIntent({ isSpan: mark.endTime === 'job-end', hasOwnTime: false, typeOnFailure })
  const { hints, options } = collectHints()
  const stored = await (isEmpty ? client.annotations.get(id, options) : client.annotations.change(id, body, options))
  await reportStored('changed', { stored, hints, inputs })
}

function fail({ kind, onOutage }: ActionInputs, error: unknown): void {
  if (error instanceof ClientError && !error.mayHaveTakenEffect) forgetIntent()
  const message = error instanceof ReportError ? error.message : explain(error, `${kind} the annotation`, STEP)
  if (onOutage === 'warn' && isOutage(error)) {
    core.warning(`${message} The job goes on because "onOutage" is "warn".`)
    reportOutcome('unreachable')
  } else {
    core.setFailed(message)
  }
}
