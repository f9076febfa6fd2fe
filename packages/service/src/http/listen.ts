/**
 * Listens on one address, or with the host `localhost` on all addresses of this name, of IPv4 and IPv6. Connections to the others are
 * handed to the server of the first one, so that every rule holds wherever they come from. (Fastify would make a server for each,
 * without the event listeners of the first.)
 *
 * On Linux each address has several sockets. Node accepts one connection per socket in a turn of its event loop, which takes 10 ms under
 * load: a thousand callers who came at once waited 12 s for that alone.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'

interface Address {
  host: string
  port: number
}

/**
 * How many connections the system holds until this process accepts them; it may have a lower limit of its own (`net.core.somaxconn`).
 * Beyond that a caller gets no answer, and tries again after one second, then three, then seven.
 */
const BACKLOG = 4_096
/** How many sockets listen on each address; the system shares new connections between them. */
const SOCKETS = process.platform === 'linux' ? 96 : 1

export interface HttpListener {
  /** Resolves when the connections to the other sockets have ended; those to the server's own are closed by the app. */
  close(): Promise<void>
}

/**
 * @param addressesOf looks up the addresses of `localhost`
 * @throws Error with what to do if the address, or the first one of `localhost`, cannot be listened on
 */
export async function listen(app: FastifyInstance, { host, port }: Address, addressesOf = lookUp): Promise<HttpListener> {
  const [first = host, ...others] = host === 'localhost' ? await addressesOf(host) : []
  try {
    if (SOCKETS > 1 && port !== 0) await requireFree({ host: first, port })
    await app.listen({ host: first, port, ...SHARED } as FastifyListenOptions)
  } catch (cause) {
    const reason = LISTEN_REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause)
    throw new Error(`cannot listen on ${bracketed(host)}:${port}: ${reason}`, { cause })
  }
  const { port: chosen } = app.server.address() as AddressInfo
  const addresses = [first, ...others].flatMap((address, index) =>
    Array.from({ length: index === 0 ? SOCKETS - 1 : SOCKETS }, () => ({ host: address, port: chosen })),
  )
  const also = await Promise.all(addresses.map((address) => listenToo(app, address)))
  return {
    close: async () => void (await Promise.all(also.map((server) => new Promise((resolve) => server.close(resolve))))),
  }
}

/** The options that let several sockets listen on one address. */
const SHARED = { backlog: BACKLOG, reusePort: SOCKETS > 1 }

/** @throws Error if another process listens there: sockets that share an address would also share it with a service of the same user */
async function requireFree(address: Address): Promise<void> {
  const server = createServer().listen(address)
  await once(server, 'listening')
  await new Promise((resolve) => server.close(resolve))
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose another with --port, or 0 for any free one',
  EACCES: 'this user may not open the port',
  EADDRNOTAVAIL: 'the address does not belong to this machine; choose another with --host',
  ENOTFOUND: 'the host is unknown; choose another with --host',
}

/** Resolves even if the address cannot be listened on: many machines have a name for IPv6 and no IPv6. */
function listenToo(app: FastifyInstance, { host, port }: Address): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket))
  return new Promise((resolve) => {
    server.once('error', () => resolve(server))
    server.listen({ host, port, ...SHARED }, () => resolve(server))
  })
}

async function lookUp(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** @returns where a client finds the service that listens */
export function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo
  return `http://${bracketed(address)}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
