/**
 * The common part of Idempotency-Key: running requests by their key. A repeat waits briefly for the first one and gets the same answer.
 * Deliberately not here: stored keys and the requests of other processes, which each caller handles.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'

/** How long the keys of events and of annotations are remembered, in milliseconds. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** How long a repeat waits for the first request before it is refused, in milliseconds. */
const WAIT_MS_MAX = 2_000

export interface KeyedRequest {
  /** The key as its caller sent it, for messages. */
  readonly shown: string
  /** A hash over the caller and the key; see {@link hashOf}. */
  readonly key: string
  /** A hash over the content of the request. */
  readonly payload: string
}

/** The work for a key that no running request has. */
interface Attempt<Result> {
  /** Finds the content hash and the answer of an earlier request with this key, if it is remembered. */
  find(): Promise<{ payload: string; result: Result } | undefined>
  /** Carries out the request. */
  make(): Promise<Result>
}

export class InFlight<Result> {
  readonly #running = new Map<string, { payload: string; made: Promise<Result> }>()

  /**
   * @returns the result of this attempt, or of the first one with the key
   * @throws ServiceError `invalid` if the first one had other content, `in_flight` if it does not end in time; whatever the attempt
   *   rejects with
   */
  async once(request: KeyedRequest, attempt: Attempt<Result>): Promise<Result> {
    for (let first = this.#running.get(request.key); first; first = this.#running.get(request.key)) {
      requireSame(request, first.payload, 'body')
      const outcome = await this.#settled(first.made, request)
      if (outcome.status === 'fulfilled') return outcome.value
      // The first one failed and nothing of it was acknowledged, so this one tries itself.
    }
    const made = this.#findOrMake(request, attempt)
    this.#running.set(request.key, { payload: request.payload, made })
    try {
      return await made
    } finally {
      this.#running.delete(request.key)
    }
  }

  async #findOrMake(request: KeyedRequest, attempt: Attempt<Result>): Promise<Result> {
    const first = await attempt.find()
    if (!first) return attempt.make()
    requireSame(request, first.payload, 'body')
    return first.result
  }

  async #settled(made: Promise<Result>, { shown }: KeyedRequest): Promise<PromiseSettledResult<Result>> {
    const outcomes = await Promise.race([Promise.allSettled([made]), sleep(WAIT_MS_MAX, undefined, { ref: false })])
    if (!outcomes) throw stillUnderWay(shown)
    return outcomes[0]
  }
}

export function stillUnderWay(key: string): ServiceError {
  return new ServiceError('in_flight', `the first request with Idempotency-Key ${JSON.stringify(key)} is still under way`)
}

/**
 * @param first the hash over the content of the first request with the key
 * @param what a word for the content, such as `annotation`
 * @throws ServiceError `invalid` if the content is another one
 */
export function requireSame({ shown, payload }: KeyedRequest, first: string, what: string): void {
  if (payload === first) return
  throw new ServiceError('invalid', `Idempotency-Key ${JSON.stringify(shown)} was used for another ${what}; use a new key`)
}

/** @returns a text of fixed length for the parts, which are JSON values */
export function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
