/**
 * Callers that do not wait as long as `Retry-After` says: each time that one comes again too early and has to be refused again, its
 * refusal is held back longer. A connection has one request under way (pipelining.ts), so a caller that asks in a loop is slowed down,
 * and takes less of the service than those whose place it wants.
 */
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { callerIdOf } from './auth.ts'

/** How long the first refusal of a caller that came too early is held back; it doubles up to the maximum, in milliseconds. */
const HELD_MS = 50
const HELD_MS_MAX = 600
/**
 * A refusal is of use within a second: none is held back longer than this after its request was seen, which may have waited already, and
 * before that on its connection.
 */
const ANSWERED_MS_MAX = 650
/** Requests of a caller that come so soon after the first that was refused may have been under way then, and could not know. */
const UNKNOWING_MS = 500
/** How many callers are remembered; beyond that, those that were refused longest ago are forgotten. */
const CALLERS_MAX = 10_000

interface Refused {
  /** When its refusals began, and until when it was told to wait, by the monotonic clock. */
  firstMs: number
  untilMs: number
  tooEarly: number
}

/** One caller can have several connections. A connection that respects `Retry-After` is not punished for the others. */
export function createRefusals(): (request: RefusedRequest, retryAfterS: number) => number {
  const callers = new LRUCache<string, Refused>({ max: CALLERS_MAX })
  /** Until when each was told to wait. */
  const connections = new WeakMap<object, number>()
  return (request, retryAfterS) => {
    const caller = callerIdOf(request)
    const { arrivedMs, raw } = request
    const nowMs = performance.now()
    const untilMs = nowMs + retryAfterS * 1_000
    const before = callers.get(caller)
    const isFirst = !before || arrivedMs > before.untilMs
    const isEarly =
      arrivedMs <= (connections.get(raw.socket) ?? (isFirst || arrivedMs <= before.firstMs + UNKNOWING_MS ? 0 : before.untilMs))
    const tooEarly = (isFirst ? 0 : before.tooEarly) + (isEarly ? 1 : 0)
    connections.set(raw.socket, untilMs)
    callers.set(caller, { firstMs: isFirst ? nowMs : before.firstMs, untilMs, tooEarly })
    if (!isEarly) return 0
    const heldMs = Math.min(HELD_MS * 2 ** Math.min(tooEarly - 1, 10), HELD_MS_MAX)
    return Math.max(0, Math.min(heldMs, arrivedMs + ANSWERED_MS_MAX - nowMs))
  }
}

type RefusedRequest = Pick<FastifyRequest, 'token' | 'ip' | 'arrivedMs' | 'raw'>
