/**
 * The exchange over `fetch`, which Node, Bun, Deno, browsers and edge runtimes have: what the client uses unless it is told otherwise.
 * Deliberately not here: proxies, which are for the runtime to say, or for undici.ts.
 */
import {
  createReplyReader,
  isCertificateError,
  readCode,
  type Transport,
  WireError,
  type WireReply,
  type WireRequest,
} from './transport.ts'

export function createFetchTransport(): Transport {
  const closing = new AbortController()
  return {
    send: (request) => exchange(request, AbortSignal.any([request.signal, closing.signal])),
    close: async () => closing.abort(new Error('the client was closed')),
  }
}

async function exchange(request: WireRequest, signal: AbortSignal): Promise<WireReply> {
  const { method, url, headers, body = null } = request
  const received = createReplyReader(request)
  try {
    const response = await fetch(url, { method, headers, body: body as RequestInit['body'] & object, signal, redirect: 'manual' })
    await response.body?.pipeTo(new WritableStream({ write: (chunk: Uint8Array) => received.add(chunk) }))
    return { status: response.status, headers: Object.fromEntries(response.headers), text: received.end() }
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : ((error as Error).cause ?? error)
    throw new WireError(!isUnsent(cause), cause)
  }
}

/** Codes of Node and Bun for a connection that was not made; other runtimes say nothing that a program can read. */
const NOT_CONNECTED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/

function isUnsent(cause: unknown): boolean {
  return NOT_CONNECTED.test(readCode(cause) ?? '') || isCertificateError(cause)
}
