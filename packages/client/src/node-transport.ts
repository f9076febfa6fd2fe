/**
 * The exchange over Node's own HTTP client: in a process that asks once, loading undici takes longer than asking.
 * Deliberately not here: proxies, which are undici's.
 */
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
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
    close: async () => agent.destroy(),
  }
}

async function exchange(outgoing: ClientRequest, request: WireRequest): Promise<WireReply> {
  const { body, signal, url } = request
  const received = createReplyReader(request)
  let isSent = false
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>
  // An error after the response is that of its body, too.
  outgoing.on('error', () => undefined)
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy()
    outgoing.emit('error', new Error('answered 101 Switching Protocols, which nobody asked for'))
  })
  outgoing.on('socket', (socket) => {
    // In the words that undici has for it.
    const message = `Connect Timeout Error (attempted address: ${url.host}, timeout: ${CONNECT_TIMEOUT_MS}ms)`
    const giveUp = setTimeout(() => outgoing.destroy(exchangeError('UND_ERR_CONNECT_TIMEOUT', message)), CONNECT_TIMEOUT_MS)
    socket.once('close', () => clearTimeout(giveUp))
    // What was written goes out once the connection is there.
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      clearTimeout(giveUp)
      isSent = true
    })
  })
  try {
    outgoing.end(body)
    const [incoming] = await responded
    for await (const chunk of incoming) received.add(chunk)
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: received.end() }
  } catch (cause) {
    outgoing.destroy()
    throw new WireError(isSent, signal.aborted ? signal.reason : cause)
  }
}
