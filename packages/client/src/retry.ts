/**
 * When a request is tried again: what a failure means for the next try, the pause before it, and the time that all tries
 * of a call share. Deliberately not here: the loop that acts on it (calls.ts).
 */
import type { Clock } from './clock.ts'
import { type ClientError, ConnectionError, ProtocolError, RateLimitError, ServerError } from './errors.ts'
import { UNDONE } from './reply.ts'
import { isTooLong } from './transport.ts'

/**
 * `unsent`: certainly nothing was done, repeat. `ambiguous`: it may have been done, find out before repeating
 * what must not be done twice. `final`: another try would not help.
 */
type Disposition = 'unsent' | 'ambiguous' | 'final'

export function classify(error: ClientError): Disposition {
  if (error.code === 'certificate' || error.code === 'tls' || error.code === 'proxy') return 'final'
  // What is too long to be read is as long the next time.
  if (error.method === 'GET' && isTooLong(error)) return 'final'
  if (error instanceof ConnectionError) return error.sent ? 'ambiguous' : 'unsent'
  if (error instanceof RateLimitError || UNDONE.includes(error.status ?? 0)) return 'unsent'
  if (error instanceof ServerError || error instanceof ProtocolError) return 'ambiguous'
  // A create whose idempotency key is still in flight: an earlier try of ours, whose answer was lost, is at work.
  if (error.status === 409 && error.method === 'POST') return 'ambiguous'
  return 'final'
}

const BACKOFF_FIRST_MS = 500
const BACKOFF_MS_MAX = 8_000

/** One attempt may use this share of the budget, so that a silent service leaves time to look and to retry. */
const ATTEMPT_SHARE = 1 / 3
/** A TLS connection over a slow network needs some time, however small the budget. */
const ATTEMPT_MS_MIN = 2_000
/** Waiting longer for one answer has never been seen to help. */
const ATTEMPT_MS_MAX = 10_000
/** Kept for one more attempt where the pause before it would take the rest of the budget. */
const LAST_ATTEMPT_SHARE = 1 / 4

/** How long one attempt may take, and what ends it. */
export interface Attempt {
  limitMs: number
  /** Fires when the time is over or the caller gives up. */
  signal: AbortSignal
}

/** The time that one call of the client may take, retries and lookups included, and the requests it has tried. */
export class Budget {
  /** Requests that were tried, lookups included. */
  attempts = 0
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #totalMs: number
  readonly #startedAt: number

  /** @param signal ends what is under way when the caller gives up */
  constructor(clock: Clock, totalMs: number, signal: AbortSignal = new AbortController().signal) {
    this.signal = signal
    this.#clock = clock
    this.#totalMs = totalMs
    this.#startedAt = clock.elapsedMs()
  }

  get elapsedMs(): number {
    return this.#clock.elapsedMs() - this.#startedAt
  }

  get remainingMs(): number {
    return Math.max(0, this.#totalMs - this.elapsedMs)
  }

  /**
   * Full jitter: any time up to a bound that doubles with each try, so that many clients do not come back at once; longer
   * where the service said so; shorter where the budget would end before the next attempt.
   * @param tries how often the request was tried before
   * @returns milliseconds; `undefined` where there is no time for another attempt
   */
  pauseMs({ retryAfterMs = 0 }: ClientError, tries: number): number | undefined {
    const roomMs = this.remainingMs - Math.min(ATTEMPT_MS_MIN, this.#totalMs * LAST_ATTEMPT_SHARE)
    if (roomMs <= 0 || retryAfterMs >= this.remainingMs) return undefined
    const backoffMs = Math.round(this.#clock.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_FIRST_MS * 2 ** tries))
    return Math.max(retryAfterMs, Math.min(backoffMs, roomMs))
  }

  /** Rejects with the caller's reason where the caller gives up. */
  sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms, this.signal)
  }

  /** Counts one more attempt. @param share of the time that is left that it may take; see {@link ATTEMPT_SHARE} */
  startAttempt(share?: number): Attempt {
    this.attempts++
    const wantedMs = share === undefined ? Math.min(ATTEMPT_MS_MAX, this.#totalMs * ATTEMPT_SHARE) : this.remainingMs * share
    const limitMs = Math.max(1, Math.ceil(Math.min(Math.max(ATTEMPT_MS_MIN, wantedMs), this.remainingMs)))
    const timeout = AbortSignal.timeout(limitMs)
    // Node 20 forgets a timeout that only another signal goes by when it collects garbage, and then nothing ends the attempt.
    timeout.addEventListener('abort', () => undefined, { once: true })
    return { limitMs, signal: AbortSignal.any([this.signal, timeout]) }
  }
}
