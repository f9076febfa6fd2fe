/** Combines the verdicts of several series. */
import { VERDICTS, type Verdict } from '@deployment-annotations/contract/verdict'

/** The most serious verdict decides; the result is `same` only if all are. */
export function summarizeVerdicts(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive'
}

/** @returns whether one of these verdicts fails the job; `worse` includes `gone` */
export function isFailing(verdict: Verdict, failOn: readonly Verdict[]): boolean {
  return failOn.includes(verdict) || (verdict === 'gone' && failOn.includes('worse'))
}
