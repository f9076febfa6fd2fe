/**
 * Load for the ingest benchmarks: events, a service to send them to, and clients that measure. No figures are judged here.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** An event of 12 top-level fields, one of them nested, one an array: about 350 bytes. */
export function makeEvent(i: number, now: number): string {
  return JSON.stringify({
    _time: new Date(now + i).toISOString(),
    level: ['info', 'warn', 'error'][i % 3],
    status: 200 + (i % 300),
    duration_ms: ((i * 7_919) % 100_000) / 100,
    method: 'GET',
    path: `/api/v1/users/${i % 100_000}/orders`,
    region: 'eu-west-1',
    host: `host-${i % 50}`,
    client_ip: `10.0.${i % 256}.${(i * 7) % 256}`,
    user: { id: i % 10_007, name: `user-${i % 1_000}`, plan: 'pro' },
    tags: ['a', 'b', `t${i % 20}`],
    message: 'request handled without any particular incident to report',
  })
}

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const STATUSES = [200, 200, 200, 200, 200, 201, 204, 304, 400, 404, 404, 500, 503]
const REGIONS = ['eu-west-1', 'eu-north-1', 'us-east-1', 'us-west-2']
const RESOURCES = ['users', 'orders', 'items', 'carts']
const WORDS =
  'request upstream completed cache timeout retry connection handled without any incident database slow index user session token expired page asset served payment order checkout'.split(
    ' ',
  )

/**
 * Event `i` of a web server's log: 13 fields, about 350 bytes, and little that repeats. The same for the same `i`.
 * @param now milliseconds, when the first is
 * @param stepMs between one event and the next, on average
 */
export function makeLogEvent(i: number, now: number, stepMs = 40): string {
  let state = Math.imul(i + 1, 0x9e3779b1)
  const random = (below: number) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
  const status = pick(STATUSES)
  return JSON.stringify({
    _time: new Date(now + i * stepMs + random(stepMs)).toISOString(),
    level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
    status,
    duration_ms: random(100_000) / 100,
    method: pick(METHODS),
    path: `/api/v1/${pick(RESOURCES)}/${random(5_000)}`,
    region: pick(REGIONS),
    host: `web-${random(40)}`,
    client_ip: `10.${random(256)}.${random(256)}.${random(256)}`,
    user_id: random(50_000),
    bytes: random(100_000),
    trace_id: (random(2 ** 31) * 2 ** 20 + random(2 ** 20)).toString(16).padStart(16, '0'),
    // Most messages of real logs have an id or a number in them that no other has.
    message: `${Array.from({ length: 9 }, () => pick(WORDS)).join(' ')} id${i}`,
  })
}

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
  post(
    path: string,
    body: Buffer | AsyncIterable<Buffer>,
    type?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Sent>
  /** Without the token. */
  postSigned(path: string, body: Buffer, signature: Readonly<Record<string, string>>): Promise<Sent>
  put(path: string, body: Buffer): Promise<Sent>
  get(path: string): Promise<Sent>
  delete(path: string): Promise<Sent>
  close(): void
}

/** @param connections kept open and reused */
export function createClient({ url, token }: Target, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const byToken = { authorization: `Bearer ${token}` }
  const send = (
    method: string,
    path: string,
    body?: Buffer | AsyncIterable<Buffer>,
    { type = 'application/json', auth = byToken }: { type?: string | undefined; auth?: Readonly<Record<string, string>> } = {},
  ) =>
    new Promise<Sent>((resolve, reject) => {
      const from = performance.now()
      const headers = {
        ...auth,
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
    post: (path, body, type, headers) => send('POST', path, body, { type, auth: { ...byToken, ...headers } }),
    postSigned: (path, body, auth) => send('POST', path, body, { auth }),
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

/** Runs `task` from so many clients at a time until `go` says no. @returns milliseconds of each */
export async function repeat(clients: number, go: () => boolean, task: (index: number) => Promise<Sent>): Promise<number[]> {
  const times: number[] = []
  let index = 0
  const loop = async () => {
    while (go()) {
      const sent = await task(index++)
      if (sent.status !== 200) throw new Error(`${sent.status} ${sent.text.slice(0, 300)}`)
      times.push(sent.ms)
    }
  }
  await Promise.all(Array.from({ length: clients }, loop))
  return times
}

/** @param share 0.5 for the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The highest of open files and resident memory of a process while `task` runs. */
export async function watch<T>(
  pid: number,
  task: () => Promise<T>,
): Promise<{ value: T; files: number; rssMb: number; grownMb: number }> {
  const before = rssMb(pid)
  let [files, rss, isOn] = [0, before, true]
  const watching = (async () => {
    while (isOn) {
      files = Math.max(files, readdirSync(`/proc/${pid}/fd`).length)
      rss = Math.max(rss, rssMb(pid))
      await sleep(20)
    }
  })()
  try {
    const value = await task()
    return { value, files, rssMb: rss, grownMb: rss - before }
  } finally {
    isOn = false
    await watching
  }
}

export function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

/** Processor time that a process has used, in ms: unlike a rate, it hardly depends on what else the machine does. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
