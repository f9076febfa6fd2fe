/**
 * Where the service listens: one address, or with the host `localhost` all that this name has, of IPv4 and IPv6. Connections of
 * the others are handed to the one server there is, so that every rule for them holds wherever they come from. (Fastify's own
 * way makes a server for each, without the listeners of the first.)
 *
 * On Linux each address has several listeners. Node takes one connection of a listener in a turn of its event loop, which is 10 ms where
 * there is much to do: a thousand callers who came at once waited 12 s for that alone.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'

interface Place {
  host: string
  port: number
}

/**
 * Connections that the system holds until this process takes them; it may have a lower limit of its own (`net.core.somaxconn`). Where
 * there is no room for one more, its caller is not told, and tries again after one second, then three, then seven.
 */
const BACKLOG = 4_096
/** Of each address; the system shares new connections between them. */
const LISTENERS = process.platform === 'linux' ? 32 : 1

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
    if (LISTENERS > 1 && port !== 0) await requireFree({ host: first, port })
    await app.listen({ host: first, port, ...SHARED } as FastifyListenOptions)
  } catch (cause) {
    const reason = LISTEN_REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause)
    throw new Error(`cannot listen on ${bracketed(host)}:${port}: ${reason}`, { cause })
  }
  const places = [first, ...others].flatMap((address, index) =>
    Array.from({ length: index === 0 ? LISTENERS - 1 : LISTENERS }, () => ({ host: address, port: portOf(app) })),
  )
  const also = await Promise.all(places.map((place) => listenToo(app, place)))
  return {
    close: async () => void (await Promise.all(also.map((server) => new Promise((resolve) => server.close(resolve))))),
  }
}

/** What makes several listeners on one address possible. */
const SHARED = { backlog: BACKLOG, reusePort: LISTENERS > 1 }

/** Listeners that share an address would share it with another service of the same user, too. @throws where somebody listens there */
async function requireFree(place: Place): Promise<void> {
  const server = createServer().listen(place)
  await once(server, 'listening')
  await new Promise((resolve) => server.close(resolve))
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
    server.listen({ host, port, ...SHARED }, () => resolve(server))
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
