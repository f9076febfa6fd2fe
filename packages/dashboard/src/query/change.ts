/** How much a value has changed since an earlier time, in the words of the reports of comparisons. Pure. */
import { formatChange } from '@deployment-annotations/compare/words'

/** @returns such as `+44 %`, `−38 %` or `×2.10`; `–` where the earlier value leaves nothing to measure a change by */
export function describeValueChange(value: number, before: number): string {
  const ratio = before < 0 || (before === 0 && value < 0) ? Number.NaN : value / before
  return formatChange(value === before ? 0 : ratio - 1)
}
