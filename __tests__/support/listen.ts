/** A server of a test on a port of 127.0.0.1, whose end waits for no client. */
import { once } from 'node:events'
import { Server as SecureServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'

export interface Listening {
  /** Of its root, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** All connections that there were. */
  readonly sockets: ReadonlySet<Socket>
  [Symbol.asyncDispose](): Promise<void>
}

/** @param port 0 is any free one @returns the server's address once it listens; it ends with all of its connections, however often */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    url: `${server instanceof SecureServer ? 'https' : 'http'}://127.0.0.1:${bound}`,
    port: bound,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
