/**
 * One HTTP exchange over undici: a request out, a whole reply of bounded size in.
 * Knows whether any byte may have reached the service, which decides whether a request may be repeated blindly.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

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

/** No whole reply came back. `sent` is false only if certainly not one byte of the request was handed to a connection. */
export class WireError extends Error {
  override name = 'WireError'
  readonly sent: boolean
  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }
}

/** A connection that is not made in this time is unlikely to be made later; what is left of the budget goes to a retry. */
const CONNECT_TIMEOUT_MS = 5_000

/**
 * @param origin scheme, host and port that every request goes to
 * @param env where the proxy variables are looked up: `https_proxy`, `http_proxy`, `no_proxy` in either case
 */
export function createTransport(origin: URL, env: NodeJS.ProcessEnv = process.env): Transport {
  let dispatcher: Dispatcher | undefined
  return {
    send(request) {
      dispatcher ??= createDispatcher(origin, env)
      return new Exchange(request).run(dispatcher)
    },
    async close() {
      await dispatcher?.destroy()
    },
  }
}

function createDispatcher(origin: URL, env: NodeJS.ProcessEnv): Dispatcher {
  // The budget of the call bounds headers and body; undici's own five minutes would only hide it.
  const options = { headersTimeout: 0, bodyTimeout: 0 }
  const connect = { timeout: CONNECT_TIMEOUT_MS }
  return readProxyVariable(origin, env)
    ? new EnvHttpProxyAgent({ ...options, requestTls: connect, proxyTls: connect })
    : new Pool(origin.origin, { ...options, connect })
}

/** Lower case first, as curl and undici do; `https_proxy` falls back to `http_proxy` as in undici. */
function readProxyVariable(origin: URL, env: NodeJS.ProcessEnv): string | undefined {
  const http = env.http_proxy || env.HTTP_PROXY
  return origin.protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || http : http
}

/** One request on its way, and what has come back of its reply so far. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest
  readonly #reply: Promise<WireReply>
  #resolve: (reply: WireReply) => void = () => undefined
  #reject: (error: WireError) => void = () => undefined
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #isSent = false
  #status = 0
  #headers: WireReply['headers'] = {}
  #bytes = 0

  constructor(request: WireRequest) {
    this.#request = request
    this.#reply = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  async run(dispatcher: Dispatcher): Promise<WireReply> {
    const { method, url, headers, body = null, signal } = this.#request
    const abort = () => this.#fail(signal.reason)
    if (signal.aborted) abort()
    else {
      signal.addEventListener('abort', abort)
      const target = { origin: url.origin, path: url.pathname + url.search, method: method as Dispatcher.HttpMethod }
      dispatcher.dispatch({ ...target, headers, body }, this)
    }
    try {
      return await this.#reply
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Called once a connection has been made and right before the request is written to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#request.signal.aborted) controller.abort(this.#request.signal.reason)
    else this.#isSent = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: WireReply['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { replyBytesMax } = this.#request
    this.#bytes += chunk.length
    if (this.#bytes > replyBytesMax) this.#fail(new Error(`the reply is longer than ${replyBytesMax} bytes`))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(cause: unknown): void {
    this.#reject(new WireError(this.#isSent, cause))
    this.#controller?.abort(cause instanceof Error ? cause : new Error(String(cause)))
  }
}
