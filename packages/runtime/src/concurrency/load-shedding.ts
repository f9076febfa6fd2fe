/**
 * Load shedding: which requests of a queue are refused. One that is refused is to know it soon, and one that is not is to have the
 * answer while it is still wanted: so a wait is judged when it begins, by how fast the queue moves, a few times within its first second,
 * as that is known better, and then no more until it has really been too long.
 */

/** When the second look is. */
export const JUDGED_AFTER_MS = 300
/** All that follow: after a second, a refusal is one that was waited for. */
const LOOKS_MS = [JUDGED_AFTER_MS, 550, 800]
/** The first of them at least, because at first nothing is known of a queue that was empty. */
const JUDGED_AFTER_MS_MIN = 150
/**
 * Of the longest wait: what may be expected in the first second, because a queue may become slower. Later on a refusal would be no quick one
 * either, so one that still waits then is refused only where the longest wait would be over.
 */
const EXPECTED_PART = 0.52
const FIRST_MS = 1_000

interface Wait {
  /** When the request came that waits, by the monotonic clock. */
  sinceMs: number
  waitMsMax: number
}

/** @param expectedMs how much longer it is going to wait */
export function isTooLong({ sinceMs, waitMsMax }: Wait, expectedMs: number, nowMs = performance.now()): boolean {
  const waitedMs = nowMs - sinceMs
  return waitedMs + expectedMs > waitMsMax * (waitedMs < FIRST_MS ? EXPECTED_PART : 1)
}

/** @returns what is to be called when the wait has ended in another way */
export function watchWait(wait: Wait, { expectedMs, refuse }: { expectedMs: () => number; refuse: () => void }): () => void {
  const waitedMs = performance.now() - wait.sinceMs
  const judge = () => {
    if (isTooLong(wait, expectedMs())) refuse()
  }
  const [first = 0, ...others] = LOOKS_MS.map((ms) => ms - waitedMs)
  const timers = [
    setTimeout(judge, Math.max(JUDGED_AFTER_MS_MIN, first)),
    ...others.filter((ms) => ms > JUDGED_AFTER_MS_MIN).map((ms) => setTimeout(judge, ms)),
    setTimeout(refuse, Math.max(0, wait.waitMsMax - waitedMs)),
  ]
  return () => timers.forEach(clearTimeout)
}
