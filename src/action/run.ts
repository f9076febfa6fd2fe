/**
 * The step, told once: read the inputs, create or change one annotation, say what happened.
 */

import { type AnnotationsClient, markNow } from '@deployment-annotations/client/annotations'
import { systemClock } from '@deployment-annotations/client/clock'
import { ClientError } from '@deployment-annotations/client/errors'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import { buildAnnotation, buildChange } from './annotation.ts'
import { callOptions, connect } from './connect.ts'
import { explain, isOutage } from './explain.ts'
import { type ActionInputs, parseInputs, type RawInputs } from './inputs.ts'
import { buildJobUrl, readRun } from './job.ts'
import { readInputs } from './read-inputs.ts'
import { describe, describeDryRun, reportOutcome, summarize } from './report.ts'
import { forgetIntent, saveId, saveIntent } from './state.ts'
import { toLog } from './text.ts'
import { core } from './toolkit.ts'

/** Never throws: the exit code is set, and what went wrong is in the log. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  const raw = readInputs()
  const deed = raw.id === '' ? 'create the annotation' : 'change the annotation'
  let inputs: ActionInputs | undefined
  try {
    inputs = parseInputs(raw)
    for (const warning of inputs.warnings) core.warning(toLog(warning))
    await mark(inputs, raw, env)
  } catch (error) {
    if (error instanceof ClientError && !error.mayHaveTakenEffect) forgetIntent()
    if (inputs?.onOutage === 'warn' && isOutage(error)) {
      core.warning(`${explain(error, deed)} The job goes on because "onOutage" is "warn".`)
      reportOutcome('unreachable')
    } else {
      core.setFailed(explain(error, deed))
    }
  }
}

async function mark(inputs: ActionInputs, raw: RawInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const plan = inputs.id === undefined ? planCreate(inputs, raw, env) : planChange(inputs, inputs.id)
  if (inputs.dryRun) {
    core.info(describeDryRun(plan.method, inputs.service.baseUrl.href.replace(/\/$/, '') + plan.path, plan.body))
    return reportOutcome('dry-run')
  }
  await using client = connect(inputs.service)
  const span = inputs.mark.endTime === 'job-end'
  if (inputs.id !== undefined) saveId(inputs.id)
  saveIntent({ ...plan.intent, span, ownTime: inputs.mark.time === undefined || inputs.mark.time === 'now' })
  const stored = await plan.send(client.annotations)
  if (inputs.id === undefined) saveId(stored.id)
  reportOutcome(plan.outcome, stored)
  core.info(describe(plan.outcome, stored, span))
  if (inputs.summary) await summarize(stored, span)
}

function planCreate(inputs: ActionInputs, raw: RawInputs, env: NodeJS.ProcessEnv) {
  const run = inputs.mark.url === undefined ? readRun(env) : undefined
  const jobUrl = run && buildJobUrl(run, raw.jobCheckRunId, env)
  const annotation = buildAnnotation(inputs.mark, markNow(systemClock), jobUrl)
  return {
    method: 'POST',
    path: ANNOTATIONS_PATH,
    body: annotation,
    intent: { annotation },
    outcome: 'created' as const,
    send: (annotations: AnnotationsClient): Promise<Annotation> => annotations.create(annotation, callOptions),
  }
}

function planChange(inputs: ActionInputs, id: string) {
  const change = buildChange(inputs.mark, markNow(systemClock))
  // `endTime: job-end` alone changes nothing yet; reading the annotation tells now, not at the job's end, that it is there.
  const isEmpty = Object.keys(change).length === 0
  return {
    method: isEmpty ? 'GET' : 'PUT',
    path: annotationPath(id),
    body: change,
    intent: {},
    outcome: 'changed' as const,
    send: (annotations: AnnotationsClient): Promise<Annotation> =>
      isEmpty ? annotations.get(id, callOptions) : annotations.change(id, change, callOptions),
  }
}
