/**
 * What is done for a caller ends when the caller goes away.
 */

import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyReply } from 'fastify'

/** @returns a signal that aborts once nobody waits for the answer any more */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new ServiceError('caller_left', 'the caller left before the answer was ready'))
  })
  return gone.signal
}
