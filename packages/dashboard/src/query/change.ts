/** How much more or less a figure is than it was before, in words. Pure. */

/** @returns such as `12% more`; where there was nothing before, no share of it */
export function describeChange(value: number, before: number): string {
  if (value === before) return 'the same'
  const word = value > before ? 'more' : 'less'
  if (before === 0) return word
  const share = Math.abs((value - before) / before)
  // Twenty times as much is easier to grasp than 1,900% more.
  if (share >= 10 && value > before && before > 0) return `${Math.round(value / before)} times as much`
  return `${new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: share < 1 ? 2 : 3 }).format(share)} ${word}`
}
