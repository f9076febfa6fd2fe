/**
 * The exchange over Node's own HTTP client: in a process that asks once, loading undici takes longer than asking.
 * Deliberately not here: proxies, which are undici's.
 */
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import {
  CONNECT_TIMEOUT_MS,
  createReplyReader,
  exchangeError,
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
      const { method, url, headers, signal } = request
      return exchange(http.request(url, { method, headers, agent, signal }), request)
    },
    async close() {
      agent.destroy()
    },
  }
}

function exchange(outgoing: ClientRequest, request: WireRequest): Promise<WireReply> {
  const { body, signal, url } = request
  const received = createReplyReader(request)
  let isSent = false
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      outgoing.destroy()
      reject(new WireError(isSent, signal.aborted ? signal.reason : cause))
    }
    outgoing.on('error', fail)
    outgoing.on('socket', (socket) => {
      watchConnection(socket, url.host, (failure) => {
        if (failure) fail(failure)
        else isSent = true
      })
    })
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('answered 101 Switching Protocols, which nobody asked for'))
    })
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming
      incoming.on('data', (chunk: Uint8Array) => {
        try {
          received.add(chunk)
        } catch (error) {
          fail(error)
        }
      })
      incoming.on('error', fail)
      incoming.on('end', () => resolve({ status, headers, text: received.end() }))
    })
    outgoing.end(body)
  })
}

/** @param settle called once the connection is there, on which what was written goes out; with an error where it takes too long */
function watchConnection(socket: Socket, host: string, settle: (failure?: Error) => void): void {
  if (!socket.connecting) {
    settle()
    return
  }
  // In the words that undici has for it.
  const message = `Connect Timeout Error (attempted address: ${host}, timeout: ${CONNECT_TIMEOUT_MS}ms)`
  const giveUp = setTimeout(() => settle(exchangeError('UND_ERR_CONNECT_TIMEOUT', message)), CONNECT_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(giveUp))
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    clearTimeout(giveUp)
    settle()
  })
}
