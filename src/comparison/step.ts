/** The whole step `compare`: read the inputs, wait for the end of the window after the event, query, compare, report. */
import type { CallOptions } from '@deployment-annotations/client/calls'
import type { Client } from '@deployment-annotations/client/client'
import { openConnection } from '@deployment-annotations/client/connection'
import { createQueryClient } from '@deployment-annotations/client/query'
import { createRedactor } from '@deployment-annotations/client/redact'
import { createCalls } from '@deployment-annotations/client/resources'
import { USER_AGENT } from '@deployment-annotations/client/version'
import { type Report, toMarkdown } from '@deployment-annotations/compare/report'
import { isFailing } from '@deployment-annotations/compare/verdict'
import { DATASET_CALLS } from '@deployment-annotations/contract/dataset'
import { lacksEvent, NO_MARK } from '@deployment-annotations/inputs/comparison'
import { explain, explainRetry, type Operation } from '@deployment-annotations/inputs/explain'
import { createAnnotationsReader } from '@deployment-annotations/inputs/read-annotations'
import { explainComparison, isComparisonOutage, runComparison } from '@deployment-annotations/inputs/run-comparison'
import { toLog } from '@deployment-annotations/inputs/text'
import { parseTexts } from '../action/parse-texts.ts'
import { readTexts } from '../action/read-texts.ts'
import { STEP } from '../action/step-door.ts'
import { createStepTransport } from '../action/step-transport.ts'
import { core, loadDebug, loadGithubReport, outliveLog } from '../action/toolkit.ts'
import {
  COMPARE_INPUT_DEFAULTS,
  type CompareInputs,
  FORMER_NAMES,
  type GithubInputs,
  parseCompareInputs,
  type RawCompareInputs,
} from './compare-inputs.ts'
import { reportComparison, reportNothing } from './outcome.ts'

/** Never throws: the exit code is set, and what went wrong is in the log. */
export async function run(): Promise<void> {
  outliveLog()
  let inputs: CompareInputs
  try {
    const parse = (texts: RawCompareInputs) => (lacksEvent(texts) ? texts.onOutage : parseCompareInputs(texts))
    const raw = readTexts(COMPARE_INPUT_DEFAULTS)
    if (core.isDebug()) (await loadDebug()).tellInputs(raw, COMPARE_INPUT_DEFAULTS, {})
    const parsed = await parseTexts(FORMER_NAMES, { raw, defaults: COMPARE_INPUT_DEFAULTS, parse })
    if (typeof parsed === 'string') return endWithoutMark(parsed)
    inputs = parsed
  } catch (error) {
    return core.setFailed(explain(error, 'read the inputs', STEP))
  }
  const { comparison: wanted, connection: given, summary } = inputs
  let operation: Operation = 'read the annotation'
  const userAgent = `${USER_AGENT} compare`
  const scheme = given.token === '' ? 'none' : 'bearer'
  try {
    await using connection = openConnection({ ...given, scheme, userAgent }, createStepTransport)
    const datasets = createCalls<Client['datasets']>(connection, DATASET_CALLS)
    const report = await runComparison(wanted, {
      client: { ...createQueryClient(connection), annotations: createAnnotationsReader(connection), datasets },
      options: callOptions,
      reach: { timeoutMs: given.timeoutMs, userAgent, createTransport: createStepTransport },
      tell: core.info,
      notice: core.notice,
      door: STEP,
      begin: (next) => {
        operation = next
      },
    })
    await reportComparison(report, wanted.failOn, summary)
    await tellGithub(report, inputs.github)
  } catch (error) {
    fail(inputs, error, operation)
  }
}

/** An error of GitHub fails the job only with `requireGithub`. */
async function tellGithub(report: Report, { token, deploymentId, isRequired }: GithubInputs): Promise<void> {
  if (token === '') return
  core.setSecret(token)
  const { reportToGithub } = await loadGithubReport()
  const problems = await reportToGithub({
    token,
    redact: createRedactor(token),
    // “Cannot tell” sets no status, because each status says more than is known.
    deploymentId: report.verdict === 'inconclusive' ? '' : deploymentId,
    text: toMarkdown(report),
    headline: report.headline,
    isBad: isFailing(report.verdict, ['worse']),
    env: process.env,
    tell: core.info,
  })
  for (const problem of problems) (isRequired ? core.setFailed : core.warning)(toLog(problem))
}

const callOptions: CallOptions = { onRetry: (failure, waitMs) => core.info(explainRetry(failure, waitMs)) }

/** With `failOn`, a comparison that did not happen fails the job. */
const GATE = 'Nothing was compared, so the job fails; "onOutage: warn" lets it go on.'

/** @param onOutage as given. Only with `fail` does the outage that prevented the annotation fail this job too */
function endWithoutMark(onOutage: string): void {
  reportNothing()
  if (onOutage === 'fail') core.setFailed(`${NO_MARK} ${GATE}`)
  else core.notice(NO_MARK)
}

function fail({ onOutage }: CompareInputs, error: unknown, operation: Operation): void {
  const message = explainComparison(error, operation, STEP)
  if (onOutage === 'warn' && isComparisonOutage(error)) {
    core.warning(`${message} Nothing was compared; the job goes on because "onOutage" is "warn".`)
    reportNothing()
  } else {
    core.setFailed(isComparisonOutage(error) ? `${message} ${GATE}` : message)
  }
}
