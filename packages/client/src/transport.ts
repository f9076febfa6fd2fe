/**
 * One HTTP exchange over undici: a request out, a whole reply of bounded size in.
 * Knows whether any byte may have reached the service, which decides whether a request may be repeated blindly.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */
import type { Dispatcher } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'

export interface WireRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Ends the exchange, the reply's body included; its reason becomes the error's cause. */
  signal: AbortSignal
  /** A reply with a longer body is given up. */
  replyBytesMax: number
}

export interface WireReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface Transport {
  /** @throws WireError where no whole reply came back */
  send(request: WireRequest): Promise<WireReply>
  close(): Promise<void>
}

/** No whole reply came back. `sent` is false only where surely not one byte of the request was handed to a connection. */
export class WireError extends Error {
  override name = 'WireError'
  readonly sent: boolean
  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }
}

/** A connection that is not made in this time will hardly be made later; what is left of the budget goes to a retry. */
const CONNECT_TIMEOUT_MS = 5_000

/**
 * @param origin scheme, host and port that every request goes to
 * @param env where the proxy variables are looked up: `https_proxy`, `http_proxy`, `no_proxy` in either case
 */
export function createTransport(origin: URL, env: NodeJS.ProcessEnv = process.env): Transport {
  let dispatcher: Promise<Dispatcher> | undefined
  return {
    async send(request) {
      dispatcher ??= createDispatcher(origin, env)
      return exchange(await dispatcher, request)
    },
    async close() {
      await (await dispatcher)?.destroy()
    },
  }
}

async function createDispatcher(origin: URL, env: NodeJS.ProcessEnv): Promise<Dispatcher> {
  // The budget of the call bounds headers and body; undici's own five minutes would only hide it.
  const options = { headersTimeout: 0, bodyTimeout: 0 }
  if (!readProxyVariable(origin, env)) return new Pool(origin.origin, { ...options, connect: { timeout: CONNECT_TIMEOUT_MS } })
  // Loaded behind a proxy only. The package's entry point gives every dispatcher `connect`, which the proxy's tunnel needs.
  const { default: EnvHttpProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js')
  const { default: Dispatcher } = await import('undici/lib/dispatcher/dispatcher.js')
  Dispatcher.prototype.connect = (await import('undici/lib/api/api-connect.js')).default
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: { timeout: CONNECT_TIMEOUT_MS },
    proxyTls: { timeout: CONNECT_TIMEOUT_MS },
  })
}

/** Lower case first, as curl and undici do; `https_proxy` falls back to `http_proxy` as in undici. */
function readProxyVariable(origin: URL, env: NodeJS.ProcessEnv): string | undefined {
  const http = env.http_proxy || env.HTTP_PROXY
  return origin.protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || http : http
}

function exchange(dispatcher: Dispatcher, request: WireRequest): Promise<WireReply> {
  const { method, url, headers, body, signal, replyBytesMax } = request
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let sent = false
    let status = 0
    let replyHeaders: WireReply['headers'] = {}
    let bytes = 0
    const chunks: Buffer[] = []

    const fail = (cause: unknown) => {
      signal.removeEventListener('abort', onAbort)
      reject(new WireError(sent, cause))
      controller?.abort(cause instanceof Error ? cause : new Error(String(cause)))
    }
    const onAbort = () => fail(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)

    const target = { origin: url.origin, path: url.pathname + url.search, method: method as Dispatcher.HttpMethod }
    dispatcher.dispatch(
      { ...target, headers, body: body ?? null },
      {
        // Called once a connection has been made and right before the request is written to it.
        onRequestStart(started) {
          controller = started
          if (signal.aborted) return started.abort(signal.reason)
          sent = true
        },
        onResponseStart(_, statusCode, received) {
          status = statusCode
          replyHeaders = received
        },
        onResponseData(_, chunk) {
          bytes += chunk.length
          if (bytes > replyBytesMax) return fail(new Error(`the reply is longer than ${replyBytesMax} bytes`))
          chunks.push(chunk)
        },
        onResponseEnd() {
          signal.removeEventListener('abort', onAbort)
          resolve({ status, headers: replyHeaders, body: Buffer.concat(chunks) })
        },
        onResponseError(_, error) {
          fail(error)
        },
      },
    )
  })
}
