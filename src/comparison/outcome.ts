/**
 * What people see of the step `compare`: its log, outputs and job summary, and the message that fails the job.
 */
import { describeTimes, type Report, toMarkdown, toText } from '@deployment-annotations/compare/report'
import { isFailing } from '@deployment-annotations/compare/verdict'
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import { toLog } from '@deployment-annotations/inputs/text'
import { core, summarize } from '../action/toolkit.ts'

/** @param summary whether to write it into the job summary too */
export async function reportComparison(report: Report, failOn: readonly Verdict[], summary: boolean): Promise<void> {
  const { verdict, series } = report
  core.setOutput('verdict', verdict)
  core.setOutput('comparison', JSON.stringify(report))
  const [sentence = '', ...lines] = toText(report, toLog)
  const failing = series.filter((one) => isFailing(one.verdict, failOn))
  if (failing.length > 0 || isFailing(verdict, failOn)) {
    const names = failing.map(({ name, verdict: why }) => `${name} is "${why}"`).join(', ') || `the verdict is "${verdict}"`
    core.setFailed(`${sentence}. ${describeTimes(report.windows)} The job fails because of "failOn": ${toLog(names)}.`)
  } else if (isWorse(verdict)) core.warning(sentence)
  else core.info(sentence)
  for (const line of lines) core.info(line)
  if (summary) await summarize(toMarkdown(report))
}

/** Sets empty outputs if the service could not be asked. */
export function reportNothing(): void {
  core.setOutput('verdict', '')
  core.setOutput('comparison', '')
}
