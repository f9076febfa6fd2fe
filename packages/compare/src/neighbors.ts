/**
 * Other marks near an event. What happens after one of them may be its doing, so the windows end at it, where that leaves enough;
 * where it does not, the change is shared by all of them.
 */
import type { Span, Windows } from './windows.ts'

/** Another mark: how people call it, and when it was. */
export interface Mark extends Span {
  name: string
}

export interface Neighbor {
  name: string
  timeMs: number
  side: 'before' | 'after'
  /** The window ends at it; otherwise it lies within, and a change may be of either. */
  isCutOff: boolean
}

/** The window after an event may be cut to this share of its length, … */
const AFTER_SHARE = 0.5
/** … and the one before to as much as is looked at after. */
const BEFORE_SHARE = 1

/** @returns the windows without what others may have changed, as far as that leaves enough, and who is near */
export function cutAtNeighbors(windows: Windows, marks: readonly Mark[]): { windows: Windows; neighbors: Neighbor[] } {
  const { before, after } = windows
  const length = after.endMs - after.startMs
  const later = marks.filter(({ startMs }) => startMs >= after.startMs && startMs < after.endMs)
  const earlier = marks.filter(({ endMs, startMs }) => endMs > before.startMs && startMs < after.startMs)
  // Each mark at which a window may end leaves enough by itself; the nearest of them ends it.
  const endsAfter = (mark: Mark) => mark.startMs - after.startMs >= AFTER_SHARE * length
  const endsBefore = (mark: Mark) => before.endMs - mark.endMs >= BEFORE_SHARE * length
  const endMs = Math.min(after.endMs, ...later.filter(endsAfter).map((mark) => mark.startMs))
  const startMs = Math.max(before.startMs, ...earlier.filter(endsBefore).map((mark) => mark.endMs))
  const describe = (mark: Mark, side: Neighbor['side'], isCutOff: boolean): Neighbor => ({
    name: mark.name,
    timeMs: mark.startMs,
    side,
    isCutOff,
  })
  return {
    windows: {
      ...windows,
      before: { startMs, endMs: before.endMs },
      after: { startMs: after.startMs, endMs },
    },
    neighbors: [
      ...earlier.map((mark) => describe(mark, 'before', endsBefore(mark))),
      ...later.map((mark) => describe(mark, 'after', endsAfter(mark))),
    ],
  }
}

/** A shorter value, such as `1`, is in many names by chance. */
const NAMED_LENGTH_MIN = 3

/** A value that carries a change. */
interface Carried {
  field: string
  value: string
}

/** @returns whose name has one of the values, such as its version: the event's own, or that of a neighbor within the windows */
export function findOwner<T extends Carried>(
  carriers: readonly T[],
  event: string,
  neighbors: readonly Neighbor[],
): { name: string; isOwn: boolean; carrier: T } | undefined {
  const telling = carriers.filter(({ value }) => value.length >= NAMED_LENGTH_MIN)
  const own = telling.find(({ value }) => hasWord(event, value))
  if (own) return { name: event, isOwn: true, carrier: own }
  // What the windows end at was the same on both sides.
  const within = neighbors.filter(({ isCutOff }) => !isCutOff)
  const carrier = telling.find(({ value }) => within.some(({ name }) => hasWord(name, value)))
  const owner = carrier && within.find(({ name }) => hasWord(name, carrier.value))
  return carrier && owner && { name: owner.name, isOwn: false, carrier }
}

/** @returns whether the text has the value as a whole: `2.1` is not in `2.15` */
export function hasWord(text: string, value: string): boolean {
  const at = text.indexOf(value)
  const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character)
  return at !== -1 && !isPart(text[at - 1]) && !isPart(text[at + value.length])
}
