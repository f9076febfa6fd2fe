/**
 * How many connections there may be at a time: each is an open file, and somebody who opens as many as there may be would leave none to
 * the engine, which cannot write or read without. Beyond that, connections are closed as soon as they come.
 */
import type { Server } from 'node:http'
import type { Log } from '@deployment-annotations/runtime/log'

/** Not a line for each of them: they come by the thousand. */
const TOLD_MS = 10_000

/** @param max connections that may be open, of all addresses */
export function limitConnections(server: Server, max: number, log: Log): void {
  let open = 0
  let refused = 0
  let toldMs = Number.NEGATIVE_INFINITY
  // Before the server's own listener, which would wait for a request.
  server.prependListener('connection', (socket) => {
    if (open >= max) {
      socket.destroy()
      refused++
      if (performance.now() - toldMs < TOLD_MS) return
      toldMs = performance.now()
      log.warn({ event: 'connections-refused', message: 'there are as many as this process has files for', open, refused })
      return
    }
    open++
    socket.once('close', () => open--)
  })
}
