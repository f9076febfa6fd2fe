/**
 * The result of a job as the line says it that closes its span, by a word of its CI or an exit code.
 */
import { type JobResult, jobResultOf } from '@deployment-annotations/contract/job-result'

/**
 * @param text a word of a CI, in any case and with any separators, or the exit code of what was run; '' where nobody says
 * @returns `success`, `failure`, `canceled` or `skipped`, perhaps with the exit code in parentheses; otherwise `ended`, with the word if
 *   it is harmless in a log
 */
export function readResult(text: string): string {
  const said = text.replace(/^[\s"']+|(?<![\s"'])[\s"']+$/g, '')
  if (/^-?\d{1,10}$/.test(said)) return describeExit(Number(said))
  const known = /^[a-z _-]+$/i.test(said) ? jobResultOf(said) : undefined
  if (known) return known
  return said !== 'ended' && /^[a-z][\w .-]{0,39}$/i.test(said) ? `ended (${said})` : 'ended'
}

export function describeExit(exitCode: number): string {
  const result: JobResult = exitCode === 0 ? 'success' : 'failure'
  return `${result} (exit code ${exitCode})`
}

/** @param result as it stands in the line: a word, and perhaps more about it in parentheses */
export function isFailure(result: string): boolean {
  return /^failure\b/.test(result)
}
