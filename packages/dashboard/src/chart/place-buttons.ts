/** Decides on which side of its mark each button is, and how wide it may be. Pure. */

export interface Placed {
  /** The position of the mark, in pixels from the left edge of the plot. */
  x: number
  /** The most pixels that the button may take. */
  room: number
  /** Whether the button is to the left of its mark: the latest deployment is at the right edge, where its title has no room. */
  opensLeft: boolean
}

/** The gap between two buttons. */
const GAP_PX = 4
/** A longer title is cut, because nobody wants to read more there. */
const BUTTON_PX_MAX = 200

/**
 * Places the buttons from left to right. A button is to the right of its mark, unless its title fits only into the free room on the
 * left.
 * @param groups ascending by `x`
 * @param wantedOf returns the width of a button with its whole text, in pixels
 */
export function placeButtons<Group extends Placed>(
  groups: readonly Group[],
  width: number,
  wantedOf: (group: Group) => number,
): void {
  let takenTo = 0
  for (const [at, group] of groups.entries()) {
    const wanted = Math.min(BUTTON_PX_MAX, wantedOf(group))
    const right = (groups[at + 1]?.x ?? width) - group.x - GAP_PX
    const left = group.x - takenTo - GAP_PX
    group.opensLeft = right < wanted && left > right
    group.room = Math.min(BUTTON_PX_MAX, group.opensLeft ? left : right)
    takenTo = group.opensLeft ? group.x : group.x + Math.min(wanted, group.room)
  }
}
