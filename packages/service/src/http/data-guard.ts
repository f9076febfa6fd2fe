/**
 * Refuses what would be lost: once the data directory is gone, nothing that this process acknowledges is there after its end.
 */

import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { type DataFolder, GONE } from '../health/data-folder.ts'

/** How old the last look may be: a look is three calls of the system. */
const LOOK_MS = 500

export function addDataGuard(app: FastifyInstance, folder: DataFolder): void {
  let [isGone, lookedMs] = [false, Number.NEGATIVE_INFINITY]
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open) return
    if (performance.now() - lookedMs > LOOK_MS) {
      isGone = folder.isGone
      lookedMs = performance.now()
    }
    if (isGone) throw new ServiceError('unavailable', GONE)
  })
}
