/** Combines the verdicts of several series. */
import { VERDICTS, type Verdict } from '@deployment-annotations/contract/verdict'

/** The most serious verdict decides; the result is `same` only if all are. */
export function summarizeVerdicts(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive'
}

/** Larger evidence counts no more: less than once in ten thousand times is sure. */
const EVIDENCE_MAX = 4
/** The change from which on a larger one counts no more, as a factor. */
const TIMES_MAX = 100

type Ranked = { verdict: Verdict; name: string; change: number; chance?: number }

/** @returns the most serious verdict first, and of the same the surest and largest change; percentiles beside p95 count half */
export function rankByHarm<T extends Ranked>(series: readonly T[]): T[] {
  const weightOf = ({ name, change, chance = 0 }: Ranked) => {
    const evidence = Math.min(EVIDENCE_MAX, -Math.log10(chance))
    const size = Math.min(Math.log(TIMES_MAX), Math.abs(Math.log1p(Math.max(1 / TIMES_MAX - 1, change))))
    return evidence * size * (/p(?!95$)\d+$/.test(name) ? 0.5 : 1)
  }
  return series.toSorted(
    (a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || (weightOf(b) || 0) - (weightOf(a) || 0),
  )
}

/** @returns whether one of these verdicts fails the job; `worse` includes `gone` */
export function isFailing(verdict: Verdict, failOn: readonly Verdict[]): boolean {
  return failOn.includes(verdict) || (verdict === 'gone' && failOn.includes('worse'))
}
