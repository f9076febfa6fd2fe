/**
 * How many requests one token may send in a minute, and how many with an unknown token one address may send. Counted in this process.
 * The cost of requests is bounded elsewhere (packages/runtime/src/concurrency/bounds.ts): these limits are against loops by mistake, and guessing.
 * The address is that of the connection, unless a trusted proxy names another: callers behind a proxy share one, so a request with a known token is never refused for it.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerIdOf } from './auth.ts'

const WINDOW_MS = 60_000
/** How many requests of one address may have an unknown token; a misconfigured client sends fewer. */
const WRONG_TOKENS_MAX = 60

/** Must be awaited before {@link limitRequests} and {@link createWrongTokenLimit} are called. */
export async function addRateLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: WINDOW_MS })
}

/** Must be called after authentication was added. @param requestsMax how many requests a token may send in a minute; 0 is no limit */
export function limitRequests(app: FastifyInstance, requestsMax: number): void {
  if (requestsMax === 0) return
  const count = app.createRateLimit({ max: requestsMax, keyGenerator: callerIdOf })
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

/** @returns a function to call for each unknown token; it throws ServiceError `rate_limited` where an address has sent too many */
export function createWrongTokenLimit(app: FastifyInstance): (request: FastifyRequest) => Promise<void> {
  const count = app.createRateLimit({ max: WRONG_TOKENS_MAX, keyGenerator: callerIdOf })
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
