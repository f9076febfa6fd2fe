/** On which side of its mark each button lies, and how wide it may be: where its title has room. Pure. */

export interface Placed {
  /** Of the mark, in pixels from the left edge of the plot. */
  x: number
  /** The most pixels that the button may take. */
  room: number
  /** The button lies to the left of `x`: what was deployed just now is at the right edge, where its title has no room. */
  opensLeft: boolean
}

/** Between two buttons. */
const GAP_PX = 4
/** Longer titles are cut: they say more than one wants to read there. */
const BUTTON_PX_MAX = 200

/**
 * From the left to the right: a button lies to the right of its mark, unless only the room to the left is enough for its title, which
 * what stands there already leaves free.
 *
 * @param groups ascending by `x`
 * @param wantedOf the width of a button with the whole of its text, in pixels
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
