/**
 * Limits how many connections are open at a time. Each is an open file, and a client that opened all that the process may have would
 * leave none to the engine, which needs files to read and write. Connections beyond the limit are closed as soon as they come.
 */
import type { Server } from 'node:http'
import type { Log } from '@deployment-annotations/runtime/log'

/** How often refused connections are logged: they come by the thousand. */
const LOGGED_MS = 10_000

/** @param max how many connections may be open, from all addresses together */
export function limitConnections(server: Server, max: number, log: Log): void {
  let open = 0
  let refused = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  // This listener comes before the server's own, which would wait for a request.
  server.prependListener('connection', (socket) => {
    if (open >= max) {
      socket.destroy()
      refused++
      if (performance.now() - loggedMs < LOGGED_MS) return
      loggedMs = performance.now()
      log.warn({ event: 'connections-refused', message: 'there are as many as this process has files for', open, refused })
      return
    }
    open++
    socket.once('close', () => open--)
  })
}
