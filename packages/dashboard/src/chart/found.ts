/** Places the marks that a query found on a chart; those that would overlap become one. Pure. */

/** One row of the query. */
export interface Found {
  /** Milliseconds since the epoch. */
  ms: number
  title: string
}

export interface FoundGroup {
  found: readonly Found[]
  /** The position of the first mark, in pixels from the left edge of the plot. */
  x: number
  /** Whether the mark is in the right half of the plot. */
  isRight: boolean
}

/** A finger cannot tell marks apart that are closer. */
const GROUP_PX = 22

/**
 * @param found ascending by time
 * @param toX converts milliseconds to pixels from the left edge of the plot
 * @param width of the plot in pixels
 */
export function layoutFound(found: readonly Found[], toX: (ms: number) => number, width: number): FoundGroup[] {
  const groups: { found: Found[]; x: number; isRight: boolean }[] = []
  for (const one of found) {
    const x = toX(one.ms)
    if (x < 0 || x > width) continue
    const last = groups.at(-1)
    if (last && x - last.x < GROUP_PX) last.found.push(one)
    else groups.push({ found: [one], x, isRight: x > width / 2 })
  }
  return groups
}
