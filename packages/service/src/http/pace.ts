/**
 * Slow peers: who sends a body by drops, or does not take an answer, is cut off, so that neither holds memory, a table or a
 * connection for as long as it likes. Only the time in which this service waits for the peer counts, not that in which the peer
 * waits for it. How long a request may take as a whole is Node's to enforce; see server.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface Pace {
  /** How long the service waits for so many bytes of a body. */
  bodyMs: number
  bodyBytes: number
  /** How long an answer may wait for its reader to take any of it. */
  answerMs: number
}

/** 1.6 kB a second: a tenth of what any line that people work on carries. */
export const PACE: Pace = { bodyMs: 10_000, bodyBytes: 16_384, answerMs: 30_000 }

const TICKS = 10

export function addPace(app: FastifyInstance, pace: Pace): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (hasBody(raw)) watchBody(app, raw, reply.raw, pace)
  })
  app.addHook('onSend', async (_, reply) => watchReader(reply.raw, pace))
}

function hasBody({ headers, complete }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
}

function watchBody(app: FastifyInstance, request: IncomingMessage, response: ServerResponse, pace: Pace): void {
  const { socket } = request
  let from = socket.bytesRead
  let waits = 0
  const timer = setInterval(() => {
    if (socket.bytesRead - from >= pace.bodyBytes) {
      from = socket.bytesRead
      waits = 0
    }
    // What came and was not taken yet is a wait for us.
    if (request.readableLength === 0) waits++
    if (waits < TICKS || response.headersSent) return
    end()
    const message = `less than ${pace.bodyBytes} bytes of the body came in ${pace.bodyMs / 1_000} s`
    // As Node does with a request that takes too long as a whole: the reader of the body sees it end there.
    app.server.emit('clientError', Object.assign(new Error(message), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }, pace.bodyMs / TICKS)
  const end = () => clearInterval(timer)
  request.once('end', end).once('close', end)
  response.once('close', end)
}

/** The socket's clock begins again with each byte that its reader takes. */
function watchReader(response: ServerResponse, { answerMs }: Pace): void {
  response.setTimeout(answerMs, () => {
    // Where nothing is there to be taken, the answer is still being made.
    const { socket } = response
    if (socket && socket.writableLength > 0) socket.destroy()
  })
}
