/** Decides on which side of its mark each button is, and how wide it may be. Pure. */

export interface Placed {
  /** The position of the mark, in pixels from the left edge of the plot. */
  x: number
  /** The most pixels that the button may take. */
  room: number
  /** Whether the button is to the left of its mark: the latest deployment is at the right edge, where its title has no room. */
  opensLeft: boolean
  /** The row that it is in, the uppermost first. */
  row: number
}

/** The rows of buttons. */
export const ROWS = 2
/** The gap between two buttons. */
const GAP_PX = 4
/** A longer title is cut, because nobody wants to read more there. */
const BUTTON_PX_MAX = 200

/**
 * Places the buttons from left to right. A button is to the right of its mark, unless its title fits only into the free room on the left.
 * One that would lie on another is in the next row; where all rows are taken, the one that began farthest away is shortened.
 * @param groups ascending by `x`
 * @param wantedOf returns the width of a button with its whole text, in pixels
 */
export function placeButtons<Group extends Placed>(
  groups: readonly Group[],
  width: number,
  wantedOf: (group: Group) => number,
): void {
  const rows = Array.from({ length: ROWS }, (): { end: number; last?: Group } => ({ end: -GAP_PX }))
  for (const group of groups) {
    const wanted = Math.min(BUTTON_PX_MAX, wantedOf(group))
    const { x } = group
    const freeFrom = (from: number) => rows.findIndex(({ end }) => end + GAP_PX <= from)
    const [right, left] = [x + wanted <= width ? freeFrom(x) : -1, freeFrom(x - wanted)]
    group.opensLeft = right < 0 && left >= 0
    const begins = rows.map(({ last }) => last?.x ?? 0)
    group.row = right >= 0 ? right : left >= 0 ? left : begins.indexOf(Math.min(...begins))
    const at = rows[group.row]
    if (!at) continue
    if (at.last && at.end + GAP_PX > x) at.last.room = Math.min(at.last.room, x - at.last.x - GAP_PX)
    group.room = group.opensLeft ? wanted : Math.min(wanted, width - x)
    at.end = group.opensLeft ? x : x + group.room
    at.last = group
  }
}
