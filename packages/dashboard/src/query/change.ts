/** How much a value has changed since an earlier time, in the words of the reports of comparisons. Pure. */
import type { ComparedSeries } from '@deployment-annotations/compare/comparison'
import { describeChange } from '@deployment-annotations/compare/words'

/** @returns such as `+44 %`, `−38 %` or `×2.10`; `–` where the earlier value leaves nothing to measure a change by */
export function describeValueChange(value: number, before: number): string {
  const ratio = before < 0 || (before === 0 && value < 0) ? Number.NaN : value / before
  const change = value === before ? 0 : ratio - 1
  // A single value has no interval, and the other members of a compared series do not change what its change is called.
  return describeChange({ change, low: Number.NaN, high: Number.NaN } as ComparedSeries)
}
