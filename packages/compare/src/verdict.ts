/** What follows from the verdicts of several series. */
import { VERDICTS, type Verdict } from '@deployment-annotations/contract/verdict'

/** The gravest decides; `same` is said only where all are. */
export function summarizeVerdicts(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'too-little-data'
}

/** @returns whether a gate that names these verdicts stops here: what is gone is worse, too */
export function isFailing(verdict: Verdict, failOn: readonly Verdict[]): boolean {
  return failOn.includes(verdict) || (verdict === 'gone' && failOn.includes('worse'))
}
