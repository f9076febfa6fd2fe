/** Places the marks that a query found on a chart; those that would overlap become one. Pure. */
import type { Group } from './mark-bar.tsx'

/** One row of the query. */
export interface Found {
  /** Milliseconds since the epoch. */
  ms: number
  title: string
}

export type FoundGroup = Group<Found>

/** A finger cannot tell marks apart that are closer. */
const GROUP_PX = 22

/**
 * @param found ascending by time
 * @param toX converts milliseconds to pixels from the left edge of the plot
 * @param width of the plot in pixels
 */
export function layoutFound(found: readonly Found[], toX: (ms: number) => number, width: number): FoundGroup[] {
  const groups: (FoundGroup & { marks: Found[] })[] = []
  for (const one of found) {
    const x = toX(one.ms)
    if (x < 0 || x > width) continue
    const last = groups.at(-1)
    if (last && x - last.x < GROUP_PX) last.marks.push(one)
    else groups.push({ marks: [one], x, isRight: x > width / 2 })
  }
  return groups
}
