/**
 * A loopback service that misbehaves as told. It keeps what it has committed, so that a test can judge by the far end.
 * Creates, changes and lists are answered properly unless the script says otherwise.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type ServerOptions as SecureOptions } from 'node:https'
import type { Socket } from 'node:net'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { listen } from './listen.ts'

interface SeenRequest {
  method: string
  /** Query included. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** What happens to one request; what is not said is done properly. */
export interface Act {
  /** Whether a create or change takes effect; true by default for a proper answer, else false. */
  commit?: boolean
  status?: number
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Takes the socket in hand instead of answering. */
  socket?: (socket: Socket, response: ServerResponse) => void
}

/** Given the requests of one method so far, this one included, says what happens. */
export type Script = Partial<Record<'POST' | 'PUT' | 'GET' | 'DELETE', (count: number, request: SeenRequest) => Act | undefined>>

export const silence = { socket: () => undefined }
export const reset = { socket: (socket: Socket) => void socket.resetAndDestroy() }
export const hangUp = { socket: (socket: Socket) => void socket.end() }
export const raw = (text: string | Buffer): Act => ({ socket: (socket) => void socket.end(text) })

/** How a service that is not ours keeps and shows what it is given. */
export interface Manner {
  /** What becomes of a member that is stored. */
  keep?: (member: string, value: unknown) => unknown
  /** What an answer has besides the members that are set. */
  absent?: Record<string, unknown>
  /** Which annotations a list shows. @param asked those that the filter asks for */
  list?: (all: Stored[], asked: Stored[]) => Stored[]
  /** Headers of a list. */
  listHeaders?: Record<string, string>
}

type Stored = Record<string, unknown> & { id: string; time: string; datasets: string[] }

export interface ScriptedService extends AsyncDisposable {
  url: string
  port: number
  requests: SeenRequest[]
  /** What a person would find on the charts. */
  stored: Stored[]
  close(): Promise<void>
}

export interface ServiceOptions {
  /** 0 is any free one. */
  port?: number
  /** Speaks HTTPS. */
  tls?: SecureOptions
  manner?: Manner
}

export async function startScriptedService(
  script: Script = {},
  { port = 0, tls, manner = {} }: ServiceOptions = {},
): Promise<ScriptedService> {
  const requests: SeenRequest[] = []
  const stored: Stored[] = []
  let creates = 0

  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming
      const request = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
      requests.push(request)
      const count = requests.filter((seen) => seen.method === method).length
      const act = script[method as 'GET']?.(count, request)
      const proper = (act?.commit ?? act === undefined) ? perform(request) : undefined
      if (act?.socket) return act.socket(incoming.socket, response)
      const status = act?.status ?? proper?.status ?? 500
      const body = act?.body ?? (act?.status === undefined && proper ? proper.body : '')
      const listHeaders = method === 'GET' ? manner.listHeaders : undefined
      response.writeHead(status, { 'content-type': 'application/json', ...listHeaders, ...act?.headers }).end(body)
    })
  }
  const server: Server = tls ? createSecureServer(tls, onRequest) : createServer(onRequest)

  const show = (annotation: Stored) => JSON.stringify({ ...manner.absent, ...annotation })
  const keep = (body: string) => {
    const members = Object.entries(JSON.parse(body) as object)
    return Object.fromEntries(members.map(([member, value]) => [member, manner.keep?.(member, value) ?? value]))
  }

  function perform({ method, path, body }: SeenRequest): { status: number; body: string } {
    const url = new URL(path, 'http://x')
    const id = decodeURIComponent(url.pathname.split('/')[3] ?? '')
    const index = stored.findIndex((annotation) => annotation.id === id)
    const found = stored[index]
    if (method === 'POST') {
      const created = { id: `ann_${++creates}`, ...keep(body) } as Stored
      stored.push(created)
      return { status: 201, body: show(created) }
    }
    if (id === '') {
      const [start, end] = ['start', 'end'].map((name) => parseTimestamp(url.searchParams.get(name) ?? ''))
      const listed = stored.filter(({ time }) => {
        const ns = parseTimestamp(time) ?? 0n
        return (start === undefined || ns >= start) && (end === undefined || ns <= end)
      })
      const shown = manner.list?.(stored, listed) ?? listed
      return { status: 200, body: `[${shown.map(show).join()}]` }
    }
    if (!found) return { status: 404, body: JSON.stringify({ code: 404, message: `no annotation ${id}` }) }
    if (method === 'DELETE') {
      stored.splice(index, 1)
      return { status: 204, body: '' }
    }
    if (method === 'PUT') Object.assign(found, keep(body))
    return { status: 200, body: show(found) }
  }

  const listening = await listen(server, port)
  return { ...listening, requests, stored, close: listening[Symbol.asyncDispose] }
}
