/**
 * A create that takes effect once, however often its request has to be sent: where it is not known whether one took effect, the
 * annotation is looked for before it is sent again.
 */

import { IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/header'
import type { NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { type CallContext, listAnnotations, postAnnotation, type Stored } from './annotation-calls.ts'
import type { Recovery } from './calls.ts'
import { AuthError } from './errors.ts'
import { around, isSame, newIdempotencyKey } from './identity.ts'

/** Pauses before the first and the second lookup: a commit that was under way when the connection broke needs a moment. */
const LOOKUP_PAUSES_MS = [250, 1_000]
/** Creates that may follow an ambiguous one unseen, where the token may not list. */
const BLIND_RESENDS_MAX = 1

/** A service that honors the key recognizes a create that is sent again. */
export function newIdempotencyHeaders(key = newIdempotencyKey()): Record<string, string> {
  return { [IDEMPOTENCY_KEY_HEADER]: key }
}

/** @param annotation its time is chosen: all tries send the same */
export function createOnce(
  context: CallContext,
  annotation: NewAnnotation & { time: string },
  headers: Record<string, string> = newIdempotencyHeaders(),
): Promise<Stored> {
  const { connection, options, budget } = context
  let blindResends = 0

  async function recover(): Promise<Recovery<Stored>> {
    try {
      for (const pauseMs of LOOKUP_PAUSES_MS) {
        await connection.clock.sleep(Math.min(pauseMs, budget.remainingMs), budget.signal)
        const found = (await listAnnotations(context, around(annotation))).find((listed) => isSame(listed, annotation))
        if (found) return { found: { annotation: found, isNew: true, hints: {} } }
      }
      return 'absent'
    } catch (failure) {
      budget.signal.throwIfAborted()
      if (!(failure instanceof AuthError) || blindResends++ >= BLIND_RESENDS_MAX) return 'give-up'
      options.onRetry?.(failure, 0)
      return 'unknown'
    }
  }
  return postAnnotation(context, annotation, { headers, recover })
}
