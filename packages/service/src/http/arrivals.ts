/**
 * When a request came, as far as this process can know. What was there when the event loop looked is handled one after the other, so the
 * last of a thousand has waited for all before it, and nobody else counts that.
 */
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it came at the latest, by the monotonic clock. */
    arrivedMs: number
  }
}

/** To be called before other hooks are added: what they take counts too. */
export function addArrivals(app: FastifyInstance): void {
  let turnMs: number | undefined
  app.decorateRequest('arrivedMs', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    if (turnMs === undefined) {
      turnMs = performance.now()
      setImmediate(() => {
        turnMs = undefined
      })
    }
    request.arrivedMs = turnMs
    done()
  })
}
