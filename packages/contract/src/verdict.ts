/** What is said of a release, and of each series that was compared around it; of the wire, and of whoever judges. */

/**
 * The most telling first. `gone`: there was data nearly always before, and there is none now. `lower` and `higher` are changes of which nobody
 * said whether they are bad. `inconclusive`: a change that matters can be neither found nor ruled out.
 */
export const VERDICTS = ['gone', 'worse', 'lower', 'better', 'higher', 'inconclusive', 'same'] as const
export type Verdict = (typeof VERDICTS)[number]

/**
 * What a comparison found beside the verdict. `harmless`: no harm, also where a change of no matter for good or bad cannot be ruled out.
 * `partly-harmless`: no harm on some datasets, and on the others it cannot be told apart from another release. `restored`: what an earlier
 * release hurt is back.
 */
export const FINDINGS = ['harmless', 'partly-harmless', 'restored'] as const

/** What is gone is worse, too. */
export const isWorse = (verdict: Verdict | undefined): boolean => verdict === 'worse' || verdict === 'gone'
