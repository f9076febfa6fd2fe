/** A receiver of notifications on loopback: it answers as told, and keeps what came. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../../../__tests__/support/listen.ts'
import { until } from '../monitors/driven-service.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

/** @param answer by default 200; it may leave the request without an answer */
export async function startReceiver(answer: (received: Received, response: ServerResponse, count: number) => void = ok) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: (await buffer(request)).toString(), atMs: Date.now() }
    received.push(one)
    answer(one, response, received.length)
  })
  return {
    ...(await listen(server)),
    received,
    /** Waits until so many have come. */
    async wait(count: number, ms = 15_000): Promise<Received[]> {
      await until(async () => received.length >= count || undefined, ms)
      return received
    },
  }
}

function ok(_: Received, response: ServerResponse): void {
  response.end('ok')
}

/** As a receiver checks it, by the text of Standard Webhooks. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const given = Buffer.from(String(headers['webhook-signature']))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
