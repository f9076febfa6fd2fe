/**
 * How often one token may ask, and how often one address may be wrong about its token. Counted in this process, minute by minute.
 * What a request costs is bounded elsewhere (concurrency/queue-bounds.ts): this is against loops that nobody meant, and guessing.
 * The address is that of the connection: behind a proxy all share one, so who has a right token is never refused for it.
 */

import { ServiceError } from '@deployment-annotations/runtime/errors'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const WINDOW_MS = 60_000
/** Of an address, in a minute; what is only misconfigured tries less often. */
const WRONG_TOKENS_MAX = 60

/** To be awaited before {@link limitRequests} and {@link createWrongTokenLimit}. */
export async function addRateLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: WINDOW_MS })
}

/** To be added after authentication. @param requestsMax of a token in a minute; 0 for any number */
export function limitRequests(app: FastifyInstance, requestsMax: number): void {
  if (requestsMax === 0) return
  const count = app.createRateLimit({ max: requestsMax, keyGenerator: (request) => `token ${request.token?.id}` })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.token) return
    const counted = await count(request)
    if (counted.isAllowed) return
    reply.headers({
      'x-ratelimit-scope': 'token',
      'x-ratelimit-limit': counted.max,
      'x-ratelimit-remaining': counted.remaining,
      'x-ratelimit-reset': Math.ceil((Date.now() + counted.ttl) / 1_000),
    })
    if (counted.isExceeded)
      throw rateLimited(`token ${request.token.id} may send ${requestsMax} requests a minute`, counted.ttlInSeconds)
  })
}

/** @returns what is to be called for each token that is not known. It throws ServiceError `rate_limited` where there were too many */
export function createWrongTokenLimit(app: FastifyInstance): (request: FastifyRequest) => Promise<void> {
  const count = app.createRateLimit({ max: WRONG_TOKENS_MAX, keyGenerator: (request) => `address ${request.ip}` })
  return async (request) => {
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded)
      throw rateLimited(
        `over ${WRONG_TOKENS_MAX} requests of this address in a minute had a token that is not known here`,
        counted.ttlInSeconds,
      )
  }
}

function rateLimited(why: string, waitS: number): ServiceError {
  return new ServiceError('rate_limited', `rate limit exceeded: ${why}`, {
    headers: { 'retry-after': String(Math.max(1, waitS)) },
  })
}
