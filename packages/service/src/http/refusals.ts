/**
 * Callers that do not wait as long as `Retry-After` says: each time that one comes again too early and has to be refused again, its
 * refusal is held back longer. A connection has one request under way (pipelining.ts), so a caller that asks in a loop is slowed down,
 * and takes less of the service than those whose place it wants.
 */
import type { FastifyRequest } from 'fastify'

/** How long the first refusal of a caller that came too early is held back; it doubles up to the maximum, in milliseconds. */
const HELD_MS = 50
const HELD_MS_MAX = 700
/** A refusal is of use within a second: none is held back longer than this after its request came, which may have waited already. */
const ANSWERED_MS_MAX = 900
/** How many callers are remembered; beyond that, those that were refused longest ago are forgotten. */
const CALLERS_MAX = 10_000

interface Refused {
  /** When its refusals began, and until when it was told to wait, by the monotonic clock. */
  firstMs: number
  untilMs: number
  tooEarly: number
}

/**
 * @returns a function to call for each request that is refused, with the seconds that its caller is told to wait; it returns for how
 * many milliseconds the answer is to be held back
 */
export function createRefusals(): (request: Pick<FastifyRequest, 'token' | 'ip' | 'arrivedMs'>, retryAfterS: number) => number {
  const callers = new Map<string, Refused>()
  return ({ token, ip, arrivedMs }, retryAfterS) => {
    const caller = token?.id ?? ip
    const nowMs = performance.now()
    const untilMs = nowMs + retryAfterS * 1_000
    const before = callers.get(caller)
    callers.delete(caller)
    if (!before || arrivedMs > before.untilMs) {
      callers.set(caller, { firstMs: nowMs, untilMs, tooEarly: 0 })
      const [oldest] = callers.keys()
      if (callers.size > CALLERS_MAX && oldest !== undefined) callers.delete(oldest)
      return 0
    }
    // What came at once with the first one that was refused could not know.
    const tooEarly = before.tooEarly + (arrivedMs > before.firstMs ? 1 : 0)
    callers.set(caller, { firstMs: before.firstMs, untilMs, tooEarly })
    if (tooEarly === 0) return 0
    const heldMs = Math.min(HELD_MS * 2 ** Math.min(tooEarly - 1, 10), HELD_MS_MAX)
    return Math.max(0, Math.min(heldMs, arrivedMs + ANSWERED_MS_MAX - nowMs))
  }
}
