/**
 * Requests that come at once are begun some in each turn of the event loop, in order of arrival: requests for the health, and everything
 * else that the process has to do, wait for some of a crowd and not for all of it. Nothing is begun for a caller that has gone.
 */
import { HEALTH_PATH, LIVE_PATH, READY_PATH } from '@deployment-annotations/contract/health'
import { type Gate, takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import type { FastifyInstance } from 'fastify'

const PROBES: ReadonlySet<string> = new Set([HEALTH_PATH, LIVE_PATH, READY_PATH])

export function addTurnsOfRequests(app: FastifyInstance, turns: Gate): void {
  app.addHook('onRequest', async ({ url, raw }, reply) => {
    if (PROBES.has(url)) return
    // A connection of HTTP/2 has many calls under way, so that all calls have half of the turns at most where others wait.
    await takeTurn(turns, { caller: raw.httpVersionMajor === 2 ? 'calls' : '' })
    if (raw.socket.destroyed) reply.hijack()
  })
}
