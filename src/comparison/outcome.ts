/**
 * What people see of the step `compare`: its log, outputs and job summary, and the message that fails the job.
 */
import type { Comparison } from '@deployment-annotations/compare/comparison'
import { toJson, toMarkdown, toText } from '@deployment-annotations/compare/report'
import { isFailing } from '@deployment-annotations/compare/verdict'
import { describeComparison } from '@deployment-annotations/compare/words'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { toLog } from '@deployment-annotations/inputs/text'
import { core, summarize } from '../action/toolkit.ts'

/** @param summary whether to write it into the job summary too */
export async function reportComparison(comparison: Comparison, failOn: readonly Verdict[], summary: boolean): Promise<void> {
  const { verdict, event } = comparison
  core.setOutput('verdict', verdict)
  core.setOutput('comparison', toJson(comparison))
  for (const line of toText(comparison, toLog)) core.info(line)
  if (summary) await summarize(toMarkdown(comparison))
  const message = toLog(`${event}: ${describeComparison(comparison)}`)
  const failing = comparison.series.filter((one) => isFailing(one.verdict, failOn))
  if (failing.length > 0 || isFailing(verdict, failOn)) {
    const names = failing.map(({ name, verdict: why }) => `${name} is "${why}"`).join(', ') || `the verdict is "${verdict}"`
    core.setFailed(`${message} ${toLog(describeWindows(comparison))} The job fails because of "failOn": ${toLog(names)}.`)
  } else if (verdict === 'worse' || verdict === 'gone') core.warning(message)
  else core.info(message)
}

/** Sets empty outputs if the service could not be asked. */
export function reportNothing(): void {
  core.setOutput('verdict', '')
  core.setOutput('comparison', '')
}

function describeWindows({ windows: { before, after } }: Comparison): string {
  return `Compared: ${before.startTime} to ${before.endTime} with ${after.startTime} to ${after.endTime}.`
}
