/**
 * Requests that come at once are begun some in each turn of the event loop, in order of arrival: what is asked of the health, and whatever else
 * the process has to do, waits for some of a crowd and not for all of it.
 */
import { HEALTH_PATH } from '@deployment-annotations/contract/health'
import type { FastifyInstance } from 'fastify'

/** About 10 ms of work. */
const REQUESTS_PER_TURN = 32

export function addTurnsOfRequests(app: FastifyInstance): void {
  const waiting: (() => void)[] = []
  let begun = 0
  let isCounting = false
  const next = () => {
    const some = waiting.splice(0, REQUESTS_PER_TURN)
    begun = some.length
    isCounting = begun > 0
    if (isCounting) setImmediate(next)
    for (const start of some) start()
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url === HEALTH_PATH) return done()
    if (!isCounting) {
      begun = 0
      isCounting = true
      setImmediate(next)
    }
    if (waiting.length > 0 || begun >= REQUESTS_PER_TURN) return void waiting.push(done)
    begun++
    done()
  })
}
