/**
 * Long work in slices, between which the event loop is yielded to other requests.
 */
import { setImmediate as turn } from 'node:timers/promises'

/** How long one piece of work may keep the event loop. */
const SLICE_MS = 8

/** @returns a function to call between the parts of long work: it yields the event loop when a slice is over */
export function startSlices(): () => Promise<void> {
  let from = performance.now()
  return async () => {
    if (performance.now() - from <= SLICE_MS) return
    await turn()
    from = performance.now()
  }
}
