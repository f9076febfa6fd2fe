/** How a length of time is written: the same words in what the step, the service and the page say of a span. Pure. */

/** @returns the two largest units that say something: `4 min 12 s`, `58 s`, `1 h 4 min`, `2 d 3 h`; never negative */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.round(ms / 1_000))
  const parts = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3_600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
