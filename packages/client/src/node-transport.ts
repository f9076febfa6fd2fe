/**
 * The exchange over Node's own HTTP client: in a process that asks once, loading undici takes longer than asking.
 * Deliberately not here: proxies, which are undici's.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  CONNECT_TIMEOUT_MS,
  ExchangeError,
  ReplyBody,
  type Transport,
  WireError,
  type WireReply,
  type WireRequest,
} from './transport.ts'

/** @param origin scheme, host and port that every request goes to */
export function createNodeTransport(origin: URL): Transport {
  // The one that is needed, when it is needed: an import would read every export of both, the slow ones included.
  const http = process.getBuiltinModule(origin.protocol === 'https:' ? 'node:https' : 'node:http')
  // Nearly always the one request is the last: to keep its connection takes longer than to close it.
  const agent = new http.Agent({ keepAlive: false })
  return {
    send: (request) => {
      const { method, url, headers } = request
      return new Exchange(request).run(http.request(url, { method, headers, agent }))
    },
    async close() {
      agent.destroy()
    },
  }
}

/** One request on its way, and what has come back of its reply so far. */
class Exchange {
  readonly #request: WireRequest
  readonly #body: ReplyBody
  #isSent = false

  constructor(request: WireRequest) {
    this.#request = request
    this.#body = new ReplyBody(request)
  }

  async run(outgoing: ClientRequest): Promise<WireReply> {
    const { body, signal } = this.#request
    const abort = () => outgoing.destroy(toError(signal.reason))
    signal.addEventListener('abort', abort)
    try {
      return await new Promise<WireReply>((resolve, reject) => {
        outgoing.on('error', reject)
        outgoing.on('socket', (socket) => this.#watch(socket, outgoing))
        outgoing.on('upgrade', (_, socket) => {
          socket.destroy()
          reject(new Error('answered 101 Switching Protocols, which nobody asked for'))
        })
        outgoing.on('response', (incoming) => this.#read(incoming).then(resolve, reject))
        if (signal.aborted) abort()
        outgoing.end(body)
      })
    } catch (cause) {
      outgoing.destroy()
      throw new WireError(this.#isSent, signal.aborted ? signal.reason : cause)
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** What is written to a connection that is still being made goes out once it is there. */
  #watch(socket: Socket, outgoing: ClientRequest): void {
    if (!socket.connecting) {
      this.#isSent = true
      return
    }
    // In the words that undici has for it.
    const message = `Connect Timeout Error (attempted address: ${this.#request.url.host}, timeout: ${CONNECT_TIMEOUT_MS}ms)`
    const fail = () => outgoing.destroy(new ExchangeError('UND_ERR_CONNECT_TIMEOUT', message))
    const giveUp = setTimeout(fail, CONNECT_TIMEOUT_MS)
    socket.once('close', () => clearTimeout(giveUp))
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      clearTimeout(giveUp)
      this.#isSent = true
    })
  }

  #read(incoming: IncomingMessage): Promise<WireReply> {
    const { statusCode: status = 0, headers } = incoming
    return new Promise((resolve, reject) => {
      incoming.on('data', (chunk: Buffer) => {
        try {
          this.#body.add(chunk)
        } catch (error) {
          reject(error)
        }
      })
      incoming.on('error', reject)
      incoming.on('end', () => resolve({ status, headers, body: this.#body.toBuffer() }))
    })
  }
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
