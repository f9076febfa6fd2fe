/**
 * The whole step: read the inputs, create or change one annotation, say what happened.
 */
import { ClientError } from '@deployment-annotations/client/errors'
import { markNow } from '@deployment-annotations/client/identity'
import { createRedactor } from '@deployment-annotations/client/redact'
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import { buildAnnotation, buildChange } from '@deployment-annotations/inputs/annotation'
import { explain, isOutage } from '@deployment-annotations/inputs/explain'
import { InputError } from '@deployment-annotations/inputs/input-error'
import { buildJobUrl } from '@deployment-annotations/inputs/job-url'
import { changeOrGet, createOrPut, isEmptyChange, readPart } from '@deployment-annotations/inputs/save'
import type { Source } from '@deployment-annotations/inputs/source'
import { toLog } from '@deployment-annotations/inputs/text'
import { callOptions, connect } from './connect.ts'
import { type ActionInputs, type ChangeInputs, type CreateInputs, closesNothing, parseInputs } from './inputs.ts'
import { buildTitle, readSource } from './job.ts'
import { debugInputs, listOtherNames, readInputs } from './read-inputs.ts'
import { ReportError, reportDryRun, reportOutcome, reportSaved, reportSkipped } from './report.ts'
import { forgetIntent, saveId, saveIntent, saveUnsent } from './state.ts'
import { STEP } from './step-door.ts'
import { core, loadShipped, outliveLog } from './toolkit.ts'

/** Never throws: the exit code is set, and what went wrong is in the log. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  outliveLog()
  let inputs: ActionInputs
  try {
    const raw = readInputs()
    await debugInputs(raw)
    if (closesNothing(raw)) return reportSkipped('There is no span to close: "id" is empty, so none was opened.')
    inputs = parseInputs(raw)
  } catch (error) {
    return core.setFailed(explain(error, 'read the inputs', STEP))
  }
  try {
    for (const notice of listOtherNames()) core.notice(notice)
    for (const { input, rest } of inputs.warnings) core.warning(toLog(STEP.subject(input) + rest))
    if (inputs.service.token === '' && !inputs.dryRun) return reportSkipped('There is no token, and "ifNoToken" is "skip".')
    await (inputs.kind === 'create' ? create(inputs, env) : change(inputs))
  } catch (error) {
    fail(inputs, error)
  }
}

async function create(inputs: CreateInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const { mark, key, typeOnFailure, service, dryRun } = inputs
  const source = await readSource(env)
  const title = mark.title ?? buildTitle(source)
  const now = markNow()
  const description = await readDescription(inputs, source, now)
  const url = mark.url ?? buildJobUrl(env, inputs.jobCheckRunId)
  const annotation = buildAnnotation({ ...mark, title, description }, now, url)
  if (dryRun) return reportDryRun(service, { method: 'POST', path: ANNOTATIONS_PATH, body: annotation, key })
  const client = connect(service)
  const part = key === undefined ? undefined : readPart(env, inputs.jobMatrix)
  const isSpan = mark.endTime === 'job-end'
  const intent = { annotation, key, part, isSpan, hasOwnTime: mark.time === 'now', typeOnFailure }
  saveIntent(intent)
  const saved = await createOrPut(client.annotations, intent, callOptions)
  saveId(saved.stored.id)
  await reportSaved(saved, inputs)
}

/** @returns the description that was given, with what is shipped where somebody wants to know */
async function readDescription({ mark, githubToken, dryRun, service }: CreateInputs, source: Source, now: string) {
  if (githubToken === '' || dryRun) return mark.description
  const { describeWithShipped } = await loadShipped()
  const client = connect(service)
  const redact = createRedactor(githubToken)
  const caller = { githubToken, redact, annotations: client.annotations, source, now, notice: core.notice }
  return await describeWithShipped(mark, caller)
}

async function change(inputs: ChangeInputs): Promise<void> {
  const { id, mark, typeOnFailure, service, dryRun } = inputs
  const body = buildChange(mark, markNow())
  if (dryRun) return reportDryRun(service, { method: isEmptyChange(body) ? 'GET' : 'PUT', path: annotationPath(id), body })
  const client = connect(service)
  saveId(id)
  saveIntent({ isSpan: mark.endTime === 'job-end', hasOwnTime: false, typeOnFailure })
  await reportSaved(await changeOrGet(client.annotations, { id, change: body, options: callOptions }), inputs)
}

function fail(inputs: ActionInputs, error: unknown): void {
  if (error instanceof InputError) {
    core.setFailed(explain(error, 'read the inputs', STEP))
    return
  }
  const { kind, mark } = inputs
  const decider = isOutage(error) ? 'onOutage' : 'onError'
  const goesOn = inputs[decider] === 'warn'
  if (goesOn && isOutage(error) && mark.endTime === 'job-end') saveUnsent()
  else if (error instanceof ClientError && !error.mayHaveTakenEffect) forgetIntent()
  const message = error instanceof ReportError ? error.message : explain(error, `${kind} the annotation`, STEP)
  if (goesOn) core.warning(`${message} The job goes on because "${decider}" is "warn".`)
  else core.setFailed(message)
  try {
    reportOutcome(decider === 'onOutage' ? 'unreachable' : 'failed')
  } catch (unwritable) {
    core.debug(`no outputs: ${toLog(String(unwritable))}`)
  }
}
