/**
 * How long one waits in a queue. Whoever is refused is to know it soon, and whoever is not is to have the answer while it is still wanted:
 * so a wait is judged when it begins, by how fast the queue moves, once more a moment later, when that is known better, and
 * then no more until it has really been too long.
 */

/** When the second look is: after a second, a refusal is one that was waited for. */
export const JUDGED_AFTER_MS = 300
/** At least, because at first nothing is known of a queue that was empty. */
const JUDGED_AFTER_MS_MIN = 150
/** Of the longest wait: what may be expected, because a queue may become slower. */
const EXPECTED_PART = 0.5

interface Wait {
  /** When the request came that waits, by the monotonic clock. */
  sinceMs: number
  waitMsMax: number
}

/** @param expectedMs how much longer it is going to wait */
export function isTooLong({ sinceMs, waitMsMax }: Wait, expectedMs: number, nowMs = performance.now()): boolean {
  return nowMs - sinceMs + expectedMs > waitMsMax * EXPECTED_PART
}

/** @returns what is to be called when the wait has ended in another way */
export function watchWait(wait: Wait, { expectedMs, refuse }: { expectedMs: () => number; refuse: () => void }): () => void {
  const waitedMs = performance.now() - wait.sinceMs
  const judge = () => {
    if (isTooLong(wait, expectedMs())) refuse()
  }
  const timers = [
    setTimeout(judge, Math.max(JUDGED_AFTER_MS_MIN, JUDGED_AFTER_MS - waitedMs)),
    setTimeout(refuse, Math.max(0, wait.waitMsMax - waitedMs)),
  ]
  return () => timers.forEach(clearTimeout)
}
