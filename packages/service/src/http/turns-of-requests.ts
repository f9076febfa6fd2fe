/**
 * Requests that come at once are begun some in each turn of the event loop, in order of arrival: requests for the health, and everything
 * else that the process has to do, wait for some of a crowd and not for all of it. Nothing is begun for a caller that has gone.
 * To begin one is little work, after which it is known whether it has to be refused. Bodies that are to be stored are much more: a few
 * are read in each turn, in turns of their callers, and while others wait to be begun, those are first.
 */
import { HEALTH_OPERATIONS, PROBES } from '@deployment-annotations/contract/health'
import { BODIES_PER_TURN, REQUESTS_PER_TURN } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import type { FastifyInstance } from 'fastify'

const NOT_WAITING: ReadonlySet<string> = new Set(
  [HEALTH_OPERATIONS.health, PROBES.live, PROBES.ready].map(({ call }) => call.slice('GET '.length)),
)
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])

/** Where requests wait to be begun, and their bodies to be read. */
export interface RequestQueues {
  requests: Gate
  bodies: Gate
}

export function createTurns(): RequestQueues {
  const requests = new Gate(REQUESTS_PER_TURN)
  return { requests, bodies: new Gate(BODIES_PER_TURN, { givesWayTo: requests }) }
}

export function addTurnsOfRequests(app: FastifyInstance, { requests, bodies }: RequestQueues): void {
  app.addHook('onRequest', async ({ url, raw }, reply) => {
    if (NOT_WAITING.has(url)) return
    // A connection of HTTP/2 has many calls under way, so that all calls have half of the turns at most where others wait.
    await takeTurn(requests, { caller: raw.httpVersionMajor === 2 ? 'calls' : '' })
    if (raw.socket.destroyed) reply.hijack()
  })
  app.addHook('preParsing', async ({ method, routeOptions, token, ip, arrivedMs, raw }, reply, payload) => {
    // Queries are short, and wait in a queue of their own.
    if (WITHOUT_BODY.has(method) || routeOptions.config.permission === 'query|read') return payload
    await takeTurn(bodies, { caller: token?.id ?? ip, sinceMs: arrivedMs })
    if (raw.socket.destroyed) reply.hijack()
    return payload
  })
}
