/**
 * Before a request is authenticated, what this service has in memory is brought up to what was committed before the request came.
 * Where that cannot be found out, the request is refused as one to send again, not answered from what was true before.
 * Open routes, which need none of it, do without.
 */

import type { Followers } from '@deployment-annotations/records/followers'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'

/** To be added before authentication, which looks tokens up in memory. */
export function addRefresh(app: FastifyInstance, followers: Followers): void {
  app.addHook('onRequest', async (request) => {
    const { permission, anyToken, personal, signature } = request.routeOptions.config
    if (!permission && !anyToken && !personal && !signature) return
    try {
      await followers.refresh()
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause
      throw new ServiceError('unavailable', 'the records cannot be read; try again in a moment', { cause })
    }
  })
}
