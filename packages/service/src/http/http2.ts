/**
 * HTTP/2 without TLS beside HTTP/1.1 on the same port, for clients that know beforehand that they want it (RFC 9113, 3.3), which are
 * those of gRPC. Their calls pass through the same app as other requests, with all of its rules; everything else is sent back to
 * HTTP/1.1.
 */
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { CALLS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import type { FastifyInstance } from 'fastify'
import { callerIdOf } from './auth.ts'

/** What a connection of HTTP/2 begins with, and the code of Node's parser for it. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
export const PREFACE_CODE = 'HPE_PAUSED_H2_UPGRADE'

/** How many calls of one connection are under way; more of them wait in the client. */
const CALLS_MAX = 3
/** How many bytes of one call a client sends before they are read; they wait in memory, 192 kB of each connection at most. */
const WINDOW_BYTES = 65_536
/** From so many pieces of a call on, they have to have so many bytes on average: each is an object that takes a hundred times a byte. */
const PIECES_FREE = 256
const PIECE_BYTES_MIN = 64
/** A connection without a call is kept this long: exporters send every few seconds up to every minute. */
const IDLE_MS_MAX = 300_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes a request of HTTP/2 one of HTTP/1.1, or answers it; the routes that know how to set it. It returns whether they do. */
    adaptHttp2: ((request: Http2ServerRequest, response: Http2ServerResponse) => boolean) | null
  }
}

/**
 * @param requestMsMax how many milliseconds a whole request may take to arrive
 * @param draining aborted once callers are to go elsewhere with their next call
 * @returns takes over a connection of which Node's parser has read the preface
 */
export function addHttp2(app: FastifyInstance, requestMsMax: number, draining?: AbortSignal): (socket: Socket) => void {
  app.decorate('adaptHttp2', null)
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({ settings: { maxConcurrentStreams: CALLS_MAX, initialWindowSize: WINDOW_BYTES } })
  server.on('session', (session) => {
    sessions.add(session)
    session.setTimeout(IDLE_MS_MAX, () => session.close())
    session.once('close', () => sessions.delete(session))
    if (app.server.listening === false) session.close()
  })
  // What a client does wrong ends its session, and is no fault of this service.
  server.on('sessionError', () => undefined)
  server.on('request', (request, response) => {
    const { stream } = request
    if (!app.adaptHttp2?.(request, response)) {
      if (!response.headersSent) stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED)
      return
    }
    if (draining?.aborted) stream.session?.close()
    requireLargePieces(stream)
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestMsMax)
    request.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
    // What nobody reads any more would take up the window of the connection.
    response.once('finish', () => request.readableEnded || stream.close(constants.NGHTTP2_NO_ERROR))
    app.routing(request as never, response as never)
  })
  // A client that is told so finishes its calls, and makes the next ones on another connection.
  const closeSessions = () => {
    for (const session of sessions) session.close()
  }
  draining?.addEventListener('abort', closeSessions)
  app.addHook('preClose', async () => closeSessions())
  return (socket) => {
    leaveHttp1(socket)
    socket.unshift(PREFACE)
    server.emit('connection', socket)
  }
}

/** Must be called after authentication was added, because a token can be written in several ways. */
export function limitCalls(app: FastifyInstance): void {
  const calls = new Gate(CALLS)
  app.addHook('onRequest', async (request, reply) => {
    const { stream } = request.raw as unknown as Partial<Http2ServerRequest>
    if (!stream || stream.closed) return
    const permit = calls.take(callerIdOf(request))
    if (permit) return void stream.once('close', permit.release)
    reply.hijack()
    stream.close(constants.NGHTTP2_REFUSED_STREAM)
  })
}

/** Ends the connection of a call whose message comes in pieces of a few bytes, which no client of gRPC sends. */
function requireLargePieces(stream: ServerHttp2Stream): void {
  const { push, session } = stream
  let [pieces, bytes] = [0, 0]
  stream.push = (piece, ...more) => {
    pieces++
    bytes += piece?.length ?? 0
    if (pieces > PIECES_FREE && bytes < pieces * PIECE_BYTES_MIN && session && !session.destroyed) {
      session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
      session.destroy()
    }
    return push.call(stream, piece, ...more)
  }
}

/** Takes a connection away from Node's server of HTTP/1.1, which would end it because no request comes. */
function leaveHttp1(socket: Socket): void {
  for (const event of ['data', 'end', 'error', 'timeout', 'drain', 'resume', 'pause']) socket.removeAllListeners(event)
  const { parser } = socket as Socket & { parser?: { remove?(): void } | null }
  parser?.remove?.()
  socket.setTimeout(0)
  socket.pause()
}
