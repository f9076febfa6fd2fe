/** Clients that send requests to a service, and say how long each took. No figures are judged here. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Target {
  url: string
  token: string
}

export interface Sent {
  status: number
  ms: number
  text: string
  /** Where the answer says when to try again. */
  retryAfterS?: number
}

export interface Client {
  post(path: string, body: Buffer | AsyncIterable<Buffer>, type?: string): Promise<Sent>
  put(path: string, body: Buffer): Promise<Sent>
  get(path: string): Promise<Sent>
  delete(path: string): Promise<Sent>
  close(): void
}

/** @param connections kept open and reused */
export function createClient({ url, token }: Target, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const send = (method: string, path: string, body?: Buffer | AsyncIterable<Buffer>, type = 'application/json') =>
    new Promise<Sent>((resolve, reject) => {
      const from = performance.now()
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': type }),
        ...(Buffer.isBuffer(body) && { 'content-length': body.length }),
      }
      const out = request({ agent, hostname, port, method, path, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        const retryAfter = answer.headers['retry-after']
        const again = retryAfter === undefined ? {} : { retryAfterS: Number(retryAfter) }
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - from, text, ...again }))
      })
      out.on('error', reject)
      if (!body || Buffer.isBuffer(body)) out.end(body)
      else void pour(body, out).catch(reject)
    })
  return {
    post: (path, body, type) => send('POST', path, body, type),
    put: (path, body) => send('PUT', path, body),
    get: (path) => send('GET', path),
    delete: (path) => send('DELETE', path),
    close: () => agent.destroy(),
  }
}

async function pour(chunks: AsyncIterable<Buffer>, out: ReturnType<typeof request>): Promise<void> {
  for await (const chunk of chunks) if (!out.write(chunk)) await new Promise((resolve) => out.once('drain', resolve))
  out.end()
}

/** What a query of everything there is answers. */
export function query(client: Client, apl: string): Promise<Sent> {
  const body = { apl, startTime: '2026-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }
  return client.post('/v1/datasets/_apl?format=tabular', Buffer.from(JSON.stringify(body)))
}

/**
 * Runs `task` from so many clients at a time.
 * @param until how often in all, or whether to go on
 * @returns milliseconds of each
 * @throws Error where an answer is none of success
 */
export async function repeat(
  clients: number,
  until: number | (() => boolean),
  task: (index: number) => Promise<Sent>,
): Promise<number[]> {
  const times: number[] = []
  let index = 0
  const goesOn = typeof until === 'number' ? () => index < until : until
  const loop = async () => {
    while (goesOn()) {
      const { status, ms, text } = await task(index++)
      if (status >= 300) throw new Error(`${status} ${text.slice(0, 300)}`)
      times.push(ms)
    }
  }
  await Promise.all(Array.from({ length: clients }, loop))
  return times
}

/** Sends again where the answer says when, as clients do that are told to wait. */
export async function patiently(send: () => Promise<Sent>): Promise<Sent> {
  const sent = await send()
  if (sent.retryAfterS === undefined) return sent
  await sleep(sent.retryAfterS * 1_000)
  return await patiently(send)
}
