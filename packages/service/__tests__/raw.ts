/**
 * Requests as bytes, for what no client of HTTP would send.
 */
import { connect } from 'node:net'
import type { RunningService } from '../../../__tests__/support/service.ts'

/** Sends bytes, and resolves with what has come when the other side is done, or when `until` has been seen. */
export function exchange(
  { url }: Pick<RunningService, 'url'>,
  bytes: string | Buffer,
  until?: string,
  host = '127.0.0.1',
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(url).port), host, () => socket.write(bytes))
    socket.setTimeout(5_000, () => socket.destroy(new Error(`timed out after ${received}`)))
    socket.on('data', (chunk) => {
      received += chunk.toString()
      if (until && received.includes(until)) socket.destroy()
    })
    socket.on('error', (error) => (received ? resolve(received) : reject(error)))
    socket.on('close', () => resolve(received))
  })
}

/** Sends a request with these headers and no others, and reads its answer. */
export async function askRaw(service: Pick<RunningService, 'url'>, start: string, headers: readonly string[]) {
  const text = await exchange(service, `${[start, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body || 'null') }
}
