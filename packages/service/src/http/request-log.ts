/**
 * The request log: one line per request, written when its answer is sent or its caller has gone.
 */

import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** What went wrong after the status had been sent. */
    fault?: unknown
  }
}

/** What is logged as the status when the caller closed the connection before the answer was through. */
const CALLER_GONE = 499
/** What is logged as the status when the service failed while its answer was under way, whatever status had been sent. */
const FAILED_MIDWAY = 500
const PATH_LENGTH_MAX = 500

export function addRequestLog(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedMs = performance.now()
    reply.raw.once('close', () => {
      if (request.fault) log.error({ event: 'error', traceId: request.id, cause: describeError(request.fault) })
      const status = reply.raw.writableFinished ? reply.raw.statusCode : request.fault ? FAILED_MIDWAY : CALLER_GONE
      log[status >= 500 ? 'error' : 'info']({
        event: 'request',
        method: request.method,
        path: pathOf(request.url),
        status,
        durationMs: Math.round((performance.now() - startedMs) * 100) / 100,
        traceId: request.id,
        ...(request.token && { tokenId: request.token.id, tokenName: request.token.name }),
      })
    })
  })
}

/** The path without its query, which may hold what is not meant for the log. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).slice(0, PATH_LENGTH_MAX)
}
