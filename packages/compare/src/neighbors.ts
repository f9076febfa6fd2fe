/**
 * Other annotations near an event. Each may be the cause of what happens after it, so the windows end at it if enough of them remains.
 * If not, all of them may be the cause.
 */
import type { Span, Windows } from './windows.ts'

/** Another annotation: its title and its time. */
export interface Mark extends Span {
  name: string
  /** Whether it is known to have done harm. */
  isHarmful?: boolean
}

export interface Neighbor {
  name: string
  timeMs: number
  side: 'before' | 'after'
  /** Whether the window ends at it. Otherwise it is within the window and may be the cause. */
  isCutOff: boolean
}

/** The window after the event keeps at least this share of its length, such as three of ten minutes until a rollback, … */
const AFTER_SHARE = 0.3
/** … and the one before at least this multiple of the window after. */
const BEFORE_SHARE = 1

/**
 * @returns the windows without the times that others may have changed, if enough remains, and the other annotations nearby. If the last of
 *   the time before is that of a harmful one, the time before ends at that one: a fix is compared with what was usual.
 */
export function cutAtNeighbors(
  windows: Windows,
  marks: readonly Mark[],
): { windows: Windows; neighbors: Neighbor[]; harmful: Mark | undefined } {
  const { before, after } = windows
  const length = after.endMs - after.startMs
  const later = marks.filter(({ startMs }) => startMs >= after.startMs && startMs < after.endMs)
  const earlier = marks.filter(({ endMs, startMs }) => endMs > before.startMs && startMs < after.startMs)
  // Any annotation that leaves enough may end the window; the nearest one does.
  const endsAfter = (mark: Mark) => mark.startMs - after.startMs >= AFTER_SHARE * length
  const endsBefore = (mark: Mark) => before.endMs - mark.endMs >= BEFORE_SHARE * length
  const endMs = Math.min(after.endMs, ...later.filter(endsAfter).map((mark) => mark.startMs))
  const startMs = Math.max(before.startMs, ...earlier.filter(endsBefore).map((mark) => mark.endMs))
  const isUsable = (mark: Mark) => mark.isHarmful && !endsBefore(mark) && mark.startMs - startMs >= BEFORE_SHARE * length
  const [harmful] = earlier.filter(isUsable).sort((a, b) => a.startMs - b.startMs)
  const toNeighbors = (near: readonly Mark[], side: Neighbor['side'], isCutOff: (mark: Mark) => boolean): Neighbor[] =>
    near.map((mark) => ({ name: mark.name, timeMs: mark.startMs, side, isCutOff: isCutOff(mark) }))
  const cut = { before: { startMs, endMs: harmful?.startMs ?? before.endMs }, after: { startMs: after.startMs, endMs } }
  return {
    windows: { ...windows, ...cut },
    harmful,
    neighbors: [...toNeighbors(earlier, 'before', endsBefore), ...toNeighbors(later, 'after', endsAfter)],
  }
}

/** Shorter values, such as `1`, are in many titles by chance. */
const NAMED_LENGTH_MIN = 3

/** @returns the annotation whose title has one of the values, such as its version: the compared one, or another within the windows */
export function findOwner<T extends { value: string }>(
  carriers: readonly T[],
  event: string,
  neighbors: readonly Neighbor[],
): { name: string; isOwn: boolean; carrier: T } | undefined {
  const own = carriers.find(({ value }) => isNamedIn(event, value))
  if (own) return { name: event, isOwn: true, carrier: own }
  // An annotation at the end of a window did not change anything within it.
  const within = neighbors.filter(({ isCutOff }) => !isCutOff)
  const carrier = carriers.find(({ value }) => within.some(({ name }) => isNamedIn(name, value)))
  const owner = carrier && within.find(({ name }) => isNamedIn(name, carrier.value))
  return carrier && owner && { name: owner.name, isOwn: false, carrier }
}

/** @returns whether a title names the value that carries a change */
export const isNamedIn = (title: string, value: string): boolean => value.length >= NAMED_LENGTH_MIN && hasWord(title, value)

/** A value makes nearly all of a change from this share of it on. */
export const NEARLY_ALL = 0.8

/** @returns the values that make nearly all of a change; that a release carries its own version says nothing new */
export function mainCarriers<T extends { value: string; part?: number }>(carriers: readonly T[], event: string): T[] {
  return carriers.filter(({ value, part = 0 }) => part >= NEARLY_ALL && !isNamedIn(event, value))
}

/** @returns whether the text has the value as a whole word: `2.1` is not in `2.15` */
export function hasWord(text: string, value: string): boolean {
  const at = text.indexOf(value)
  const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character)
  return at !== -1 && !isPart(text[at - 1]) && !isPart(text[at + value.length])
}
