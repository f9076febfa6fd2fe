/**
 * What a failure means for the next try, and the loop that acts on it.
 */
import type { Budget } from './budget.ts'
import type { Clock } from './clock.ts'
import { ClientError, ConnectionError, ProtocolError, RateLimitError, ServerError } from './errors.ts'

/**
 * `unsent`: surely nothing was done, repeat. `ambiguous`: it may have been done, find out before repeating
 * what must not be done twice. `final`: it will not go better the next time.
 */
export type Disposition = 'unsent' | 'ambiguous' | 'final'

export function classify(error: unknown): Disposition {
  if (!(error instanceof ClientError)) return 'final'
  if (error.code === 'certificate') return 'final'
  if (error instanceof ConnectionError) return error.sent ? 'ambiguous' : 'unsent'
  if (error instanceof RateLimitError) return 'unsent'
  if (error instanceof ServerError || error instanceof ProtocolError) return 'ambiguous'
  // A create whose idempotency key is still in flight: an earlier try of ours, whose answer was lost, is at work.
  if (error.status === 409 && error.method === 'POST') return 'ambiguous'
  return 'final'
}

const BACKOFF_FIRST_MS = 500
const BACKOFF_MS_MAX = 8_000

/** Full jitter: any time up to a bound that doubles with each try, so that many clients do not come back at once. */
export function backoffMs(clock: Clock, tries: number): number {
  return Math.round(clock.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_FIRST_MS * 2 ** tries))
}

export interface RetryOptions<T> {
  clock: Clock
  budget: Budget
  /** Told of every failure after which there will be another try. */
  onRetry?: ((error: ClientError, waitMs: number) => void) | undefined
  /**
   * Called after an ambiguous failure. @returns the result where it turns out that the attempt has succeeded,
   * `undefined` to repeat it. What it throws ends the call.
   */
  recover?: (error: ClientError) => Promise<T | undefined>
  /** Failures that would only come again, besides those that are final for all calls. */
  isFinal?: (error: ClientError) => boolean
}

/**
 * Repeats an attempt until it succeeds, fails for good, or the budget does not hold another wait.
 * @throws the last ClientError, which then tells attempts, time and whether the request may have taken effect
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { clock, budget, onRetry, recover, isFinal }: RetryOptions<T>,
): Promise<T> {
  let mayHaveTakenEffect = false
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      const disposition = classify(error)
      mayHaveTakenEffect ||= disposition === 'ambiguous'
      try {
        if (disposition === 'final' || isFinal?.(error)) throw error
        if (disposition === 'ambiguous' && recover) {
          const result = await recover(error)
          if (result !== undefined) return result
          mayHaveTakenEffect = false
        }
        const waitMs = Math.max(error.retryAfterMs ?? 0, backoffMs(clock, tries))
        if (waitMs >= budget.remainingMs()) throw error
        onRetry?.(error, waitMs)
        await clock.sleep(waitMs, budget.signal)
      } catch (last) {
        if (last instanceof ClientError) {
          Object.assign(last, { attempts: budget.attempts, elapsedMs: budget.elapsedMs(), mayHaveTakenEffect })
        }
        throw last
      }
    }
  }
}
