/** What is said of a series, and of all of them together. */

/**
 * The gravest first. `gone`: there was data nearly always before, and there is none now. `lower` and `higher` are changes of which nobody
 * said whether they are bad. `too-little-data`: a change that matters can be neither found nor ruled out.
 */
export const VERDICTS = ['gone', 'worse', 'lower', 'higher', 'better', 'too-little-data', 'same'] as const
export type Verdict = (typeof VERDICTS)[number]

/** The gravest decides; `same` is said only where all are. */
export function summarizeVerdicts(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'too-little-data'
}

/** @returns whether a gate that names these verdicts stops here: what is gone is worse, too */
export function isFailing(verdict: Verdict, failOn: readonly Verdict[]): boolean {
  return failOn.includes(verdict) || (verdict === 'gone' && failOn.includes('worse'))
}
