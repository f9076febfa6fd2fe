/**
 * Forwards requests to a service and loses answers on the way back: the service has done what was asked, and nobody hears of it.
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from './listen.ts'

/**
 * @param isLost of each request, by its method and how many of that method there were, this one included
 * @returns where it listens, and how many requests of each method there were
 */
export async function startLossyProxy(target: string, isLost: (method: string, count: number) => boolean) {
  const counts: Record<string, number> = {}
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const count = (counts[method] ?? 0) + 1
    counts[method] = count
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers as Record<string, string>
    const body = await buffer(incoming)
    const answer = await fetch(target + url, { method, headers, ...(body.length > 0 && { body }) })
    const text = await answer.text()
    if (isLost(method, count)) return incoming.socket.resetAndDestroy()
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  return { ...(await listen(server)), counts }
}
