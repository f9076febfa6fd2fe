/**
 * Lengths of time: the units that every text counts in, durations as Go writes them, and how a length is shown to people.
 * Deliberately not here: the timespans of the query language, which has more spellings and clock forms.
 */

/** Nanoseconds of one unit. */
export const UNIT_NS = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
} as const

/** Milliseconds of one unit, for clocks and charts, which count in them. */
export const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** One part of a duration. Micro may be written with either of the two letters that look alike, as in Go. */
const PART = /(\d{1,9})(ns|us|µs|μs|ms|s|m|h|d)/g
export const DURATION_PATTERN = new RegExp(`^(?:${PART.source})+$`)

/**
 * Reads a duration such as `720h`, `1h30m` or `7d`: what Go writes of whole numbers, and days besides.
 * @returns nanoseconds, or `undefined` if the text is not one (a fraction, a sign, a number without a unit)
 */
export function parseDuration(text: string): bigint | undefined {
  if (!DURATION_PATTERN.test(text)) return undefined
  let ns = 0n
  for (const [, count = '', unit = ''] of text.matchAll(PART)) {
    ns += BigInt(count) * UNIT_NS[unit.replace(/^[µμ]s$/, 'us') as keyof typeof UNIT_NS]
  }
  return ns
}

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
