/**
 * Time limits for slow clients: one that sends a body in drops, or does not read its answer, is cut off, so that it holds no memory,
 * table or connection for as long as it likes. Only the time in which this service waits for the client counts, not that in which the
 * client waits for it. Node enforces how long a request may take as a whole; see app.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface SlowClientLimits {
  /** Within `bodyMs` milliseconds of waiting, at least `bodyBytes` bytes of a body have to arrive. */
  bodyMs: number
  bodyBytes: number
  /** How many milliseconds an answer may wait for its reader to take any of it. */
  answerMs: number
}

/** 1.6 kB a second: a tenth of what the slowest usable line carries. */
const LIMITS: SlowClientLimits = { bodyMs: 10_000, bodyBytes: 16_384, answerMs: 30_000 }

/** How often within `bodyMs` the progress of a body is checked. */
const CHECKS = 10

/** @param given limits that differ from the defaults */
export function limitSlowClients(app: FastifyInstance, given: Partial<SlowClientLimits> = {}): void {
  const limits = { ...LIMITS, ...given }
  app.addHook('onRequest', async ({ raw, headers }, reply) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody && !raw.complete) limitBody(app, raw, reply.raw, limits)
  })
  app.addHook('onSend', async (_, { raw }) => {
    // The timeout of the socket begins again with each byte that its reader takes.
    raw.setTimeout(limits.answerMs, () => {
      // Where nothing waits to be read, the answer is still being made.
      if (raw.socket && raw.socket.writableLength > 0) raw.socket.destroy()
    })
  })
}

function limitBody(app: FastifyInstance, request: IncomingMessage, response: ServerResponse, limits: SlowClientLimits): void {
  const { socket } = request
  let from = socket.bytesRead
  let waits = 0
  const timer = setInterval(() => {
    if (socket.bytesRead - from >= limits.bodyBytes) {
      from = socket.bytesRead
      waits = 0
    }
    // While bytes that arrived lie unread, the client waits for us.
    if (request.readableLength === 0) waits++
    if (waits < CHECKS || response.headersSent) return
    end()
    const message = `less than ${limits.bodyBytes} bytes of the body came in ${limits.bodyMs / 1_000} s`
    // Node does the same with a request that takes too long as a whole: the reader of the body sees it end there.
    app.server.emit('clientError', Object.assign(new Error(message), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }, limits.bodyMs / CHECKS)
  const end = () => clearInterval(timer)
  request.once('end', end).once('close', end)
  response.once('close', end)
}
