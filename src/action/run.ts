/**
 * The whole step: read the inputs, create or change one annotation, say what happened.
 */
import { ClientError } from '@deployment-annotations/client/errors'
import { markNow } from '@deployment-annotations/client/identity'
import { createRedactor } from '@deployment-annotations/client/redact'
import { ANNOTATION_CALLS } from '@deployment-annotations/contract/annotation'
import { addressOf } from '@deployment-annotations/contract/call'
import { buildAnnotation, buildChange } from '@deployment-annotations/inputs/annotation'
import { explain, isOutage } from '@deployment-annotations/inputs/explain'
import { InputError, NothingToDo } from '@deployment-annotations/inputs/input-error'
import { buildJobUrl } from '@deployment-annotations/inputs/job-url'
import { isWarn } from '@deployment-annotations/inputs/parse-corrected'
import { changeOrGet, createOrPut, isEmptyChange, readAnnotationJob } from '@deployment-annotations/inputs/save'
import type { Source } from '@deployment-annotations/inputs/source'
import { toLog } from '@deployment-annotations/inputs/text'
import { callOptions, connect } from './connect.ts'
import { type ActionInputs, type ChangeInputs, type CreateInputs, FORMER_NAMES, INPUT_DEFAULTS, parseInputs } from './inputs.ts'
import { buildTitle, readSource } from './job.ts'
import { parseTexts } from './parse-texts.ts'
import { debugInputs, listOtherNames, readInputs } from './read-inputs.ts'
import { ReportError, reportDryRun, reportOutcome, reportSaved } from './report.ts'
import { forgetIntent, saveId, saveIntent, saveUnsent } from './state.ts'
import { STEP } from './step-door.ts'
import { core, loadShipped, outliveLog } from './toolkit.ts'

/** Never throws: the exit code is set, and what went wrong is in the log. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  outliveLog()
  let inputs: ActionInputs | undefined
  try {
    const raw = readInputs()
    await debugInputs(raw)
    inputs = await parseTexts(FORMER_NAMES, { raw, defaults: INPUT_DEFAULTS, parse: parseInputs })
    for (const notice of listOtherNames()) core.notice(notice)
    if (inputs.service.token === '' && !inputs.dryRun) throw new NothingToDo('There is no token, and "ifNoToken" is "skip".')
    await (inputs.kind === 'create' ? create(inputs, env) : change(inputs))
  } catch (error) {
    fail(error, inputs)
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
  if (dryRun) return reportDryRun(service, { ...addressOf(ANNOTATION_CALLS.create), body: annotation, key })
  const client = connect(service)
  const job = key === undefined ? undefined : readAnnotationJob(env, inputs.jobMatrix)
  const isSpan = mark.endTime === 'job-end'
  const intent = { annotation, key, job, isSpan, hasOwnTime: mark.time === 'now', typeOnFailure }
  saveIntent(intent)
  const saved = await createOrPut(client.annotations, intent, callOptions)
  saveId(saved.stored.id)
  await reportSaved(saved, inputs)
}

/** @returns the given description, with what was shipped if that is wanted */
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
  const call = ANNOTATION_CALLS[isEmptyChange(body) ? 'get' : 'change']
  if (dryRun) return reportDryRun(service, { ...addressOf(call, id), body })
  const client = connect(service)
  saveId(id)
  saveIntent({ isSpan: mark.endTime === 'job-end', hasOwnTime: false, typeOnFailure })
  await reportSaved(await changeOrGet(client.annotations, id, body, callOptions), inputs)
}

/** @param inputs absent if they could not be read. Then the text of `onError` decides, which may be wrong too */
function fail(error: unknown, inputs?: ActionInputs): void {
  const decider = isOutage(error) ? 'onOutage' : 'onError'
  const goesOn = inputs === undefined ? isWarn(core.getInput('onError')) : inputs[decider] === 'warn'
  if (goesOn && isOutage(error) && inputs?.mark.endTime === 'job-end') saveUnsent()
  else if (error instanceof ClientError && !error.mayHaveTakenEffect) forgetIntent()
  try {
    reportOutcome(error instanceof NothingToDo ? 'skipped' : isOutage(error) ? 'unreachable' : 'failed')
  } catch (unwritable) {
    core.debug(`no outputs: ${toLog(String(unwritable))}`)
  }
  const operation =
    inputs === undefined || error instanceof InputError ? 'read the inputs' : (`${inputs.kind} the annotation` as const)
  const message = error instanceof ReportError || error instanceof NothingToDo ? error.message : explain(error, operation, STEP)
  if (error instanceof NothingToDo) core.notice(`${message} Nothing was sent.`)
  else if (goesOn) core.warning(`${message} The job goes on because "${decider}" is "warn".`)
  else core.setFailed(message)
}
