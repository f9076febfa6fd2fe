/**
 * Where the service listens: one address, or with the host `localhost` all that this name has, of IPv4 and IPv6. Connections of
 * the others are handed to the one server there is, so that every rule for them holds wherever they come from. (Fastify's own
 * way makes a server for each, without the listeners of the first.)
 */
import { lookup } from 'node:dns/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Place {
  host: string
  port: number
}

export interface Listening {
  /** Resolves when no connection is left that did not come to the server's own address, whose close() knows only its own. */
  close(): Promise<void>
}

/**
 * @param addressesOf what the name `localhost` means
 * @throws Error with what to do where the address cannot be had; of `localhost` the first one that it has
 */
export async function listen(app: FastifyInstance, { host, port }: Place, addressesOf = lookUp): Promise<Listening> {
  const [first = host, ...others] = host === 'localhost' ? await addressesOf(host) : []
  try {
    await app.listen({ host: first, port })
  } catch (cause) {
    const reason = LISTEN_REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause)
    throw new Error(`cannot listen on ${bracketed(host)}:${port}: ${reason}`, { cause })
  }
  const also = await Promise.all(others.map((other) => listenToo(app, { host: other, port: portOf(app) })))
  return {
    close: async () => void (await Promise.all(also.map((server) => new Promise((resolve) => server.close(resolve))))),
  }
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose another with --port, or 0 for any free one',
  EACCES: 'this user may not open the port',
  EADDRNOTAVAIL: 'the address does not belong to this machine; choose another with --host',
  ENOTFOUND: 'the host is unknown; choose another with --host',
}

/** Resolves also where the address cannot be had: many machines have a name for IPv6 and no IPv6. */
function listenToo(app: FastifyInstance, { host, port }: Place): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket))
  return new Promise((resolve) => {
    server.once('error', () => resolve(server))
    server.listen({ host, port }, () => resolve(server))
  })
}

async function lookUp(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

/** @returns where a client finds the service that listens */
export function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo
  return `http://${bracketed(address)}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
