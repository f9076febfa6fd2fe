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
  const bodies = new BodyWatch(app, pace)
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (hasBody(raw)) bodies.add(raw, reply.raw)
  })
  app.addHook('onSend', async (_, reply) => watchReader(reply.raw, pace))
}

function hasBody({ headers, complete }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
}

/** A request whose body is not all here. */
interface Watched {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes that its connection had read when the last ones came that were enough, and how many looks ago that was. */
  from: number
  waits: number
}

/** One timer for all of them: most bodies are here before it looks, and a timer for each took longer than to read a small one. */
class BodyWatch {
  readonly #app: FastifyInstance
  readonly #pace: Pace
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  constructor(app: FastifyInstance, pace: Pace) {
    this.#app = app
    this.#pace = pace
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    // The first look comes at any time up to a whole interval from now, so it does not count.
    const watched = { request, response, from: request.socket.bytesRead, waits: -1 }
    this.#watched.add(watched)
    response.on('close', () => this.#watched.delete(watched))
    this.#timer ??= setInterval(() => this.#look(), this.#pace.bodyMs / TICKS)
  }

  #look(): void {
    for (const watched of this.#watched) if (this.#isOver(watched)) this.#watched.delete(watched)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** @returns whether it needs no more looks, because the body has come or was given up */
  #isOver(watched: Watched): boolean {
    const { request, response } = watched
    if (request.readableEnded || request.destroyed) return true
    const { bodyBytes, bodyMs } = this.#pace
    if (request.socket.bytesRead - watched.from >= bodyBytes) {
      watched.from = request.socket.bytesRead
      watched.waits = 0
    }
    // What came and was not taken yet is a wait for us.
    if (request.readableLength === 0) watched.waits++
    if (watched.waits < TICKS || response.headersSent) return false
    const message = `less than ${bodyBytes} bytes of the body came in ${bodyMs / 1_000} s`
    // As Node does with a request that takes too long as a whole: whoever reads the body sees it end there.
    const error = Object.assign(new Error(message), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    this.#app.server.emit('clientError', error, request.socket)
    return true
  }
}

/** The socket's clock begins again with each byte that its reader takes. */
function watchReader(response: ServerResponse, { answerMs }: Pace): void {
  response.setTimeout(answerMs, () => {
    // Where nothing is there to be taken, the answer is still being made.
    const { socket } = response
    if (socket && socket.writableLength > 0) socket.destroy()
  })
}
