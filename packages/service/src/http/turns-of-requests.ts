/**
 * Requests that come at once are begun some in each turn of the event loop, in turns of their callers, and of one caller in order of arrival:
 * others, requests for the health, and everything else that the process has to do, wait for some of a crowd and not for all of it. Nothing
 * is begun for a caller that has gone.
 * To begin one is little work, after which it is known whether it has to be refused. Requests with bodies that are to be stored are much
 * more: a few are begun in each turn, and while others wait to be begun, those are first.
 */
import { HEALTH_OPERATIONS, PROBES } from '@deployment-annotations/contract/health'
import { BODIES_PER_TURN, REQUESTS_PER_TURN } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const NOT_WAITING: ReadonlySet<string> = new Set(
  [HEALTH_OPERATIONS.health, PROBES.live, PROBES.ready].map(({ call }) => call.slice('GET '.length)),
)
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])

/** Where requests wait to be begun, those with bodies to store apart. */
export type RequestQueues = ReturnType<typeof createTurns>

export function createTurns() {
  const requests = new Gate(REQUESTS_PER_TURN)
  return { requests, bodies: new Gate(BODIES_PER_TURN, { givesWayTo: requests }) }
}

/** @param guessCaller names the caller of a request that is not authenticated yet; strangers share one name */
export function addTurnsOfRequests(
  app: FastifyInstance,
  { requests, bodies }: RequestQueues,
  guessCaller: (request: FastifyRequest) => string,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (NOT_WAITING.has(request.url)) return
    // Queries are short, and wait in a queue of their own.
    const isShort = WITHOUT_BODY.has(request.method) || request.routeOptions.config.permission === 'query|read'
    await takeTurn(isShort ? requests : bodies, { caller: guessCaller(request) })
    if (request.raw.socket.destroyed) reply.hijack()
  })
}
