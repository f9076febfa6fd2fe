/**
 * A round robin on loopback, as a load balancer in front of several services: each request goes to the next one that takes it.
 * A service that does not take a connection is passed over; one that ends in the middle of an answer cuts it, as it would anywhere.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

export interface RoundRobin extends AsyncDisposable {
  readonly url: string
  /** Where requests go from now on. */
  setTargets(urls: readonly string[]): void
}

export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  let targets = urls
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const first = turn++
    const order = targets.map((_, i) => targets[(first + i) % targets.length] as string)
    passOn(incoming, outgoing, order)
  })
  const setTargets = (next: readonly string[]) => {
    targets = next
  }
  return { ...(await listen(server)), setTargets }
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, [target, ...others]: readonly string[]): void {
  if (target === undefined) return void outgoing.writeHead(503, { 'retry-after': '1' }).end()
  const { hostname, port } = new URL(target)
  const { method, url: path, headers } = incoming
  // A connection of its own: one that was kept may be closed by the service just when it is used again.
  const out = request({ hostname, port, method, path, headers, agent: false })
  let isTaken = false
  let isAnswered = false
  out.once('socket', (socket) => {
    const send = () => {
      isTaken = true
      incoming.pipe(out)
    }
    if (socket.connecting) socket.once('connect', send)
    else send()
  })
  out.on('response', (answer) => {
    isAnswered = true
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => outgoing.destroy())
    answer.pipe(outgoing)
  })
  out.on('error', () => {
    // Who answers before all of the body is there does not read the rest of it.
    if (isAnswered) return
    if (isTaken) outgoing.destroy()
    else passOn(incoming, outgoing, others)
  })
  outgoing.on('close', () => out.destroy())
}
