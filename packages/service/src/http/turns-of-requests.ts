/**
 * Requests that come at once are begun some in each turn of the event loop, in order of arrival: requests for the health, and everything
 * else that the process has to do, wait for some of a crowd and not for all of it.
 */
import { HEALTH_PATH } from '@deployment-annotations/contract/health'
import { REQUESTS_PER_TURN } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate, takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import type { FastifyInstance } from 'fastify'

export function addTurnsOfRequests(app: FastifyInstance): void {
  const turns = new Gate(REQUESTS_PER_TURN)
  app.addHook('onRequest', async ({ url }) => {
    if (url !== HEALTH_PATH) await takeTurn(turns)
  })
}
