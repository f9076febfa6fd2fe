/** What is said of a series, and of all of them together. */
export const VERDICTS = ['worse', 'better', 'same', 'too little data'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One that got worse decides. What had too little data says nothing, unless all had. */
export function summarizeVerdicts(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'too little data'
}
