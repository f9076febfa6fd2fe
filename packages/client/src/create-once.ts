/**
 * A create that takes effect once, however often its request has to be sent: where it is not known whether one took effect, the
 * annotation is looked for before it is sent again.
 */

import { IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/header'
import { type Context, listAnnotations, postAnnotation, type Stored } from './annotation-calls.ts'
import type { Recovery } from './calls.ts'
import { AuthError } from './errors.ts'
import { around, isAskedFor, isSame, newIdempotencyKey, type Timed } from './identity.ts'

/** Pauses before the first and the second lookup: a commit that was under way when the connection broke needs a moment. */
const LOOKUP_PAUSES_MS = [250, 1_000]
/** Other annotations of the same second may fill the only page that a service shows; in the same millisecond there are none. */
const CLOSE_NS = 1_000_000n
/** Creates that may follow an ambiguous one unseen, where the token may not list or the list does not show all. */
const BLIND_RESENDS_MAX = 1

const MAYBE_TWICE = 'an answer was lost and the list does not show all annotations, so there may be a second copy of it'

/** A service that honors the key recognizes a create that is sent again. */
export function newIdempotencyHeaders(key = newIdempotencyKey()): Record<string, string> {
  return { [IDEMPOTENCY_KEY_HEADER]: key }
}

/** @returns what is stored, however many tries it took */
export async function createOnce(context: Context, annotation: Timed, headers = newIdempotencyHeaders()): Promise<Stored> {
  const { options, budget } = context
  let blindResends = 0

  async function find(widthNs?: bigint) {
    const filter = around(annotation, widthNs)
    const { annotations, hasMore } = await listAnnotations(context, filter)
    const found = annotations.find((listed) => isSame(listed, annotation))
    const isWhole = !hasMore && annotations.every((listed) => isAskedFor(listed, filter))
    return { found, isWhole, hasOthers: annotations.length > 0 }
  }

  async function look() {
    let seen: Awaited<ReturnType<typeof find>> = { found: undefined, isWhole: false, hasOthers: false }
    for (const pauseMs of LOOKUP_PAUSES_MS) {
      await budget.sleep(Math.min(pauseMs, budget.remainingMs))
      seen = await find()
      if (seen.found) return seen
    }
    return seen.hasOthers ? await find(CLOSE_NS) : seen
  }

  async function recover(): Promise<Recovery<Stored>> {
    try {
      const { found, isWhole } = await look()
      if (found) return { found: { annotation: found, isNew: true, isOnce: true, hints: {} } }
      if (isWhole) return 'absent'
      return blindResends++ < BLIND_RESENDS_MAX ? 'unknown' : 'give-up'
    } catch (failure) {
      budget.signal.throwIfAborted()
      if (!(failure instanceof AuthError) || blindResends++ >= BLIND_RESENDS_MAX) return 'give-up'
      options.onRetry?.(failure, 0)
      return 'unknown'
    }
  }

  const stored = await postAnnotation(context, annotation, { headers, recover })
  if (blindResends > 0 && !stored.isOnce) options.onHints?.({ warning: MAYBE_TWICE })
  return stored
}
