/**
 * A loopback HTTP proxy that tunnels with CONNECT, for tests of the proxy variables.
 */
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listen } from './listen.ts'

export interface Proxy extends AsyncDisposable {
  url: string
  /** What it was asked to connect to, `host:port`. */
  tunnels: string[]
}

/** @param status what it answers to CONNECT; 200 opens the tunnel to 127.0.0.1, whatever the host */
export async function startProxy(status = 200): Promise<Proxy> {
  const tunnels: string[] = []
  const server = createServer((_, response) => response.writeHead(500).end())
  server.on('connect', (request, client: Socket, head: Buffer) => {
    tunnels.push(request.url ?? '')
    if (status !== 200) return client.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`)
    const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      target.pipe(client).pipe(target)
    })
    target.on('error', () => undefined)
    client.on('close', () => target.destroy())
  })
  return { ...(await listen(server)), tunnels }
}
