/**
 * The time that one call of the client may take, retries and looks included.
 */
import type { Clock } from './clock.ts'

/** One attempt may use this share of the budget, so that a silent service leaves time to look and to retry. */
const ATTEMPT_SHARE = 1 / 3
/** A TLS connection over a slow network needs some time, however small the budget. */
const ATTEMPT_MS_MIN = 2_000
/** Waiting longer for one answer has never been seen to help. */
const ATTEMPT_MS_MAX = 10_000

export interface Budget {
  /** Ends what is under way when the caller gives up. */
  readonly signal: AbortSignal
  readonly totalMs: number
  /** Requests tried so far. */
  attempts: number
  elapsedMs(): number
  remainingMs(): number
  /** Counts one more attempt. @param whole it may take all that is left @returns its own time limit in milliseconds, and a signal that ends it then */
  startAttempt(whole?: boolean): { limitMs: number; signal: AbortSignal }
}

export function createBudget(clock: Clock, totalMs: number, signal?: AbortSignal): Budget {
  const startedAt = clock.now()
  const callerSignal = signal ?? new AbortController().signal
  const elapsedMs = () => clock.now() - startedAt
  const remainingMs = () => Math.max(0, totalMs - elapsedMs())
  return {
    signal: callerSignal,
    totalMs,
    attempts: 0,
    elapsedMs,
    remainingMs,
    startAttempt(whole = false) {
      this.attempts++
      const share = Math.min(ATTEMPT_MS_MAX, Math.max(ATTEMPT_MS_MIN, totalMs * ATTEMPT_SHARE))
      const limitMs = Math.max(1, Math.ceil(whole ? remainingMs() : Math.min(share, remainingMs())))
      return { limitMs, signal: AbortSignal.any([callerSignal, AbortSignal.timeout(limitMs)]) }
    },
  }
}
